import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { RawClient, type RunnerCommand } from '../contract/raw-client.ts';
import { openRequest, rowsum } from '../contract/runner-conformance.ts';
import { builtForPython, compileLibrary } from './native-build.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures');
const ORACLE = { module: join(FIXTURES, 'conformance', 'kernels.py'), function: 'rowsum_oracle' };

let runner: RunnerCommand;
let folder: string;
let client: RawClient | undefined;
beforeAll(async () => {
  runner = await builtForPython();
  folder = await mkdtemp(join(tmpdir(), 'pawl-sleep-'));
  await compileLibrary(join(FIXTURES, 'python-kernels', 'spinning-pool.cpp'), join(folder, 'pool.so'));
  await copyFile(join(FIXTURES, 'python-kernels', 'waits.py'), join(folder, 'waits.py'));
}, 600_000);
afterEach(() => client?.kill());
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What an audit finds in a function of `waits.py`. */
async function found(name: string): Promise<string[]> {
  client = new RawClient(runner);
  const kernel = { module: join(folder, 'waits.py'), function: name };
  await client.result({ ...openRequest(client, kernel), threads: Math.min(2, availableParallelism()) });
  await client.result({ ...rowsum(8, 64) });
  const request = { op: 'check', oracle: ORACLE, atol: 1e-4, rtol: 1e-4, seed: '5', audit: true } as const;
  return (await client.result(request)).tampering.map(({ detector }) => detector);
}

describe('the look at sleep in Python', () => {
  it('sees calls that sleep', async () => {
    expect(await found('sleeps')).toContain('sleeping');
  });

  it('does not take waiting for a thread that works on another CPU for sleep', async () => {
    expect(await found('waits_for_a_pool')).toEqual([]);
  });
});
