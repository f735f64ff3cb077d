import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import type { Answer } from '../../src/model/measure/protocol.ts';
import { builtRunner, compile, compileParts, compilePlain } from './native-build.ts';
import { RawRunner } from './raw-runner.ts';

const KERNELS = 'test/fixtures/kernels';
const ELEMENTS = 1001;

let folder: string;
let executable: string;
let runner: RawRunner | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-native-'));
  executable = await builtRunner();
}, 400_000);

afterEach(() => runner?.kill());
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Builds a fixture kernel once. */
const built = new Map<string, Promise<string>>();
function library(name: string): Promise<string> {
  const path = join(folder, `${basename(name)}.so`);
  const building = built.get(name) ?? compilePlain(['-shared', '-fPIC', join(KERNELS, `${name}.cpp`)], path);
  built.set(name, building);
  return building;
}

function start(): RawRunner {
  runner = new RawRunner(executable);
  return runner;
}

async function opened(kernel: string): Promise<RawRunner> {
  const started = start();
  expect(await started.open(await library(kernel))).toMatchObject({ ok: true, seq: 1 });
  return started;
}

const tensor = (name: string, role: string, extra: object = {}): object => ({
  name,
  role,
  dtype: 'f32',
  shape: [ELEMENTS],
  fill: { kind: 'normal' },
  ...extra,
});

const PREPARE = {
  case: 'small',
  dims: [{ name: 'N', value: ELEMENTS }],
  tensors: [tensor('x', 'input'), tensor('y', 'output')],
  variant: {},
  seed: '18446744073709551615',
};
const SAMPLE = { mode: 'hot', count: 3, budget_ms: 10_000, timing: 'blocked' };

async function prepared(kernel: string): Promise<RawRunner> {
  const started = await opened(kernel);
  await started.result('prepare', PREPARE);
  return started;
}

async function checked(kernel: string) {
  const started = await prepared(kernel);
  const oracle = { library: await library('oracle') };
  return started.result('check', { oracle, atol: 1e-3, rtol: 0, seed: '7' });
}

const errorOf = (answer: Answer) => (answer.ok ? undefined : answer.error);

describe("the runner's sources", () => {
  it('compile without warnings', async () => {
    await expect(compileParts(join(folder, 'parts.o'))).resolves.toBeDefined();
    for (const main of ['runner/src/main.cpp', 'runner/src/sandbox/main.cpp']) {
      await expect(compile(['-c', main], join(folder, 'main.o'))).resolves.toBeDefined();
    }
  }, 400_000);
});

describe('a right kernel', () => {
  it('is opened, prepared, checked, sampled in both modes and profiled, and the process ends with 0', async () => {
    const started = start();
    await started.open(await library('right'));
    const ready = await started.result('prepare', PREPARE);
    expect(ready).toMatchObject({ bytes_per_set: 2 * 4 * ELEMENTS, workspace_bytes: 100 });
    const oracle = { library: await library('oracle') };
    expect(await started.result('check', { oracle, atol: 0, rtol: 0, seed: '7' })).toMatchObject({
      passed: true,
      oracle: 'oracle.so',
      tensors: [{ name: 'y', elements: ELEMENTS, mismatches: 0, max_abs_err: 0 }],
      tampering: [],
    });
    const hot = await started.result('sample', SAMPLE);
    expect(hot.samples_ms).toHaveLength(3);
    expect(hot).toMatchObject({ timing: 'host', tampering: [] });
    const cold = await started.result('sample', { ...SAMPLE, mode: 'cold', count: 2 });
    expect(cold).toMatchObject({ batch: 1, tampering: [] });
    expect(cold.samples_ms).toHaveLength(2);
    expect(await started.result('profile', { launches: 2 })).toEqual({ launches: 2 });
    await started.result('state');
    await started.result('quit');
    expect(await started.ended).toBe(0);
  });

  it('stops at its budget with at least one sample', async () => {
    const started = await prepared('right');
    const answer = await started.result('sample', {
      ...SAMPLE,
      mode: 'cold',
      count: 1_000_000,
      budget_ms: 1,
    });
    expect(answer.samples_ms.length).toBeGreaterThanOrEqual(1);
    expect(answer.samples_ms.length).toBeLessThan(1_000_000);
  });

  it('has no graph mode on a CPU', async () => {
    const started = await prepared('right');
    const answer = await started.ask({ op: 'sample', ...SAMPLE, mode: 'graph' });
    expect(errorOf(answer)?.code).toBe('unsupported');
  });
});

