import { join } from 'node:path';

import { afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { Code } from '../../src/model/measure/protocol.ts';
import { RawClient, type RunnerCommand } from '../contract/raw-client.ts';
import { openRequest, rowsum } from '../contract/runner-conformance.ts';
import { builtForPython } from './native-build.ts';

const MODULE = join(import.meta.dirname, '../fixtures/python-kernels/draws_numbers.py');

let runner: RunnerCommand;
beforeAll(async () => {
  runner = await builtForPython();
}, 600_000);

let client: RawClient;
afterEach(() => client.kill());

/** A function of the fixture, held against itself. */
async function check(name: string, oracle: Partial<Code> = {}, posed: object = {}) {
  const code = { module: MODULE, function: name };
  client = new RawClient(runner);
  await client.result(openRequest(client, code));
  await client.result({ ...rowsum(300, 4), ...posed });
  return { op: 'check', oracle: { ...code, ...oracle }, atol: 1e-4, rtol: 1e-4, seed: '5' } as const;
}

describe("an oracle in the tensors' own precision", () => {
  test('gets what the kernel gets', async () => {
    const request = await check('typed', { precision: 'own' });
    expect((await client.result(request)).passed).toBe(true);
  });

  test('gets double precision unless that is said', async () => {
    const request = await check('typed');
    const { message } = await client.failure(request);
    expect(message).toContain('float64 where float32 was due');
  });
});

describe('random numbers', () => {
  test('start alike in kernel and oracle where the problem says so', async () => {
    const request = await check('noisy', { precision: 'own' }, { seeded: true });
    expect((await client.result(request)).passed).toBe(true);
    // In the second check the kernel has been called before.
    expect((await client.result({ ...request, seed: '6' })).passed).toBe(true);
  });

  test('differ otherwise', async () => {
    const request = await check('noisy', { precision: 'own' });
    expect((await client.result(request)).passed).toBe(false);
  });
});
