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

const SOURCE = join(ATTENTION, 'hopper', 'attention.cu');
const hasNvcc = (await run('nvcc', ['--version'])).code === 0;
let directory: string;
let programs: { checker: string; oracle: string };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pawl-attention-hopper-'));
  programs = { checker: join(directory, 'check'), oracle: join(directory, 'oracle.so') };
  await Promise.all([compileChecker(programs.checker), compileOracle(programs.oracle)]);
}, 120_000);

afterAll(() => rm(directory, { recursive: true, force: true }));

const CASES = [
  '1 3 256 64 0 normal 1',
  '2 2 100 64 0 normal 2',
  '1 3 300 64 1 normal 3',
  '1 1 1 64 1 normal 4',
  '1 2 390 64 1 normal 5',
  '1 1 150 64 0 huge 6',
  '1 1 150 64 1 huge 7',
  '1 1 150 64 0 masked 8',
  '1 1 150 64 1 masked 9',
];

describe('the Hopper attention kernel', () => {
  const variants = [
    { BLOCK_M: 128, BLOCK_N: 128, STAGES: 2, BLOCKS_PER_SM: 1, ORDERED: 1 },
    { BLOCK_M: 256, BLOCK_N: 64, STAGES: 4, BLOCKS_PER_SM: 1, ORDERED: 0 },
    { BLOCK_M: 192, BLOCK_N: 128, STAGES: 3, BLOCKS_PER_SM: 1, ORDERED: 1 },
    { BLOCK_M: 64, BLOCK_N: 64, STAGES: 2, BLOCKS_PER_SM: 3, ORDERED: 0 },
  ];
  test.each(variants)(
    'agrees with the oracle on the emulator, whether copies land early or late: %o',
    async (variant) => {
      const library = join(directory, `${Object.values(variant).join('-')}.so`);
      await compileEmulated(SOURCE, 'hopper-instructions.h', variant, library);
      for (const copies of ['early', 'late']) {
        const results = await checkAttention(programs, library, 'f16', CASES, {
          PAWL_EMULATOR_COPIES: copies,
        });
        expect(results).toHaveLength(CASES.length);
        for (const [i, result] of results.entries()) expect(result, CASES[i]).toMatchObject(RIGHT);
      }
    },
    120_000,
  );

  test.skipIf(!hasNvcc)(
    'compiles without warnings, spills or serialized products, and each tunable changes its machine code',
    async () => {
      const base = await defaultVariant('attention-hopper');
      const others: Record<string, object> = {
        BLOCK_M: { BLOCK_M: 192 },
        BLOCK_N: { BLOCK_M: 192, BLOCK_N: 128 },
        STAGES: { STAGES: 3 },
        BLOCKS_PER_SM: { BLOCK_M: 64, BLOCKS_PER_SM: 3 },
        ORDERED: { ORDERED: 0 },
      };
      expect(Object.keys(others).sort()).toEqual(Object.keys(await tunablesOf('attention-hopper')).sort());
      const codes = new Set<string>();
      for (const change of [{}, ...Object.values(others), { BLOCK_M: 64, BLOCKS_PER_SM: 2 }]) {
        const variant = { ...base, ...change };
        const { code, report } = await compileCubin(SOURCE, '90a', variant, join(directory, 'variant.cubin'));
        codes.add(code.toString('latin1'));
        expect(report, JSON.stringify(variant)).not.toMatch(/Potential Performance Loss|warning/);
        const spills = [...report.matchAll(/(\d+) bytes spill stores, (\d+) bytes spill loads/g)];
        expect(spills).toHaveLength(2); // causal and not
        for (const [, stores, loads] of spills) expect([stores, loads]).toEqual(['0', '0']);
      }
      expect(codes.size).toBe(7);
    },
    240_000,
  );
});