describe('a 16-bit input', () => {
  // IEEE 754 binary16 and bfloat16, to nearest, ties to even; what is too large is the largest number.
  it.each([
    ['f16', 0.1, 0.0999755859375],
    ['f16', 65_519, 65_504],
    ['f16', 65_520, 65_504],
    ['f16', -1e9, -65_504],
    ['f16', 2049, 2048],
    ['f16', 2051, 2052],
    ['f16', 2 ** -24, 2 ** -24],
    ['f16', 2 ** -25, 0],
    ['f16', -1.5 * 2 ** -24, -(2 ** -23)],
    ['bf16', 0.1, 0.10009765625],
    ['bf16', 257, 256],
    ['bf16', 259, 260],
    ['bf16', 1e39, 255 * 2 ** 120],
  ])('(%s) holds %d as %d', async (dtype, value, held) => {
    const started = await opened('zeros');
    const tensors = [
      tensor('x', 'input', { dtype, fill: { kind: 'constant', value } }),
      tensor('y', 'output'),
    ];
    await started.result('prepare', { ...PREPARE, tensors });
    const oracle = { library: await library('oracle') };
    const check = await started.result('check', { oracle, atol: 0, rtol: 0, seed: '7' });
    // The oracle doubles what the input holds; a kernel that writes zeros is off by all of it.
    const wanted = held === 0 ? 0 : check.tensors[0]?.worst?.want;
    expect(wanted).toBe(2 * held);
    expect(check.passed).toBe(held === 0);
  });
});

describe('what a check finds', () => {
  it.each(['unwritten-output', 'out-of-bounds-write', 'input-changed', 'nondeterministic'])(
    '%s is reported once, and the check fails',
    async (detector) => {
      const check = await checked(detector);
      expect(check.passed).toBe(false);
      const [found, ...others] = check.tampering;
      expect(found).toMatchObject({ detector, tensor: detector === 'input-changed' ? 'x' : 'y' });
      // What was not written is wrong as well.
      expect(others.map((other) => other.detector)).toEqual(
        detector === 'unwritten-output' ? ['wrong-result'] : [],
      );
    },
  );

  it('names the element that is furthest off', async () => {
    const check = await checked('wrong-result');
    expect(check).toMatchObject({ passed: false, tensors: [{ mismatches: 1 }] });
    expect(check.tampering).toMatchObject([
      {
        detector: 'wrong-result',
        tensor: 'y',
        message: expect.stringMatching(/^1 of 1001 .*worst at \[7\]: /),
      },
    ]);
    expect(check.tensors[0]?.worst?.index).toEqual([7]);
    expect(check.tensors[0]?.max_abs_err).toBeCloseTo(1, 5);
  });

  it('lets no NaN pass, and says that it is one', async () => {
    const check = await checked('nan-result');
    expect(check).toMatchObject({
      passed: false,
      tampering: [{ detector: 'wrong-result' }],
      tensors: [{ mismatches: 1, max_abs_err: null, rms_err: null, spread: { exact: 1000, nonfinite: 1 } }],
    });
    expect(check.tensors[0]?.worst).toMatchObject({ index: [3], got: 'nan' });
  });
});

describe('what a sample request finds', () => {
  it.each(['unwritten-output', 'out-of-bounds-write', 'input-changed'])(
    '%s is reported with the samples',
    async (detector) => {
      const started = await prepared(detector);
      const hot = await started.result('sample', SAMPLE);
      expect(hot.tampering).toMatchObject([{ detector }]);
      const cold = await started.result('sample', { ...SAMPLE, mode: 'cold', count: 1 });
      expect(cold.tampering).toMatchObject([{ detector }]);
    },
  );
});

describe('a judge that serves one candidate after another', () => {
  it('keeps the oracles apart that it loads for them', async () => {
    const started = start();
    const verdicts: boolean[] = [];
    for (const source of ['oracle', '../audit/tripled-oracle', 'oracle']) {
      const path = await library(source);
      const oracle = {
        library: path,
        sha256: createHash('sha256')
          .update(await readFile(path))
          .digest('hex'),
      };
      expect(await started.open(await library('right'))).toMatchObject({ ok: true });
      await started.result('prepare', PREPARE);
      const { passed } = await started.result('check', { oracle, atol: 1e-3, rtol: 0, seed: '7' });
      verdicts.push(passed);
      await started.result('close');
    }
    expect(verdicts).toEqual([true, false, true]);
  });
});

