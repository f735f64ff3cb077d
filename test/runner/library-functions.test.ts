import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { Dtype } from '../../src/model/problem/tensor.ts';
import { RawClient, type RunnerCommand } from '../contract/raw-client.ts';
import { openRequest, prepareRequest, sampleRequest, tensor } from '../contract/runner-conformance.ts';
import { builtForPython, compileLibrary } from './native-build.ts';

const MODULE = join(import.meta.dirname, '../fixtures/python-kernels/generated.py');
const SUMS = { module: MODULE, function: 'segment_sums' };
const TOLERANCE = { atol: 1e-4, rtol: 0 };

let runner: RunnerCommand;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-judge-code-'));
  runner = await builtForPython();
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const clients: RawClient[] = [];
afterEach(() => Promise.all(clients.splice(0).map((client) => client.kill())));

/** What makes the inputs, or judges the outputs, in one of its ways. */
async function library(source: 'segments' | 'sums', how = 'AS_IT_SHOULD') {
  const flags = [`-D${how}`, '-Wno-unused-variable', '-Wno-unused-parameter'];
  const path = join(folder, `${source}-${how}.so`);
  return { library: await compileLibrary(`test/fixtures/judge-code/${source}.cpp`, path, flags) };
}
const checker = async (how?: string) => ({ ...(await library('sums', how)), name: 'sums.cpp' });

async function prepared(
  generator: object,
  more: { readonly timeout_ms?: number; readonly dtype?: Dtype; readonly kernel?: string } = {},
): Promise<RawClient> {
  const client = new RawClient(runner);
  clients.push(client);
  const { dtype = 'f32', kernel = 'segment_sums', ...rest } = more;
  await client.result(openRequest(client, { module: MODULE, function: kernel }));
  await client.result({
    ...prepareRequest({ ROWS: 20, SIZE: 400 }, [
      tensor('ends', 'input', [20], { dtype: 'i32', fill: { kind: 'integers', low: 0, high: 9 } }),
      tensor('values', 'input', [400], { dtype }),
      tensor('sums', 'output', [20], { dtype }),
    ]),
    generator,
    ...rest,
  });
  return client;
}

describe('a generator in C++', { timeout: 120_000 }, () => {
  test.each(['f64', 'f32', 'f16'] as const)(
    'makes inputs that fit together, rounded to %s',
    async (dtype) => {
      const atol = { f64: 1e-12, f32: 1e-4, f16: 0.1 }[dtype];
      const rules = { oracle: SUMS, atol, rtol: 0 };
      const client = await prepared(await library('segments'), { dtype });
      expect(await client.result({ op: 'check', ...rules, seed: '5' })).toMatchObject({
        passed: true,
        tampering: [],
      });
      for (const mode of ['cold', 'hot'] as const)
        expect(await client.result({ ...sampleRequest(mode, 12), verify: rules })).toMatchObject({
          tampering: [],
          verified: { tensors: [{ mismatches: 0 }] },
        });
    },
  );

  test.each([
    ['RETURNS', /generator-failed: pawl_generate returned 3/],
    ['THROWS', /generator-failed: pawl_generate threw an exception: no more numbers/],
    ['CRASHES', /generator-failed: the generator's process was ended by SIGABRT/],
    ['EXITS', /generator-failed: the generator's process ended by itself with code 0/],
    ['EATS', /generator-failed: pawl_generate threw an exception: std::bad_alloc/],
    ['LEAVES_OUT', /generator-failed: pawl_generate left 2 of 400 numbers of 'values' unwritten/],
    ['UNNAMED', /generator-failed: .*has no function pawl_generate/],
  ])('that fails (%s) is named, and the judge lives', async (how, message) => {
    await expect(prepared(await library('segments', how))).rejects.toThrow(message);
    expect(await clients[0]?.result({ op: 'state' })).toBeDefined();
  });

  test('that hangs ends the judge by a signal of its own', async () => {
    await Promise.allSettled([prepared(await library('segments', 'HANGS'), { timeout_ms: 2000 })]);
    expect(await clients[0]?.ended).toMatchObject({ signal: 'SIGXCPU' });
  });

  test('whose bytes are others than those that were built is refused', async () => {
    const other = { ...(await library('segments')), sha256: '0'.repeat(64) };
    await expect(prepared(other)).rejects.toThrow(/generator-failed: /);
  });
});

describe('a checker in C++', { timeout: 120_000 }, () => {
  const check = (code: object, more: object = {}) =>
    ({ op: 'check', checker: code, ...TOLERANCE, seed: '5', ...more }) as never;

  test('passes what is right, and nothing that needs no work', async () => {
    const client = await prepared(await library('segments'));
    expect(await client.result(check(await checker(), { blind: true }))).toMatchObject({
      passed: true,
      oracle: 'sums.cpp',
      checked: { name: 'sums.cpp', passed: true },
      tampering: [],
      blind: [],
    });
    const verify = { checker: await checker(), ...TOLERANCE };
    expect(await client.result({ ...sampleRequest('cold', 8), verify })).toMatchObject({ tampering: [] });
  });

  test('refuses what is wrong, in its own words', async () => {
    const client = await prepared(await library('segments'), { kernel: 'sums_off_by_one' });
    expect(await client.result(check(await checker()))).toMatchObject({
      passed: false,
      tampering: [
        {
          detector: 'wrong-result',
          message: 'sums.cpp refuses the outputs: a sum is not that of its segment',
        },
      ],
    });
  });

  test.each([
    ['RETURNS', /checker-failed: pawl_check returned 3/],
    ['THROWS', /checker-failed: pawl_check threw an exception: lost/],
    ['CRASHES', /checker-failed: the checker's process was ended by SIGABRT/],
    ['EXITS', /checker-failed: the checker's process ended by itself/],
    ['SAYS_NOTHING', /checker-failed: pawl_check of sums.cpp gave no verdict/],
  ])('that fails (%s) says nothing about the kernel', async (how, message) => {
    const client = await prepared(await library('segments'));
    await expect(client.result(check(await checker(how)))).rejects.toThrow(message);
  });

  test('that hangs ends the judge by a signal of its own', async () => {
    const client = await prepared(await library('segments'));
    await Promise.allSettled([client.result(check(await checker('HANGS'), { timeout_ms: 2000 }))]);
    expect(await client.ended).toMatchObject({ signal: 'SIGVTALRM' });
  });
});
