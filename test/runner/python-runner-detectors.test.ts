import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, describe, expect, test } from 'vitest';

import type { Code, ResultOf } from '../../src/model/measure/protocol.ts';
import type { Fill } from '../../src/model/problem/tensor.ts';
import type { RawClient } from '../contract/raw-client.ts';
import {
  openRequest,
  prepareRequest,
  rowsum,
  sampleRequest,
  tensor,
} from '../contract/runner-conformance.ts';
import { judgesForPython } from './judges-for-python.ts';

const ROOT = join(import.meta.dirname, '../..');
const FIXTURES = join(ROOT, 'test/fixtures/python-kernels');
const CONFORMANCE = join(ROOT, 'test/fixtures/conformance');
const ORACLE: Code = { module: join(CONFORMANCE, 'kernels.py'), function: 'rowsum_oracle' };
const RULES = { oracle: ORACLE, atol: 1e-4, rtol: 1e-4 };

const start = judgesForPython();

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

function dishonest(name: string): Code {
  return { module: join(FIXTURES, 'dishonest.py'), function: name };
}

function honest(name: string): Code {
  return { module: join(FIXTURES, 'honest.py'), function: name };
}

async function prepared(kernel: Code, problem: object = rowsum(8, 64)): Promise<RawClient> {
  const client = start();
  await client.result(openRequest(client, kernel));
  await client.result({ op: 'prepare', ...problem });
  return client;
}

function check(client: RawClient, more: object = {}): Promise<ResultOf<'check'>> {
  return client.result({ op: 'check', ...RULES, seed: '5', ...more });
}

function detectorsOf(result: { readonly tampering: readonly { readonly detector: string }[] }): string[] {
  return result.tampering.map((one) => one.detector);
}

describe('a check names what it found', () => {
  test.each([
    ['from_cache_by_address', 'cached-result'],
    ['the_same_array_again', 'cached-result'],
    ['reads_beside', 'out-of-bounds-read'],
    ['random_places', 'nondeterministic'],
  ])('"%s" is seen as %s', async (name, detector) => {
    const result = await check(await prepared(dishonest(name)));
    expect(result.passed).toBe(false);
    expect(detectorsOf(result)).toContain(detector);
  });

  test('results that differ within the tolerance are right where that is declared', async () => {
    const client = await prepared(dishonest('random_places'));
    expect(await check(client, { nondeterministic: true })).toMatchObject({ passed: true, tampering: [] });
  });

  test('integers that were not written are seen', async () => {
    const whole = { dtype: 'i32', fill: { kind: 'integers', low: 0, high: 9 } } as const;
    const problem = prepareRequest({ R: 8, C: 64 }, [
      tensor('x', 'input', [8, 64], whole),
      tensor('s', 'output', [8], whole),
    ]);
    const result = await check(await prepared(dishonest('integers_unwritten'), problem));
    expect(result.tampering[0]).toMatchObject({ detector: 'unwritten-output', tensor: 's' });
  });

  test('every mismatch is a wrong result, with the worst element among its neighbours and the spread', async () => {
    const client = await prepared({ module: join(CONFORMANCE, 'kernels.py'), function: 'wrong' });
    const { tampering, tensors, cost_ms } = await check(client);
    expect(tampering).toMatchObject([{ detector: 'wrong-result', tensor: 's' }]);
    expect(tampering[0]?.message).toMatch(
      /^1 of 8 elements of 's' differ from kernels\.py:rowsum_oracle; worst at \[2\]: \S+ where \S+ is right$/,
    );
    const neighbours = tensors[0]?.worst?.neighbours?.map((one) => one.index);
    expect(neighbours).toEqual([[1], [3], [0], [4]]);
    const spread = tensors[0]?.spread ?? { exact: 0, decades: [], nonfinite: 0 };
    const counted = spread.decades.reduce((sum, decade) => sum + decade.count, spread.exact);
    expect(counted + spread.nonfinite).toBe(8);
    // About 100.
    expect([1, 2]).toContain(spread.decades.at(-1)?.exponent);
    expect(cost_ms?.total).toBeGreaterThanOrEqual(cost_ms?.kernel ?? Infinity);
  });

  test('a long output, which is compared in parts, comes to the same as a short one', async () => {
    const rows = 300_001;
    const { tampering, tensors } = await check(await prepared(dishonest('wrong_in_places'), rowsum(rows, 2)));
    expect(tampering[0]?.message).toMatch(/^3 of 300001 elements of 's' .*; worst at \[200000\]: /);
    const [found] = tensors;
    expect(found?.max_abs_err).toBeCloseTo(3, 4);
    expect(found?.rms_err).toBeCloseTo(Math.sqrt((1 + 9 + 4) / rows), 6);
    expect(found?.worst?.neighbours?.map((one) => one.index)).toEqual([
      [199_999],
      [200_001],
      [199_998],
      [200_002],
    ]);
    const spread = found?.spread ?? { exact: 0, decades: [], nonfinite: 0 };
    expect(spread.decades.at(-1)).toEqual({ exponent: 0, count: 3 });
    expect(spread.decades.reduce((sum, decade) => sum + decade.count, spread.exact)).toBe(rows);
  });
});

