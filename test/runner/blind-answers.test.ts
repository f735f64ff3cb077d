import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { blindTolerance } from '../../src/model/correctness/blind-tolerance.ts';
import type { ResultOf } from '../../src/model/measure/protocol.ts';
import { builtRunner, compileLibrary } from './native-build.ts';
import { RawRunner } from './raw-runner.ts';

const BUILD_MS = 400_000;
/** What a problem has that says nothing (src/config/problem-schema.ts). */
const DEFAULT = { atol: 2e-3, rtol: 1e-3 };
const EXACT = { atol: 0, rtol: 0 };

let folder: string;
let built: string;
let problems: string;
let withReference: string;
let farReference: string;
let runner: RawRunner | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-blind-'));
  built = await builtRunner();
  problems = await compileLibrary('test/fixtures/blind/problems.cpp', join(folder, 'problems.so'), ['-O2']);
  const flags = ['-O2', '-DWITH_REFERENCE'];
  withReference = await compileLibrary(
    'test/fixtures/blind/problems.cpp',
    join(folder, 'reference.so'),
    flags,
  );
  farReference = await compileLibrary('test/fixtures/blind/problems.cpp', join(folder, 'far.so'), [
    '-O2',
    '-DFAR_REFERENCE',
  ]);
}, BUILD_MS);

afterEach(() => runner?.kill());
afterAll(() => rm(folder, { recursive: true, force: true }));

type Fields = Readonly<Record<string, unknown>>;

const f = (
  name: string,
  role: string,
  shape: readonly number[],
  dtype = 'f32',
  fill: Fields = {},
): Fields => ({
  name,
  role,
  dtype,
  shape,
  fill: { kind: 'normal', ...fill },
});
const x = (shape: readonly number[], dtype?: string, fill?: Fields) => f('x', 'input', shape, dtype, fill);
const y = (shape: readonly number[], dtype?: string) => f('y', 'output', shape, dtype);

/** The problem as a kernel, judged by itself. */
async function check(
  problem: string,
  tensors: readonly Fields[],
  tolerance: Fields,
  extra: Fields = {},
): Promise<ResultOf<'check'>> {
  runner?.kill();
  const started = new RawRunner(built);
  runner = started;
  await started.open(problems, { kernel: { library: problems, function: problem } });
  await started.result('prepare', { case: 'one', dims: [], tensors, variant: {}, seed: '3', sets: 1 });
  const oracle = { library: problems, function: problem };
  return started.result('check', { oracle, ...tolerance, seed: '7', blind: true, ...extra });
}

const answersOf = ({ blind = [] }: ResultOf<'check'>) => blind.map(({ answer }) => answer);
const INTEGERS = (low: number, high: number) => ({ kind: 'integers', low, high });

