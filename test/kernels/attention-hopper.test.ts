import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { loadConfig } from '../../src/config/load-config.ts';
import { planKernel } from '../../src/config/plan-kernel.ts';
import type { Variant } from '../../src/model/problem/variant.ts';
import {
  ATTENTION,
  RIGHT,
  ROOT,
  checkAttention,
  compileChecker,
  compileCubin,
  compileEmulated,
  compileLaunchesApart,
  compileOracle,
  defaultVariant,
  run,
  tunablesOf,
} from './attention-toolchain.ts';

const SOURCE = join(ATTENTION, 'hopper', 'attention.cu');
const hasNvcc = (await run('nvcc', ['--version'])).code === 0;
const loaded = await loadConfig(ROOT);
let directory: string;
let programs: { checker: string; oracle: string };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pawl-attention-hopper-'));
  programs = { checker: join(directory, 'check'), oracle: join(directory, 'oracle.so') };
  await Promise.all([compileChecker(programs.checker), compileOracle(programs.oracle)]);
}, 120_000);

afterAll(() => rm(directory, { recursive: true, force: true }));

const casesOf = (depth: number): string[] =>
  [
    '1 3 256 D 0 normal 1',
    '2 2 100 D 0 normal 2',
    '1 3 300 D 1 normal 3',
    '1 1 1 D 1 normal 4',
    '1 2 390 D 1 normal 5',
    '1 1 330 D 0 huge 6',
    '1 1 150 D 1 huge 7',
    '1 1 330 D 0 masked 8',
    '1 1 150 D 1 masked 9',
    '1 1 260 D 1 nan 10',
    '2 3 300 D 1 normal 11',
  ].map((line) => line.replace('D', String(depth)));

const isCausal = (line = ''): boolean => line.split(' ')[4] === '1';

const kernels = [
  { kernel: 'attention-hopper', depth: 64 },
  { kernel: 'attention-hopper-128', depth: 128 },
];

async function compiled(variant: Variant): Promise<{ code: string; report: string }> {
  const { code, report } = await compileCubin(SOURCE, '90a', variant, join(directory, 'variant.cubin'));
  return { code: code.toString('latin1'), report };
}

