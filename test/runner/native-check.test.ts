import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { ResultOf } from '../../src/model/measure/protocol.ts';
import { builtRunner, compileDriver, compileLibrary } from './native-build.ts';
import { RawRunner } from './raw-runner.ts';

const FIXTURES = 'test/fixtures/checks';
const BUILD_MS = 400_000;

let folder: string;
let built: string;
let kernels: string;
let oracle: string;
let runner: RawRunner | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-check-'));
  built = await builtRunner();
  kernels = await compileLibrary(join(FIXTURES, 'kernels.cpp'), join(folder, 'kernels.so'));
  oracle = await compileLibrary(join(FIXTURES, 'oracle.cpp'), join(folder, 'oracle.so'));
}, BUILD_MS);

afterEach(() => runner?.kill());
afterAll(() => rm(folder, { recursive: true, force: true }));

const tensor = (name: string, role: string, extra: object = {}): object => ({
  name,
  role,
  dtype: 'f32',
  shape: [1001],
  fill: { kind: 'normal' },
  ...extra,
});

function prepareRequest(tensors: readonly object[] = [tensor('x', 'input'), tensor('y', 'output')]): Fields {
  return { case: 'small', dims: [], tensors, variant: {}, seed: '3', sets: 1 };
}
type Fields = Readonly<Record<string, unknown>>;

async function opened(function_: string): Promise<RawRunner> {
  runner = new RawRunner(built);
  const answer = await runner.open(kernels, { kernel: { library: kernels, function: function_ } });
  expect(answer).toMatchObject({ ok: true });
  return runner;
}

async function check(
  function_: string,
  fields: Fields = {},
  tensors?: readonly object[],
): Promise<ResultOf<'check'>> {
  const started = await opened(function_);
  await started.result('prepare', prepareRequest(tensors));
  return started.result('check', { oracle: { library: oracle }, atol: 1e-2, rtol: 0, seed: '7', ...fields });
}

const detectorsOf = (result: ResultOf<'check'>) => result.tampering.map(({ detector }) => detector);

describe('a check of a right kernel', () => {
  it('passes however often it is asked, and says where the time went', async () => {
    const started = await opened('right');
    await started.result('prepare', prepareRequest());
    for (const audit of [false, true, false]) {
      const fields = { oracle: { library: oracle }, atol: 1e-6, rtol: 1e-6, seed: '7', audit };
      const result = await started.result('check', fields);
      expect(result).toMatchObject({ passed: true, tampering: [] });
      const { kernel = 0, oracle: oracleMs = 0, total = 0 } = result.cost_ms ?? {};
      expect(total).toBeGreaterThanOrEqual(kernel + oracleMs);
    }
  });

  it('counts every element of an output in its spread', async () => {
    const { tensors } = await check('right');
    const { exact = 0, decades = [], nonfinite = 0 } = tensors[0]?.spread ?? {};
    expect(nonfinite).toBe(0);
    expect(exact + decades.reduce((sum, { count }) => sum + count, 0)).toBe(1001);
    // Rounded once: whatever differs from the oracle is the nearest f32 to it.
    expect(exact).toBe(1001);
    expect(tensors[0]?.worst?.index).toHaveLength(1);
    expect(tensors[0]?.rms_err).toBeGreaterThan(0);
  });
});

describe('a share of elements that must be within the tolerance', () => {
  it('excuses so many others, and says how many they were', async () => {
    const result = await check('few_wrong', { share: 0.99 });
    expect(result).toMatchObject({ passed: true, tensors: [{ mismatches: 0, excused: 10 }] });
  });

  it('excuses no more than that', async () => {
    const result = await check('few_wrong', { share: 0.995 });
    expect(result).toMatchObject({ passed: false, tensors: [{ mismatches: 10 }] });
    expect(result.tensors[0]?.excused).toBeUndefined();
  });

  it('never excuses a NaN where a number is right', async () => {
    expect(await check('one_nan', { share: 0.5 })).toMatchObject({
      passed: false,
      tensors: [{ mismatches: 1 }],
    });
  });

  it('may be that of one output', async () => {
    const strict = { atol: 1e-2, rtol: 0 };
    expect(await check('few_wrong', { outputs: { y: { ...strict, share: 0.99 } } })).toMatchObject({
      passed: true,
    });
    expect(await check('few_wrong', { share: 0.99, outputs: { y: strict } })).toMatchObject({
      passed: false,
    });
  });

  it.each([{ share: 0 }, { share: 1.1 }, { outputs: { z: { atol: 0, rtol: 0 } } }])(
    'is refused as %j',
    async (fields) => {
      const started = await opened('right');
      await started.result('prepare', prepareRequest());
      const rules = { oracle: { library: oracle }, atol: 0, rtol: 0, seed: '7', ...fields };
      expect(await started.ask({ op: 'check', ...rules })).toMatchObject({
        ok: false,
        error: { code: 'bad-request' },
      });
    },
  );
});