describe('the reference', () => {
  const factor = { factor: 4, atol: 1, rtol: 1 };
  const oracle: Code = { ...ORACLE, reference: 'rowsum' };

  test('an error far above that of a trusted implementation is a lowered precision, however wide the tolerance', async () => {
    const client = await prepared(dishonest('in_half_precision'), rowsum(64, 512));
    expect(detectorsOf(await check(client, { oracle, ...factor }))).toEqual(['precision-lowered']);
    expect((await check(client, { ...factor })).passed).toBe(true);
  });

  test('an implementation as good as the reference passes without any tolerance', async () => {
    const client = await prepared(honest('keeps_threads'), rowsum(64, 512));
    const result = await check(client, { oracle, factor: 4, atol: 0, rtol: 0 });
    expect(result).toMatchObject({ passed: true, tampering: [] });
    expect(result.tensors[0]?.reference?.rms_err).toBeGreaterThan(0);
  });

  test('a library has its reference in pawl_reference', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pawl-reference-'));
    folders.push(folder);
    const library = join(folder, 'oracle.so');
    const args = ['-shared', '-fPIC', '-I', join(ROOT, 'runner/include'), '-o', library];
    await promisify(execFile)('g++', [...args, join(FIXTURES, 'rowsum-reference.cpp')]);
    const client = await prepared(dishonest('in_half_precision'), rowsum(64, 512));
    const result = await check(client, { oracle: { library }, ...factor });
    expect(detectorsOf(result)).toEqual(['precision-lowered']);
  });
});

describe('a timed repetition', () => {
  const verify = { verify: RULES };

  test.each(['cold', 'hot'] as const)('is verified among others in %s mode', async (mode) => {
    for (const kernel of [honest('keeps_a_workspace'), honest('makes_threads')]) {
      const client = await prepared(kernel);
      const result = await client.result({ ...sampleRequest(mode, 20), ...verify });
      expect(result.tampering).toEqual([]);
      expect(result.verified?.repetition).toBeLessThan(20);
      expect(result.verified?.tensors).toMatchObject([{ name: 's', mismatches: 0 }]);
    }
  });

  test('that is wrong after a right check is seen', async () => {
    const client = await prepared(dishonest('honest_for_ten_calls'));
    expect((await check(client)).passed).toBe(true);
    await client.result({ ...sampleRequest('cold', 10) });
    const result = await client.result({ ...sampleRequest('cold', 5), ...verify });
    expect(result.tampering).toMatchObject([{ detector: 'timed-result-wrong', tensor: 's' }]);
    expect(result.tampering[0]?.message).toMatch(/^timed repetition \d: /);
  });

  test('has contents of its own, so that a result kept by address is wrong', async () => {
    const client = await prepared(dishonest('from_cache_by_address'), { ...rowsum(8, 2), sets: 1 });
    const result = await client.result({ ...sampleRequest('cold', 30), ...verify });
    // Chosen at random: one in thirty times it is the first, which is right.
    if (result.verified?.repetition !== 0) expect(detectorsOf(result)).toEqual(['timed-result-wrong']);
  });

  test('that writes after its return is seen', async () => {
    const client = await prepared(dishonest('writes_on'));
    expect(detectorsOf(await client.result(sampleRequest('cold', 1)))).toContain('late-write');
  });

  test('of a tensor that is changed in place is verified, but not in batches', async () => {
    const problem = prepareRequest({ N: 100, A: 3 }, [
      tensor('x', 'input', [100]),
      tensor('y', 'inout', [100]),
    ]);
    const kernels = join(CONFORMANCE, 'kernels.py');
    const client = await prepared({ module: kernels, function: 'axpy' }, problem);
    const rules = { ...RULES, oracle: { module: kernels, function: 'axpy_oracle' } };
    const cold = await client.result({ ...sampleRequest('cold', 5), verify: rules });
    expect(cold).toMatchObject({ tampering: [], verified: { tensors: [{ name: 'y', mismatches: 0 }] } });
    const hot = await client.result({ ...sampleRequest('hot', 5), verify: rules });
    expect(hot.verified).toBeUndefined();
    expect(hot.notes.join()).toContain('changes with every call of a batch');
  });

  test('is left alone when nothing is guarded', async () => {
    const client = await prepared(dishonest('integers_unwritten'));
    expect(detectorsOf(await client.result(sampleRequest('cold', 2)))).toEqual(['unwritten-output']);
    expect((await client.result({ ...sampleRequest('cold', 2), guarded: false })).tampering).toEqual([]);
  });
});