describe('the Hopper attention kernel', () => {
  const base = { BLOCKS_PER_SM: 1, RESIDENT: 0, BOLD: 0, POLY: 0, CHAINED: 0, SELF: 0 };
  const variants = [
    { ...base, DEPTH: 64, BLOCK_M: 128, BLOCK_N: 128, STAGES: 2, ORDERED: 1, BOLD: 1 },
    { ...base, DEPTH: 64, BLOCK_M: 256, BLOCK_N: 64, STAGES: 4, ORDERED: 1, BOLD: 1, CHAINED: 1 },
    { ...base, DEPTH: 64, BLOCK_M: 256, BLOCK_N: 64, STAGES: 4, ORDERED: 0, POLY: 16 },
    { ...base, DEPTH: 64, BLOCK_M: 192, BLOCK_N: 128, STAGES: 3, ORDERED: 1 },
    { ...base, DEPTH: 64, BLOCK_M: 64, BLOCK_N: 64, STAGES: 2, BLOCKS_PER_SM: 3, ORDERED: 0 },
    { ...base, DEPTH: 64, BLOCK_M: 192, BLOCK_N: 64, STAGES: 6, ORDERED: 1 },
    { ...base, DEPTH: 64, BLOCK_M: 192, BLOCK_N: 48, STAGES: 8, ORDERED: 0, BOLD: 1 },
    { ...base, DEPTH: 64, BLOCK_M: 256, BLOCK_N: 32, STAGES: 14, ORDERED: 1, BOLD: 1, POLY: 8 },
    { ...base, DEPTH: 64, BLOCK_M: 128, BLOCK_N: 64, STAGES: 4, ORDERED: 1, RESIDENT: 1, BOLD: 1 },
    {
      ...base,
      DEPTH: 64,
      BLOCK_M: 64,
      BLOCK_N: 64,
      STAGES: 4,
      ORDERED: 0,
      RESIDENT: 1,
      BLOCKS_PER_SM: 2,
    },
    { ...base, DEPTH: 128, BLOCK_M: 128, BLOCK_N: 128, STAGES: 2, ORDERED: 1, BOLD: 1 },
    { ...base, DEPTH: 128, BLOCK_M: 128, BLOCK_N: 96, STAGES: 2, ORDERED: 0 },
    { ...base, DEPTH: 128, BLOCK_M: 128, BLOCK_N: 64, STAGES: 4, ORDERED: 1 },
    { ...base, DEPTH: 64, BLOCK_M: 256, BLOCK_N: 64, STAGES: 6, ORDERED: 1, BOLD: 1, SELF: 1 },
    { ...base, DEPTH: 64, BLOCK_M: 128, BLOCK_N: 32, STAGES: 4, ORDERED: 1, SELF: 1 },
    { ...base, DEPTH: 128, BLOCK_M: 128, BLOCK_N: 64, STAGES: 4, ORDERED: 1, BOLD: 1, SELF: 1, CHAINED: 1 },
    // Sections of one, two or three heads.
    { ...base, DEPTH: 64, BLOCK_M: 128, BLOCK_N: 64, STAGES: 4, ORDERED: 1, BOLD: 1, L2_ROOM: 200_000 },
  ];
  // Under a mask it is chance which thread block computes a tile, and after which other one.
  const orders = [
    { PAWL_EMULATOR_COPIES: 'early', PAWL_EMULATOR_PROCESSORS: '2' },
    { PAWL_EMULATOR_COPIES: 'late', PAWL_EMULATOR_PROCESSORS: '3' },
  ];
  test.each(variants)(
    'agrees with the oracle on the emulator, whether copies land early or late, and with itself under a mask: %o',
    async (variant) => {
      const library = join(directory, `${Object.values(variant).join('-')}.so`);
      await compileEmulated(SOURCE, 'hopper-instructions.h', variant, library);
      const cases = casesOf(variant.DEPTH);
      const digests: string[][] = [];
      for (const order of orders) {
        const results = await checkAttention(programs, library, 'f16', cases, order);
        expect(results).toHaveLength(cases.length);
        for (const [i, result] of results.entries()) expect(result, cases[i]).toMatchObject(RIGHT);
        digests.push(results.filter((_, i) => isCausal(cases[i])).map(({ digest }) => digest));
      }
      expect(digests[0]).toEqual(digests[1]);
    },
    300_000,
  );

  test.each([
    { counters: {}, lastBlocks: 3 },
    { counters: { COUNTERS: 64 }, lastBlocks: 10 }, // a thread block for each of ten tiles: there is no counter left
  ])(
    'computes right what graphs captured 1,024 launches apart run at a time: %o',
    async ({ counters, lastBlocks }) => {
      const shape = { DEPTH: 64, BLOCK_M: 64, BLOCK_N: 64, STAGES: 2, BLOCKS_PER_SM: 3, ORDERED: 0 };
      const program = join(directory, `apart-${lastBlocks}`);
      await compileLaunchesApart({ ...base, ...shape, ...counters }, program);
      const { stdout } = await run(program, ['1025'], '', { PAWL_EMULATOR_PROCESSORS: '1' });
      expect(JSON.parse(stdout)).toEqual({
        first_blocks: 3,
        last_blocks: lastBlocks,
        first_right: true,
        last_right: true,
      });
    },
    120_000,
  );

  test.skipIf(!hasNvcc).each(kernels)(
    'compiles for $kernel without warnings, spills or serialized products, each tunable with other machine code',
    async ({ kernel, depth }) => {
      const standard = await defaultVariant(kernel);
      const others: Record<string, Variant> = {
        BLOCK_M: depth === 64 ? { BLOCK_M: 192 } : { BLOCK_M: 64, BLOCK_N: 64, STAGES: 2, BLOCKS_PER_SM: 2 },
        BLOCK_N: depth === 64 ? { BLOCK_M: 192, BLOCK_N: 96 } : { BLOCK_N: 128, STAGES: 2 },
        STAGES: { STAGES: depth === 64 ? 6 : 3 },
        BLOCKS_PER_SM: { BLOCK_M: 64, BLOCK_N: 48, STAGES: 2, BLOCKS_PER_SM: 2 },
        ORDERED: { ORDERED: 0 },
        RESIDENT: { RESIDENT: 1 },
        BOLD: { BOLD: 0 },
        POLY: { POLY: 8 },
        CHAINED: { CHAINED: 1 },
        SELF: { SELF: 1 },
      };
      expect(Object.keys(others).sort()).toEqual(Object.keys(await tunablesOf(kernel)).sort());
      const codes = new Set<string>();
      for (const change of [{}, ...Object.values(others)]) {
        const variant = { ...standard, ...change };
        // What is compiled here is a variant that pawl.yaml lets through.
        expect(planKernel(loaded, kernel, { variant }).variant).toEqual(variant);
        const { code, report } = await compiled({ ...variant, DEPTH: depth });
        codes.add(code);
        expect(report, JSON.stringify(variant)).not.toMatch(/Potential Performance Loss|warning/);
        const spills = [...report.matchAll(/(\d+) bytes spill stores, (\d+) bytes spill loads/g)];
        expect(spills).toHaveLength(2); // causal and not
        for (const [, stores, loads] of spills)
          expect([stores, loads], JSON.stringify(variant)).toEqual(['0', '0']);
      }
      expect(codes.size).toBe(1 + Object.keys(others).length);
    },
    600_000,
  );
});