describe('guard bytes', () => {
  it.each(['reads_after', 'reads_before'])('show a kernel that %s its input', async (name) => {
    const result = await check(name);
    expect(result.passed).toBe(false);
    expect(result.tampering[0]).toMatchObject({ detector: 'out-of-bounds-read', tensor: 'y' });
  });

  it.each(['random_result', 'takes_turns', 'settles_down'])(
    'do not explain a result that differs anyway: %s',
    async (name) => {
      expect(detectorsOf(await check(name))).toEqual(['nondeterministic']);
    },
  );
});

describe('a kernel that is said to be nondeterministic', () => {
  it('passes while every result is right', async () => {
    expect(await check('random_result', { nondeterministic: true })).toMatchObject({ passed: true });
  });

  it('fails when the second result is wrong', async () => {
    const result = await check('random_result', { nondeterministic: true, atol: 1e-5 });
    expect(detectorsOf(result)).toEqual(['wrong-result']);
  });
});

describe('other contents at the same addresses', () => {
  it('show a result that is kept by address', async () => {
    const result = await check('cached_by_address');
    expect(result.passed).toBe(false);
    expect(result.tensors[0]?.mismatches).toBe(0);
    expect(detectorsOf(result)).toEqual(['cached-result']);
  });

  it('do not make a cache of a constant', async () => {
    expect(detectorsOf(await check('constant'))).toEqual(['wrong-result']);
  });

  it('are no alarm where the right result is the same', async () => {
    const tensors = [tensor('x', 'input', { fill: { kind: 'constant', value: 2 } }), tensor('y', 'output')];
    expect(await check('cached_by_address', {}, tensors)).toMatchObject({ passed: true });
  });
});

describe('a kernel that writes after it returned', () => {
  it('is seen by an audit, which looks again later', async () => {
    const result = await check('writes_later', { audit: true });
    expect(detectorsOf(result)).toContain('late-write');
  });

  it('is seen without one, since its output is not written when it returns', async () => {
    expect((await check('writes_later')).passed).toBe(false);
  });
});

describe('a reference in the same precision', () => {
  it('shows a kernel that computes with fewer bits, although all is within tolerance', async () => {
    const result = await check('rounds_inputs', { factor: 4 });
    expect(result.tensors[0]?.mismatches).toBe(0);
    expect(detectorsOf(result)).toEqual(['precision-lowered']);
    expect(result.tensors[0]?.reference?.rms_err).toBeGreaterThan(0);
  });

  it('excuses errors of its own size, whatever the tolerance', async () => {
    const result = await check('right', { factor: 4, atol: 0 });
    expect(result).toMatchObject({ passed: true, tampering: [] });
    expect(result.tensors[0]?.reference?.max_abs_err).toBe(result.tensors[0]?.max_abs_err);
    expect(await check('right', { atol: 0 })).toMatchObject({ passed: false });
  });

  it('is not run where no factor is given', async () => {
    const result = await check('rounds_inputs');
    expect(result).toMatchObject({ passed: true });
    expect(result.tensors[0]?.reference).toBeUndefined();
  });

  it('runs as a kernel too', async () => {
    const started = new RawRunner(built);
    runner = started;
    await started.open(oracle, { kernel: { library: oracle, function: 'pawl_reference' } });
    await started.result('prepare', prepareRequest());
    const fields = { oracle: { library: oracle }, atol: 1e-6, rtol: 0, seed: '7' };
    expect(await started.result('check', fields)).toMatchObject({ passed: true });
  });
});