describe('a tolerance that is blind', () => {
  const softmax = [x([2, 131_072], 'f16'), y([2, 131_072], 'f16')];
  const tokens = [x([8, 65_536]), y([8])];
  const numbers = [x([1001]), y([1001])];
  const inout = [x([1001]), f('y', 'inout', [1001])];

  it.each<[string, string, readonly Fields[], Fields, readonly string[]]>([
    [
      'an f16 softmax over 131,072 columns, with the default',
      'softmax',
      softmax,
      DEFAULT,
      ['zeros', 'constant', 'half of the sum', 'other inputs', 'half of the inputs'],
    ],
    [
      'a loss that hardly depends on its inputs',
      'log_sum_exp',
      tokens,
      DEFAULT,
      ['constant', 'other inputs'],
    ],
    ['a kernel that hardly changes its input', 'almost_the_same', numbers, DEFAULT, ['input x']],
    ['a kernel that hardly changes its inout', 'accumulate', inout, DEFAULT, ['input y']],
    [
      'bits of which every one may be wrong',
      'is_positive',
      [x([1001]), y([1001], 'u8')],
      { atol: 1, rtol: 0 },
      ['zeros', 'constant', 'other inputs', 'half of the inputs'],
    ],
    [
      'small numbers among NaN',
      'small_root',
      numbers,
      DEFAULT,
      ['zeros', 'constant', 'half of the sum', 'half of the inputs'],
    ],
    ['a tolerance of more than half', 'tripled', numbers, { atol: 0, rtol: 0.6 }, ['half of the sum']],
  ])(
    'is found out for %s, and what it suggests sees',
    async (_what, problem, tensors, tolerance, answers) => {
      const result = await check(problem, tensors, tolerance);
      expect(result).toMatchObject({ passed: true, tampering: [] });
      expect(answersOf(result)).toEqual(expect.arrayContaining([...answers]));
      for (const { tensor, max_abs_err } of result.blind ?? []) {
        expect(tensor).toBe('y');
        expect(max_abs_err).toBeGreaterThan(0);
      }
      const { atol, rtol, factor } = result.blind![0]!;
      const suggested = { atol, rtol, ...(factor === undefined ? {} : { factor }) };
      expect(await check(problem, tensors, suggested)).toMatchObject({
        passed: true,
        tampering: [],
        blind: [],
      });
    },
  );

  it('suggests several times the error of the reference', async () => {
    const oracle = { library: withReference, function: 'softmax' };
    const { blind = [] } = await check('softmax', softmax, DEFAULT, { oracle });
    // pawl_reference is off by 5e-6 in one place, and rounds to steps of 6e-8.
    expect(blind[0]?.atol).toBeGreaterThan(1.9e-5);
    expect(blind[0]?.atol).toBeLessThan(2.2e-5);
    expect(blind[0]?.rtol).toBe(1e-3);
  });

  it('is mended by one that all outputs can keep, where only one of them was not seen', async () => {
    const tensors = [x([64, 4096]), y([64]), f('n', 'output', [64], 'i32')];
    const result = await check('sum_and_count', tensors, { atol: 2e-3, rtol: 5e-2 });
    expect([...new Set(result.blind?.map(({ tensor }) => tensor))]).toEqual(['n']);
    const { atol, rtol } = result.blind![0]!;
    // Exact counts alone would be 0 and 0, and no sum of 4096 numbers is exact.
    expect(rtol).toBeGreaterThan(0);
    expect(await check('sum_and_count', tensors, { atol, rtol })).toMatchObject({ passed: true, blind: [] });
  });

  it('is that of one output, and mended there, where it has its own', async () => {
    const tensors = [x([64, 4096]), y([64]), f('n', 'output', [64], 'i32')];
    const sum = { atol: 2e-3, rtol: 1e-5 };
    const result = await check('sum_and_count', tensors, { ...sum, outputs: { n: { atol: 1e3, rtol: 0 } } });
    expect([...new Set(result.blind?.map(({ tensor, own }) => `${tensor} ${own}`))]).toEqual(['n true']);
    const { atol, rtol } = result.blind![0]!;
    expect([atol, rtol]).toEqual([0, 0]);
    const mended = { ...sum, outputs: { n: { atol, rtol } } };
    expect(await check('sum_and_count', tensors, mended)).toMatchObject({ passed: true, blind: [] });
  });

  it('may be a share that excuses everything that is not zero', async () => {
    const tensors = [x([16, 1024]), y([16, 1024])];
    const result = await check('one_hot', tensors, { ...EXACT, share: 0.99 });
    expect(answersOf(result)).toEqual(expect.arrayContaining(['zeros', 'constant', 'other inputs']));
    expect(result.blind?.[0]).toMatchObject({ share: 1, own: true });
    expect(await check('one_hot', tensors, EXACT)).toMatchObject({ passed: true, blind: [] });
  });

  it('may be a share that one constant satisfies', async () => {
    const most = [x([64, 64], 'f32', { kind: 'spikes', low: 7, high: -100 }), y([64, 64])];
    const result = await check('tripled', most, { ...EXACT, share: 0.98 });
    expect(answersOf(result)).toContain('constant');
  });

  it('may be a factor that excuses everything', async () => {
    const oracle = { library: withReference, function: 'softmax' };
    const result = await check('softmax', softmax, { ...EXACT, factor: 1e3 }, { oracle });
    expect(answersOf(result)).toEqual(expect.arrayContaining(['zeros', 'constant', 'other inputs']));
    expect(result.blind?.[0]).toMatchObject({ factor: 4 });
    const suggested = { atol: 0, rtol: result.blind![0]!.rtol, factor: 4 };
    expect(await check('softmax', softmax, suggested, { oracle })).toMatchObject({ passed: true, blind: [] });
  });

  it('cannot be mended where the reference is off by as much as it computes', async () => {
    const oracle = { library: farReference, function: 'tripled' };
    const result = await check('tripled', numbers, { ...EXACT, factor: 4 }, { oracle });
    expect(result.passed).toBe(true);
    expect(result.blind?.[0]).toMatchObject({ answer: 'zeros', tensor: 'y', imprecise: true });
    expect(result.blind?.[0]).not.toHaveProperty('atol');
    const found = blindTolerance(result);
    expect(found?.message).toMatch(/own error is as large as what it computes: zeros,/);
    expect(found?.remedy).toMatch(/no tolerance helps/);
  });

  it('is not looked for unless that is asked for', async () => {
    expect((await check('softmax', softmax, DEFAULT, { blind: false })).blind).toBeUndefined();
  });

  it('does not matter where the kernel is wrong', async () => {
    const oracle = { library: problems, function: 'tripled' };
    const result = await check('copy', numbers, DEFAULT, { oracle });
    expect(result.passed).toBe(false);
    expect(result.blind).toBeUndefined();
  });
});

