import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  ATTENTION,
  RIGHT,
  checkAttention,
  compileChecker,
  compileEmulated,
  compileOracle,
} from './attention-toolchain.ts';

let directory: string;
let programs: { checker: string; oracle: string };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pawl-attention-oracle-'));
  programs = { checker: join(directory, 'check'), oracle: join(directory, 'oracle.so') };
  await Promise.all([compileChecker(programs.checker), compileOracle(programs.oracle)]);
}, 120_000);

afterAll(() => rm(directory, { recursive: true, force: true }));

const CASES = [
  '2 2 20 64 0 normal 1',
  '1 2 33 64 1 normal 2',
  '1 1 300 16 1 normal 3',
  '1 1 270 200 0 normal 4',
  '2 2 5 7 1 normal 5',
  '1 1 1 1 0 normal 6',
  '1 2 40 64 1 huge 7',
  '1 2 40 64 1 masked 8',
];

/** The checker calls `pawl_run`; a macro gives that name to the function that is to be tested. */
async function compiled(function_: string): Promise<string> {
  const library = join(directory, `${function_}.so`);
  const variant = { [function_]: 'pawl_run' };
  await compileEmulated(join(ATTENTION, 'oracle.cu'), 'shuffle-instructions.h', variant, library);
  return library;
}

describe('the attention oracle for the GPU', () => {
  test('agrees with the one for the CPU', async () => {
    const results = await checkAttention(programs, await compiled('pawl_oracle'), 'f32', CASES);
    expect(results).toHaveLength(CASES.length);
    for (const [i, result] of results.entries()) expect(result, CASES[i]).toMatchObject(RIGHT);
  }, 240_000);

  test.each(['f32', 'f16'] as const)(
    'has a reference in %s that is as exact as its type allows',
    async (dtype) => {
      const results = await checkAttention(programs, await compiled('pawl_reference'), dtype, CASES);
      expect(results).toHaveLength(CASES.length);
      for (const [i, result] of results.entries()) expect(result, CASES[i]).toMatchObject(RIGHT);
    },
    240_000,
  );
});
