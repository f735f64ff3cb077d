import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  ATTENTION,
  RIGHT,
  checkAttention,
  compileChecker,
  compileCubin,
  compileEmulated,
  compileOracle,
  defaultVariant,
  run,
  tunablesOf,
} from './attention-toolchain.ts';

const SOURCE = join(ATTENTION, 'cuda', 'attention.cu');
const hasNvcc = (await run('nvcc', ['--version'])).code === 0;
let directory: string;
let programs: { checker: string; oracle: string };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pawl-attention-cuda-'));
  programs = { checker: join(directory, 'check'), oracle: join(directory, 'oracle.so') };
  await Promise.all([compileChecker(programs.checker), compileOracle(programs.oracle)]);
}, 120_000);

afterAll(() => rm(directory, { recursive: true, force: true }));

const CASES = [
  '1 2 128 64 0 normal 1',
  '2 1 100 64 0 normal 2',
  '1 2 200 64 1 normal 3',
  '1 1 1 64 1 normal 4',
  '1 2 130 128 0 normal 5',
  '1 1 97 128 1 normal 6',
  '1 1 150 64 0 huge 7',
  '1 1 150 64 0 masked 8',
  '1 1 150 64 1 masked 9',
  '1 1 320 64 0 huge 10',
  '1 1 320 128 1 huge 11',
];

const DEEP_CASES = CASES.map((line) => line.replace(' 64 ', ' 128 '));

describe('the CUDA attention kernel', () => {
  const base = { BLOCK_K: 16, STAGES: 2, UNROLL: 1, CP_ASYNC: 1, SWIZZLE: 1, HALF2: 0 };
  const variants = [
    { ...base, BLOCK_M: 128, BLOCK_N: 64, NUM_WARPS: 4 },
    { ...base, BLOCK_M: 128, BLOCK_N: 32, NUM_WARPS: 4, STAGES: 3, SWIZZLE: 0, UNROLL: 2 },
    { ...base, BLOCK_M: 64, BLOCK_N: 128, BLOCK_K: 64, NUM_WARPS: 2, STAGES: 1, HALF2: 1 },
    { ...base, BLOCK_M: 64, BLOCK_N: 48, BLOCK_K: 32, NUM_WARPS: 4, CP_ASYNC: 0 },
    { ...base, BLOCK_M: 32, BLOCK_N: 16, NUM_WARPS: 1, STAGES: 4 },
  ];
  test.each(variants)(
    'agrees with the oracle when its threads run on the emulator: %o',
    async (variant) => {
      const library = join(directory, `${Object.values(variant).join('-')}.so`);
      await compileEmulated(SOURCE, 'ampere-instructions.h', variant, library);
      const results = await checkAttention(programs, library, 'f16', CASES);
      expect(results).toHaveLength(CASES.length);
      for (const [i, result] of results.entries()) expect(result, CASES[i]).toMatchObject(RIGHT);
    },
    300_000,
  );

  test('agrees with the oracle when it is built for D = 128 alone, and takes no other', async () => {
    const variant = { ...base, DEPTH: 128, BLOCK_M: 128, BLOCK_N: 64, BLOCK_K: 64, NUM_WARPS: 4 };
    const library = join(directory, 'deep.so');
    await compileEmulated(SOURCE, 'ampere-instructions.h', variant, library);
    const results = await checkAttention(programs, library, 'f16', DEEP_CASES);
    expect(results).toHaveLength(DEEP_CASES.length);
    for (const [i, result] of results.entries()) expect(result, DEEP_CASES[i]).toMatchObject(RIGHT);
    const [refused] = await checkAttention(programs, library, 'f16', CASES.slice(0, 1));
    expect(refused?.status).toBe(100_003);
  }, 300_000);

  test.skipIf(!hasNvcc).each(['80', '90a'])(
    'compiles for sm_%s without warnings, and its default variant spills no registers',
    async (arch) => {
      const variant = await defaultVariant('attention-cuda');
      const { report } = await compileCubin(SOURCE, arch, variant, join(directory, `${arch}.cubin`));
      const spills = [...report.matchAll(/(\d+) bytes spill stores, (\d+) bytes spill loads/g)];
      expect(spills).toHaveLength(4); // D = 64 and 128, causal and not
      for (const [, stores, loads] of spills) expect([stores, loads]).toEqual(['0', '0']);
    },
    300_000,
  );

  test.skipIf(!hasNvcc)(
    'has other machine code for another value of each tunable',
    async () => {
      const base = await defaultVariant('attention-cuda');
      const others: Record<string, number> = {
        BLOCK_M: 64,
        BLOCK_N: 32,
        BLOCK_K: 64,
        NUM_WARPS: 8,
        STAGES: 3,
        UNROLL: 2,
        CP_ASYNC: 0,
        SWIZZLE: 0,
        HALF2: 1,
      };
      expect(Object.keys(await tunablesOf('attention-cuda')).sort()).toEqual(Object.keys(others).sort());
      const to = join(directory, 'variant.cubin');
      const codes = new Set<string>();
      for (const change of [{}, ...Object.entries(others).map(([name, value]) => ({ [name]: value }))]) {
        const { code } = await compileCubin(SOURCE, '90', { ...base, ...change }, to);
        codes.add(code.toString('latin1'));
      }
      expect(codes.size).toBe(1 + Object.keys(others).length);
    },
    600_000,
  );
});