describe('an audit', () => {
  test.each<[string, string]>([
    ['from_cache_by_content', 'cached-result'],
    ['sets_a_variable', 'environment-changed'],
    ['changes_folder', 'environment-changed'],
    ['replaces_a_clock', 'environment-changed'],
    ...(availableParallelism() > 1 ? [['takes_all_cpus', 'environment-changed'] as [string, string]] : []),
    ['rounds_down', 'environment-changed'],
    ['writes_a_file', 'file-access'],
    ['keeps_a_file_open', 'file-access'],
    ['forks', 'helper-process'],
    ['asks_a_program', 'helper-process'],
    ['leaks_arrays', 'memory-leaked'],
    ['leaks_objects', 'memory-leaked'],
    ['sleeps', 'sleeping'],
    ['sleeps_at_first', 'sleeping'],
    ['writes_on', 'late-write'],
  ])('sees "%s" as %s', async (name, detector) => {
    const client = await prepared(dishonest(name), rowsum(64, 1024));
    const result = await check(client, { audit: true });
    expect(result.passed).toBe(false);
    expect(detectorsOf(result)).toContain(detector);
  });

  test.each([
    'prints',
    'keeps_a_workspace',
    'makes_threads',
    'keeps_threads',
    'makes_a_pool',
    'imports_late',
    'makes_cycles',
    'keeps_a_history',
    'sets_errors_for_itself',
    'works_for_long',
  ])('has nothing to say of "%s"', async (name) => {
    const client = await prepared(honest(name), rowsum(64, 1024));
    expect(await check(client, { audit: true })).toMatchObject({ passed: true, tampering: [] });
    expect((await check(client, { audit: true })).tampering).toEqual([]);
  });

  test('has nothing to say of a module that arranges its process when it is imported', async () => {
    const client = await prepared({ module: join(FIXTURES, 'arranges_itself.py'), function: 'rowsum' });
    expect(await check(client, { audit: true })).toMatchObject({ passed: true, tampering: [] });
  });

  test('says which clock a module replaced when it was imported', async () => {
    const client = await prepared({ module: join(FIXTURES, 'replaces_clock.py'), function: 'rowsum' });
    const { tampering } = await check(client, { audit: true });
    expect(tampering).toEqual([
      {
        detector: 'environment-changed',
        message: "the clock time.monotonic was set to 'another function'",
      },
    ]);
  });

  test('has nothing to say of NumPy attention', async () => {
    const shape = [1, 2, 64, 32];
    const tensors = ['q', 'k', 'v'].map((name) => tensor(name, 'input', shape));
    const problem = prepareRequest({ B: 1, H: 2, S: 64, D: 32, CAUSAL: 1 }, [
      ...tensors,
      tensor('o', 'output', shape),
    ]);
    const module = join(ROOT, 'kernels/attention/python/numpy_attention.py');
    const client = await prepared({ module, function: 'attention' }, problem);
    const oracle = { module, function: 'attention', reference: 'attention' };
    const result = await check(client, { audit: true, oracle, factor: 4 });
    expect(result).toMatchObject({ passed: true, tampering: [] });
  });

  test('passes on what the kernel prints', async () => {
    const client = await prepared(honest('prints'));
    await check(client, { audit: true });
    await client.result({ op: 'quit' });
    await client.ended;
    expect(client.printed).toContain('a line for whoever reads it');
  });
});