describe('a bad request', () => {
  it.each([
    ['garbage', 'no JSON at all'],
    ['a number', '17'],
    ['an unknown operation', '{"id":9,"op":"conquer"}'],
    ['a missing field', '{"id":9,"op":"sample","mode":"hot"}'],
    ['a wrong type', '{"id":9,"op":"profile","launches":"three"}'],
    ['a fraction for a count', '{"id":9,"op":"profile","launches":1.5}'],
    ['endless nesting', '['.repeat(100_000)],
    ['a second open', '{"id":9,"op":"open"}'],
  ])('(%s) is answered, and the runner goes on', async (_what, line) => {
    const started = await prepared('right');
    started.say(line);
    const answer = await started.nextAnswer();
    expect(errorOf(answer)?.code).toBe('bad-request');
    expect(answer.id).toBe(line.includes('"id":9') ? 9 : 0);
    expect((await started.result('sample', SAMPLE)).samples_ms).toHaveLength(3);
  });

  it.each([
    ['a shape with more elements than memory', { shape: [2 ** 40, 2 ** 40] }, 'bad-request'],
    ['a shape of nothing', { shape: [0] }, 'bad-request'],
    ['an unknown dtype', { dtype: 'f8' }, 'bad-request'],
    ['a tensor larger than the machine', { shape: [2 ** 44] }, 'out-of-memory'],
  ])('(%s) in prepare is refused with its reason', async (_what, extra, code) => {
    const started = await opened('right');
    const answer = await started.ask({ op: 'prepare', ...PREPARE, tensors: [tensor('x', 'input', extra)] });
    expect(errorOf(answer)?.code).toBe(code);
  });

  it('before open ends the process, since nothing could be signed', async () => {
    const started = start();
    started.say('{"id":1,"op":"state"}');
    expect(await started.ended).toBe(65);
    expect(started.printed).toContain('open');
    expect(started.unsigned).toEqual([]);
  });

  it('for sampling before prepare says what is missing', async () => {
    const started = await opened('right');
    expect(errorOf(await started.ask({ op: 'sample', ...SAMPLE }))?.message).toContain('prepare');
  });
});

describe('a library that cannot be used', () => {
  it.each([
    ['no such file', () => Promise.resolve('/nowhere/kernel.so'), '/nowhere/kernel.so'],
    ['no pawl_run', () => library('no-run'), 'pawl_run'],
  ])('(%s) fails to load with the name in the message', async (_what, path, expected) => {
    const answer = await start().open(await path());
    expect(errorOf(answer)).toMatchObject({
      code: 'load-failed',
      message: expect.stringContaining(expected),
    });
  });

  it('is refused on a device that this runner has not', async () => {
    const answer = await start().open(await library('right'), { device: 'cuda' });
    expect(errorOf(answer)?.code).toBe('unsupported');
  });
});

describe('a kernel that fails', () => {
  it('is reported in its own words, and as valid UTF-8', async () => {
    const started = await prepared('returned-error');
    expect(errorOf(await started.ask({ op: 'sample', ...SAMPLE }))).toEqual({
      code: 'kernel-failed',
      message: 'pawl_run returned 42: the tile does not fit \ufffd',
    });
  });

  it('by an exception is reported, and the runner goes on', async () => {
    const started = await prepared('thrown-exception');
    const error = errorOf(await started.ask({ op: 'sample', ...SAMPLE }));
    expect(error).toMatchObject({ code: 'kernel-failed', message: expect.stringContaining('no such tile') });
    await started.result('state');
  });

  it('by exit ends its own process, and the judge says so', async () => {
    const started = await prepared('exited');
    expect(errorOf(await started.ask({ op: 'sample', ...SAMPLE }))).toMatchObject({
      code: 'exited',
      message: expect.stringContaining('ended by itself with code 0'),
    });
  });

  it('by hanging does not outlive its orchestrator', async () => {
    const started = await prepared('endless');
    started.ask({ op: 'sample', ...SAMPLE }).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
    started.hangUp();
    expect(await started.ended).toBe(0);
  });
});

describe('the result channel', () => {
  it('carries nothing of what a kernel prints', async () => {
    const started = await prepared('printed-answers');
    const { samples_ms } = await started.result('sample', SAMPLE);
    expect(samples_ms).toHaveLength(3);
    expect(started.unsigned).toEqual([]);
    // Two pipes have no order between them: the print may arrive after the answer.
    await vi.waitFor(() => expect(started.printed).toContain('"samples_ms":[0.000001]'));
  });

  it('is out of reach of a kernel that writes to every descriptor', async () => {
    const started = await prepared('forged-answers');
    const answer = await started.ask({ op: 'sample', ...SAMPLE });
    expect(errorOf(answer)).toMatchObject({ code: 'forged' });
    expect(started.unsigned).toEqual([]);
  });
});