describe('an honest problem whose right answer looks like one that needs no work', () => {
  const numbers = [x([1001]), y([1001])];

  it.each<[string, string, readonly Fields[], Fields]>([
    ['a copy', 'copy', numbers, DEFAULT],
    ['a copy in a narrower type', 'copy', [x([1001]), y([1001], 'bf16')], { atol: 1e-2, rtol: 1e-2 }],
    ['a copy of integers', 'copy', [x([1001], 'i64', INTEGERS(-9, 9)), y([1001], 'i64')], EXACT],
    [
      'a clamp that clamps nothing',
      'relu',
      [x([1001], 'f32', { kind: 'uniform', low: 0, high: 1 }), y([1001])],
      DEFAULT,
    ],
    ['zeros', 'nothing', numbers, DEFAULT],
    ['one number everywhere', 'seven', numbers, DEFAULT],
    [
      'the same whatever the inputs',
      'tripled',
      [x([1001], 'f32', { kind: 'constant', value: 2 }), y([1001])],
      DEFAULT,
    ],
    ['one number', 'sum', [x([1, 4096]), y([1])], DEFAULT],
    ['one index', 'largest_at', [x([1, 64]), y([1], 'i32')], EXACT],
    ['indices', 'largest_at', [x([64, 64]), y([64], 'i32')], DEFAULT],
    ['mostly zeros', 'one_hot', [x([64, 64]), y([64, 64], 'f16')], DEFAULT],
    ['counts', 'histogram', [x([4096], 'u8', INTEGERS(0, 255)), y([4], 'i32')], EXACT],
    ['bits', 'is_positive', [x([1001]), y([1001], 'u8')], EXACT],
    ['nothing but NaN', 'not_a_number', numbers, DEFAULT],
    ['a sum into an inout', 'accumulate_all', [x([1001]), f('y', 'inout', [1001])], DEFAULT],
    [
      'rows that are nearly normal before',
      'normalise',
      [x([64, 1024], 'f16'), y([64, 1024], 'f16')],
      DEFAULT,
    ],
    ['a softmax of few columns', 'softmax', [x([64, 512], 'f16'), y([64, 512], 'f16')], DEFAULT],
  ])('is not called blind: %s', async (_what, problem, tensors, tolerance) => {
    expect(await check(problem, tensors, tolerance)).toMatchObject({
      passed: true,
      tampering: [],
      blind: [],
    });
  });

  it('is a note where no tolerance could tell, and the fill is to blame', async () => {
    const tensors = [x([16, 65_536], 'f32', { kind: 'uniform', low: 0, high: 1 }), y([16], 'bf16')];
    const result = await check('sum', tensors, { atol: 0, rtol: 2e-2 });
    expect(result).toMatchObject({ passed: true, blind: [] });
    expect(result.notes?.join('\n')).toMatch(/\(other inputs for 'y'\).*no tolerance tells them apart/);
  });

  it('is judged by what can be tried where the oracle refuses zeros', async () => {
    const oracle = { library: problems, function: 'refuses_zero' };
    const result = await check('tripled', numbers, { atol: 0, rtol: 0.6 }, { oracle });
    expect(answersOf(result)).toEqual(['half of the sum']);
    expect(result.notes?.join('\n')).toMatch(/not tried on the outputs of other inputs: .* returned 9/);
  });
});