describe('fills', () => {
  /** The largest and the smallest element of each row, and the number of elements that are not finite. */
  async function rowsOf(fill: Fill, dtype: 'f64' | 'f32' | 'f16', kernel: string) {
    const [rows, columns] = [9, 257];
    const problem = prepareRequest({ R: rows, C: columns }, [
      tensor('x', 'input', [rows, columns], { fill, dtype }),
      tensor('s', 'output', [rows, 4], { dtype: 'f64' }),
    ]);
    const client = await prepared({ module: join(FIXTURES, 'describes_rows.py'), function: kernel }, problem);
    const oracle = { module: join(FIXTURES, 'describes_rows.py'), function: 'expected' };
    return check(client, { oracle, atol: 0, rtol: 0 });
  }

  test.each<[string, Fill, 'f64' | 'f32' | 'f16']>([
    ['denormal', { kind: 'denormal' }, 'f64'],
    ['denormal', { kind: 'denormal' }, 'f32'],
    ['denormal', { kind: 'denormal' }, 'f16'],
    ['constant_rows', { kind: 'constant-rows', std: 2 }, 'f32'],
    ['spikes', { kind: 'spikes', low: -1, high: 100 }, 'f16'],
    ['mixed', { kind: 'mixed', scale: 1000 }, 'f32'],
    ['nonfinite', { kind: 'nonfinite', values: ['nan', 'inf', '-inf'], share: 0.5 }, 'f16'],
    ['clamped', { kind: 'normal', mean: 0, std: 1e9 }, 'f16'],
    ['clamped', { kind: 'constant', value: 1e300 }, 'f32'],
    ['clamped', { kind: 'normal', mean: 0, std: 1e39 }, 'f32'],
  ])('%s contents are what %j in %s says', async (kernel, fill, dtype) => {
    expect(await rowsOf(fill, dtype, kernel)).toMatchObject({ passed: true });
  });
});

const FIND_TORCH = 'import importlib.util; print(importlib.util.find_spec("torch") is not None)';
const hasTorch = execFileSync('python3', ['-c', FIND_TORCH], { encoding: 'utf8' }).trim() === 'True';

describe.skipIf(!hasTorch)('with PyTorch on the CPU', () => {
  const torch = (name: string): Code => ({ module: join(FIXTURES, 'torch_kernels.py'), function: name });
  const oracle = { ...torch('rowsum'), reference: 'rowsum' };

  // Settings of PyTorch in the candidate's process are its own: oracle and reference are computed in another one.
  test.each(['rowsum', 'into_out', 'changes_settings'])(
    '"%s" passes a check, an audit and verified samples',
    async (name) => {
      const client = await prepared(torch(name), rowsum(64, 512));
      const checked = await check(client, { oracle, audit: true, factor: 4 });
      expect(checked).toMatchObject({ passed: true, tampering: [] });
      for (const mode of ['cold', 'hot'] as const) {
        const result = await client.result({ ...sampleRequest(mode, 5), verify: { ...RULES, oracle } });
        expect(result).toMatchObject({ tampering: [], verified: { tensors: [{ mismatches: 0 }] } });
      }
    },
  );

  test.each([
    ['from_cache_by_address', 'cached-result'],
    ['in_half_precision', 'precision-lowered'],
    ['reads_beside', 'out-of-bounds-read'],
    ['replaces_event_time', 'environment-changed'],
    ['hides_that_it_is_its_input', 'aliased-output'],
  ])('"%s" is seen as %s', async (name, detector) => {
    const client = await prepared(torch(name), rowsum(64, 512));
    const result = await check(client, { oracle, audit: true, factor: 4, atol: 1, rtol: 1 });
    expect(detectorsOf(result)).toContain(detector);
  });

  test.each<Fill>([
    { kind: 'normal', mean: 0, std: 1e9 },
    { kind: 'denormal' },
    { kind: 'constant-rows', std: 1 },
    { kind: 'spikes', low: 0, high: 1 },
    { kind: 'mixed', scale: 10 },
    { kind: 'nonfinite', values: ['nan', 'inf', '-inf'], share: 0.1 },
  ])('bf16 tensors filled with %j arrive whole', async (fill) => {
    const tensors = [
      tensor('x', 'input', [5, 33], { dtype: 'bf16', fill }),
      tensor('y', 'output', [5, 33], { dtype: 'bf16' }),
    ];
    const client = await prepared(torch('copy'), prepareRequest({ R: 5, C: 33 }, tensors));
    const rules = { oracle: torch('copy'), atol: 0, rtol: 0 };
    expect(await check(client, rules)).toMatchObject({ passed: true, tampering: [] });
    const result = await client.result({ ...sampleRequest('cold', 3), verify: rules });
    expect(result.tampering).toEqual([]);
  });
});