describe('the worst element', () => {
  const shape = [5, 6, 7];
  const cube = [tensor('x', 'input', { shape }), tensor('y', 'output', { shape })];

  it('comes with its neighbours along each axis, nearest first', async () => {
    const { tensors } = await check('one_wrong', {}, cube);
    const worst = tensors[0]?.worst;
    expect(worst?.index).toEqual([2, 3, 0]);
    expect(Number(worst?.got) - Number(worst?.want)).toBeCloseTo(100, 3);
    expect(worst?.neighbours?.map(({ index }) => index)).toEqual([
      [2, 3, 1],
      [2, 3, 2],
      [2, 2, 0],
      [2, 4, 0],
      [1, 3, 0],
      [3, 3, 0],
    ]);
    for (const { got, want } of worst?.neighbours ?? []) expect(Number(got)).toBeCloseTo(Number(want), 4);
  });

  it('is named in a finding', async () => {
    const [found] = (await check('one_wrong', {}, cube)).tampering;
    expect(found).toMatchObject({ detector: 'wrong-result', tensor: 'y' });
    expect(found?.message).toMatch(
      /^1 of 210 elements of 'y' differ from oracle\.so; worst at \[2, 3, 0\]: \S+ where \S+ is right$/,
    );
  });

  it('may be an infinity', async () => {
    const { tensors } = await check('one_infinite', {}, cube);
    expect(tensors[0]).toMatchObject({ mismatches: 1, spread: { nonfinite: 1 }, worst: { got: '-inf' } });
  });

  it.each([
    [60_000, true],
    [100, false],
  ])(
    'is no infinity of an f16 output where the right value, three times %d, rounds to it: %s',
    async (value, passed) => {
      const fill = { kind: 'constant', value };
      const tensors = [tensor('x', 'input', { fill }), tensor('y', 'output', { dtype: 'f16' })];
      expect((await check('half_infinity', {}, tensors)).passed).toBe(passed);
    },
  );
});

describe('the oracle', () => {
  it('is the function that the request names', async () => {
    const result = await check('right', { oracle: { library: oracle, function: 'identity' } });
    expect(detectorsOf(result)).toEqual(['wrong-result']);
  });

  it.each([
    ['a function it has not', { function: 'nowhere' }, 'load-failed', 'nowhere'],
    ['device memory on a CPU', { memory: 'device' }, 'unsupported', 'device memory'],
    ['memory of no kind', { memory: 'moon' }, 'bad-request', 'moon'],
  ])('is refused with %s, and the next check works', async (_what, extra, code, message) => {
    const started = await opened('right');
    await started.result('prepare', prepareRequest());
    const fields = { op: 'check', atol: 1e-6, rtol: 0, seed: '7' };
    const refused = await started.ask({ ...fields, oracle: { library: oracle, ...extra } });
    expect(refused).toMatchObject({ ok: false, error: { code, message: expect.stringContaining(message) } });
    expect(await started.ask({ ...fields, oracle: { library: oracle } })).toMatchObject({
      ok: true,
      result: { passed: true },
    });
  });
});

describe('a kernel function', () => {
  it('that the library has not is named in the refusal', async () => {
    runner = new RawRunner(built);
    expect(await runner.open(kernels, { kernel: { library: kernels, function: 'absent' } })).toMatchObject({
      ok: false,
      error: { code: 'load-failed', message: expect.stringContaining('absent') },
    });
  });
});

describe('fresh contents', () => {
  it(
    'change a few elements by their key and are put back',
    async () => {
      const driver = await compileDriver(join(FIXTURES, 'freshen.cpp'), join(folder, 'freshen'));
      const library = await compileLibrary(join(FIXTURES, 'add-one.cpp'), join(folder, 'add-one.so'));
      const { stdout } = await promisify(execFile)(driver, [library]);
      expect(stdout).toBe('');
    },
    BUILD_MS,
  );
});

describe('a sanitized runner', () => {
  it(
    'lets AddressSanitizer see the first byte after a tensor, and nothing else',
    async () => {
      const flags = ['-fsanitize=address', '-g'];
      const executable = await builtRunner(['address', 'undefined']);
      const source = join(FIXTURES, 'one-too-far.cpp');
      const far = await compileLibrary(source, join(folder, 'far.so'), [...flags, '-DTOO_FAR']);
      const near = await compileLibrary(source, join(folder, 'near.so'), flags);
      const bytes = { dtype: 'u8', shape: [13], fill: { kind: 'integers', low: 0, high: 255 } };
      const tensors = [tensor('x', 'input', bytes), tensor('y', 'output', bytes)];
      const identity = { library: oracle, function: 'identity' };
      for (const [library, sound] of [
        [near, true],
        [far, false],
      ] as const) {
        const started = new RawRunner(executable);
        runner = started;
        await started.open(library, { sanitized: true });
        await started.result('prepare', prepareRequest(tensors));
        const asked = started.result('check', { oracle: identity, atol: 0, rtol: 0, seed: '7' });
        if (sound) expect(await asked).toMatchObject({ tensors: [{ elements: 13 }] });
        else await expect(asked).rejects.toThrow(/crashed|exited/);
        started.kill();
        await started.ended;
        expect(started.printed.includes('AddressSanitizer: use-after-poison')).toBe(!sound);
      }
    },
    BUILD_MS,
  );
});
