import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  RIGHT,
  checkAttention,
  compileChecker,
  compileCpu,
  compileOracle,
  defaultVariant,
  tunablesOf,
} from './attention-toolchain.ts';

let directory: string;
let programs: { checker: string; oracle: string };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pawl-attention-cpu-'));
  programs = { checker: join(directory, 'check'), oracle: join(directory, 'oracle.so') };
  await Promise.all([compileChecker(programs.checker), compileOracle(programs.oracle)]);
}, 120_000);

afterAll(() => rm(directory, { recursive: true, force: true }));

const CASES = [
  '2 2 64 64 0 normal 1',
  '2 2 64 64 1 normal 2',
  '1 2 100 64 0 normal 3',
  '1 3 77 80 1 normal 4',
  '2 1 130 128 0 normal 5',
  '1 2 97 128 1 normal 6',
  '2 2 33 7 1 normal 7',
  '1 1 1 64 1 normal 8',
  '1 2 150 64 0 huge 9',
  '1 2 150 64 1 huge 10',
  '1 2 150 64 0 masked 11',
  '1 2 150 64 1 masked 12',
];

describe('the CPU attention kernel', () => {
  const variants = [
    { BLOCK_M: 32, BLOCK_N: 64, UNROLL: 4, VECTOR: 8, THREADS: 1, EXP: 'poly' },
    { BLOCK_M: 16, BLOCK_N: 16, UNROLL: 1, VECTOR: 16, THREADS: 2, EXP: 'poly' },
    { BLOCK_M: 64, BLOCK_N: 32, UNROLL: 8, VECTOR: 4, THREADS: 4, EXP: 'libm' },
    { BLOCK_M: 128, BLOCK_N: 128, UNROLL: 2, VECTOR: 1, THREADS: 1, EXP: 'poly' },
  ];
  test.each(variants)(
    'agrees with the oracle at ragged, causal, odd-depth, huge and masked inputs: %o',
    async (variant) => {
      const library = join(directory, `${Object.values(variant).join('-')}.so`);
      await compileCpu(variant, library, 'library');
      const results = await checkAttention(programs, library, 'f32', CASES);
      expect(results).toHaveLength(CASES.length);
      for (const [i, result] of results.entries()) expect(result, CASES[i]).toMatchObject(RIGHT);
    },
    120_000,
  );

  test('has other machine code for every value of every tunable', async () => {
    const base = await defaultVariant('attention-cpu');
    const object = join(directory, 'variant.o');
    const defaultCode = await compiled(base);
    for (const [name, { values }] of Object.entries(await tunablesOf('attention-cpu'))) {
      const codes = new Set<string>();
      for (const value of values) {
        codes.add(value === base[name] ? defaultCode : await compiled({ ...base, [name]: value }));
      }
      expect(codes.size, name).toBe(values.length);
    }
    async function compiled(variant: Parameters<typeof compileCpu>[0]): Promise<string> {
      await compileCpu(variant, object, 'object');
      return (await readFile(object)).toString('latin1');
    }
  }, 240_000);
});
