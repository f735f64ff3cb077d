import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import type { Code, OpenResult, ResultOf } from '../../src/model/measure/protocol.ts';
import type { ScalarSpec } from '../../src/model/problem/scalar.ts';
import { DTYPES, isPacked, type Dtype, type Fill, type TensorSpec } from '../../src/model/problem/tensor.ts';
import { RawClient, type RunnerCommand } from './raw-client.ts';

/** What the suite needs to know of a runner on the CPU. Kernels and oracles go by their names in test/fixtures/conformance. */
export interface RunnerHarness {
  readonly runner: RunnerCommand;
  readonly identity: OpenResult['runner'];
  readonly dtypes: readonly Dtype[];
  kernel(name: string): Code;
  oracle(name: string): Code;
  /** Code that cannot be loaded, each for a reason of its own. */
  readonly unloadable: Readonly<Record<string, Code>>;
}

const NORMAL: Fill = { kind: 'normal', mean: 0, std: 1 };

export function openRequest(client: RawClient, kernel: Code) {
  const key = client.key.toString('hex');
  const { candidate } = client;
  return {
    op: 'open',
    protocol: 2,
    key,
    device: 'cpu',
    device_index: 0,
    threads: 1,
    kernel,
    ...(candidate === undefined ? {} : { candidate }),
  } as const;
}

export function tensor(
  name: string,
  role: TensorSpec['role'],
  shape: number[],
  more: Partial<TensorSpec> = {},
): TensorSpec {
  return { name, role, dtype: 'f32', shape, fill: NORMAL, ...more };
}

export function prepareRequest(
  dims: Readonly<Record<string, number>>,
  tensors: readonly TensorSpec[],
  more: {
    readonly variant?: Readonly<Record<string, number | string | boolean>>;
    readonly sets?: number;
    readonly scalars?: readonly ScalarSpec[];
  } = {},
) {
  const named = Object.entries(dims).map(([name, value]) => ({ name, value }));
  return {
    op: 'prepare',
    case: 'conformance',
    dims: named,
    tensors,
    variant: {},
    seed: '7',
    ...more,
  } as const;
}

/** Row sums: s[R] of x[R, C]. */
export function rowsum(rows: number, columns: number, fill: Fill = NORMAL) {
  return prepareRequest({ R: rows, C: columns }, [
    tensor('x', 'input', [rows, columns], { fill }),
    tensor('s', 'output', [rows]),
  ]);
}

export function sampleRequest(mode: 'cold' | 'hot' | 'graph', count: number, budget_ms = 60_000) {
  return { op: 'sample', mode, count, budget_ms, timing: 'blocked' } as const;
}

/** An odd number of elements, where a byte does not hold two. */
function countOf(dtype: Dtype): number {
  return isPacked(dtype) ? 78 : 77;
}

/** The same tests for every runner: a runner is right when they pass. */
export function describeRunner(name: string, makeHarness: () => Promise<RunnerHarness>): void {
  describe(`the ${name} runner conforms to the protocol`, () => {
    let harness: RunnerHarness;
    const clients: RawClient[] = [];
    beforeAll(async () => {
      harness = await makeHarness();
    });
    afterEach(async () => {
      await Promise.all(clients.splice(0).map((client) => client.kill()));
    });

    function start(): RawClient {
      const client = new RawClient(harness.runner);
      clients.push(client);
      return client;
    }

    async function opened(kernel: string): Promise<RawClient> {
      const client = start();
      await client.result(openRequest(client, harness.kernel(kernel)));
      return client;
    }

    async function prepared(kernel: string, problem: object = rowsum(8, 64)): Promise<RawClient> {
      const client = await opened(kernel);
      await client.result({ op: 'prepare', ...problem });
      return client;
    }

    function check(client: RawClient, oracle = 'rowsum_oracle', seed = '11'): Promise<ResultOf<'check'>> {
      return client.result({ op: 'check', oracle: harness.oracle(oracle), atol: 1e-4, rtol: 1e-4, seed });
    }

    test('open tells the protocol, the runner, its process, the device and the modes', async () => {
      const client = start();
      const answer = await client.result(openRequest(client, harness.kernel('rowsum')));
      expect(answer).toMatchObject({
        protocol: 2,
        runner: harness.identity,
        modes: ['cold', 'hot'],
      });
      // The kernel's process is not the one that judges it.
      expect(answer.pid).not.toBe(client.pid);
      expect(answer.device).toMatchObject({ kind: 'cpu', index: 0 });
      expect(answer.device.cpus).toHaveLength(1);
      expect(Object.keys(answer.versions)).not.toHaveLength(0);
    });

    test('a process that asks for more threads than it has CPUs is told so', async () => {
      const client = start();
      const request = { ...openRequest(client, harness.kernel('rowsum')), threads: 4096 };
      expect((await client.failure(request)).code).toBe('unsupported');
    });

    test('prepare counts the bytes of a set and makes as many sets as asked', async () => {
      const client = await opened('rowsum');
      const own = await client.result(rowsum(8, 64));
      expect(own).toMatchObject({ bytes_per_set: (8 * 64 + 8) * 4, workspace_bytes: 0 });
      expect((await client.result({ ...rowsum(8, 64), sets: 3 })).sets).toBe(3);
    });

    test('a second prepare replaces the case', async () => {
      const client = await prepared('rowsum', rowsum(8, 64));
      expect((await client.result(rowsum(5, 3))).bytes_per_set).toBe((5 * 3 + 5) * 4);
      expect(await check(client)).toMatchObject({ passed: true, tensors: [{ name: 's', elements: 5 }] });
      expect((await client.result(sampleRequest('cold', 3))).samples_ms).toHaveLength(3);
    });

    test('a case that does not fit the memory is refused, and the next one is prepared', async () => {
      const client = await opened('rowsum');
      expect((await client.failure(rowsum(1, 2 ** 46))).code).toBe('out-of-memory');
      await client.result(rowsum(8, 64));
      expect((await check(client)).passed).toBe(true);
    });

    test('a right kernel passes its check', async () => {
      const result = await check(await prepared('rowsum'));
      expect(result).toMatchObject({
        passed: true,
        tampering: [],
        tensors: [{ name: 's', elements: 8, mismatches: 0 }],
      });
      expect(result.tensors[0]?.max_abs_err).toBeLessThan(1e-4);
    });

    test('a kernel that updates a tensor in place passes, however often it is checked and sampled', async () => {
      const problem = prepareRequest({ N: 1000, A: 3 }, [
        tensor('x', 'input', [1000]),
        tensor('y', 'inout', [1000]),
      ]);
      const client = await prepared('axpy', problem);
      const passed = { passed: true, tampering: [], tensors: [{ name: 'y', mismatches: 0 }] };
      expect(await check(client, 'axpy_oracle')).toMatchObject(passed);
      await client.result(sampleRequest('hot', 5));
      expect(await check(client, 'axpy_oracle')).toMatchObject(passed);
    });

    test('scalars reach kernel and oracle as numbers of their types, rounded alike', async () => {
      const shifted = (scale: number) =>
        prepareRequest({ N: 100 }, [tensor('x', 'input', [100]), tensor('y', 'output', [100])], {
          scalars: [
            { name: 'SCALE', dtype: 'f64', value: scale },
            { name: 'SHIFT', dtype: 'f32', value: 0.1 },
            { name: 'POWER', dtype: 'i64', value: 2 },
          ],
        });
      // Of an even number: a JSON number without a fraction is a float all the same.
      const client = await prepared('shifted', shifted(2));
      const request = { op: 'check', oracle: harness.oracle('shifted_oracle'), atol: 0, seed: '11' } as const;
      expect(await client.result({ ...request, rtol: 2 ** -23 })).toMatchObject({ passed: true });
      // 0.1 is no f32. Nothing else is added, so an oracle with the unrounded number would differ everywhere.
      await client.result(shifted(0));
      expect(await client.result({ ...request, rtol: 0 })).toMatchObject({
        passed: true,
        tensors: [{ spread: { exact: 100 }, max_abs_err: 0 }],
      });
    });

    test('a tensor may be a single number, without axes', async () => {
      const problem = prepareRequest({}, [tensor('x', 'input', [40]), tensor('y', 'output', [])]);
      const client = await prepared('total', problem);
      const result = await check(client, 'total_oracle');
      expect(result).toMatchObject({ passed: true, tensors: [{ name: 'y', elements: 1, mismatches: 0 }] });
      const request = {
        op: 'check',
        oracle: harness.oracle('total_oracle'),
        atol: 0,
        rtol: 0,
        seed: '1',
      } as const;
      const exact = await client.result(request);
      // Whether rounding shows depends on the inputs; where it does, it is at no index.
      expect(exact.tensors[0]?.worst?.index ?? []).toEqual([]);
      expect((await client.result(sampleRequest('cold', 3))).tampering).toEqual([]);
    });

    test('a scalar that its type cannot hold is refused', async () => {
      const client = await opened('shifted');
      for (const [dtype, value] of [
        ['f32', 1e39],
        ['i32', 2 ** 31],
        ['i64', 0.5],
      ] as const) {
        const problem = prepareRequest({ N: 4 }, [tensor('y', 'output', [4])], {
          scalars: [{ name: 'S', dtype, value }],
        });
        const { code, message } = await client.failure(problem);
        expect({ code, message }).toMatchObject({ code: 'bad-request' });
        expect(message).toContain('prepare.scalars[0].value');
      }
    });

    test('a wrong element fails the check, and is named with what was got and what was due', async () => {
      const { passed, tensors } = await check(await prepared('wrong'));
      expect(passed).toBe(false);
      expect(tensors[0]).toMatchObject({ mismatches: 1, worst: { index: [2] } });
      const { got, want } = tensors[0]?.worst ?? {};
      expect(Number(got) - Number(want)).toBeCloseTo(100, 3);
    });

    test('every mismatch is a finding, with the element that is worst', async () => {
      const { tampering, tensors } = await check(await prepared('wrong'));
      expect(tampering).toMatchObject([{ detector: 'wrong-result', tensor: 's' }]);
      expect(tampering[0]?.message).toMatch(/^1 of 8 elements of 's' differ from .*; worst at \[2\]: /);
      const beside = tensors[0]?.worst?.neighbours?.map(({ index }) => index[0]);
      expect(beside?.toSorted()).toEqual([0, 1, 3, 4]);
    });

    test('check tells how errors are spread, and where the time went', async () => {
      const { tensors, cost_ms } = await check(await prepared('wrong'));
      const { exact = 0, decades = [], nonfinite } = tensors[0]?.spread ?? {};
      expect(exact + decades.reduce((sum, { count }) => sum + count, 0)).toBe(8);
      expect(decades.at(-1)).toMatchObject({ count: 1 });
      expect([1, 2]).toContain(decades.at(-1)?.exponent);
      expect(nonfinite).toBe(0);
      expect(tensors[0]?.rms_err).toBeCloseTo(100 / Math.sqrt(8), 2);
      expect(cost_ms?.total).toBeGreaterThanOrEqual((cost_ms?.kernel ?? 0) + (cost_ms?.oracle ?? 0));
    });

    test.each<Fill>([
      { kind: 'denormal' },
      { kind: 'constant-rows', std: 3 },
      { kind: 'spikes', low: -1, high: 1e6 },
      { kind: 'mixed', scale: 1e6 },
      { kind: 'nonfinite', values: ['nan', 'inf', '-inf'], share: 0.3 },
    ])('kernel and oracle see the same numbers of every floating type: %j', async (fill) => {
      const client = await opened('copy');
      const request = { op: 'check', oracle: harness.oracle('copy_oracle'), atol: 0, rtol: 0 } as const;
      const floating = harness.dtypes.filter((own) => own.includes('f'));
      // Four bits hold numbers alone.
      for (const dtype of floating.filter((own) => fill.kind !== 'nonfinite' || !isPacked(own))) {
        const count = countOf(dtype);
        const tensors = [
          tensor('x', 'input', [count], { dtype, fill }),
          tensor('y', 'output', [count], { dtype }),
        ];
        await client.result(prepareRequest({ N: count }, tensors));
        const { passed, tampering, tensors: checked } = await client.result({ ...request, seed: '1' });
        expect({ dtype, passed, tampering }).toEqual({ dtype, passed: true, tampering: [] });
        expect(checked[0]?.spread?.exact).toBe(count);
      }
    });

    test('a NaN where the oracle has a number fails the check', async () => {
      const { passed, tensors } = await check(await prepared('misplaced_nan'));
      expect(passed).toBe(false);
      expect(tensors[0]).toMatchObject({
        mismatches: 1,
        max_abs_err: null,
        worst: { index: [1], got: 'nan' },
      });
    });

    test('the seed of a check decides its inputs', async () => {
      const client = await prepared('wrong');
      const wanted = async (seed: string) =>
        (await check(client, 'rowsum_oracle', seed)).tensors[0]?.worst?.want;
      const first = await wanted('18446744073709551615');
      expect(await wanted('18446744073709551615')).toBe(first);
      expect(await wanted('18446744073709551614')).not.toBe(first);
    });

    test.each<[string, Fill, number]>([
      ['a constant', { kind: 'constant', value: 2 }, 128],
      ['integers, both ends included', { kind: 'integers', low: 3, high: 3 }, 192],
      ['a uniform interval', { kind: 'uniform', low: 5, high: 5 }, 320],
      ['a normal distribution', { kind: 'normal', mean: -1, std: 0 }, -64],
    ])('inputs are filled as asked: %s', async (_, fill, sum) => {
      const { tensors } = await check(await prepared('wrong', rowsum(8, 64, fill)));
      expect(tensors[0]?.worst?.want).toBeCloseTo(sum, 4);
    });

    test.each(Object.keys(DTYPES) as Dtype[])('%s tensors arrive whole, or are refused', async (dtype) => {
      const fill: Fill = dtype.includes('f') ? NORMAL : { kind: 'integers', low: 0, high: 100 };
      const count = countOf(dtype);
      const problem = prepareRequest({ N: count }, [
        tensor('x', 'input', [count], { dtype, fill }),
        tensor('y', 'output', [count], { dtype }),
      ]);
      const client = await opened('copy');
      if (!harness.dtypes.includes(dtype)) {
        expect((await client.failure(problem)).code).toBe('unsupported');
        return;
      }
      expect((await client.result(problem)).bytes_per_set).toBe(2 * count * DTYPES[dtype].bytes);
      const request = {
        op: 'check',
        oracle: harness.oracle('copy_oracle'),
        atol: 0,
        rtol: 0,
        seed: '1',
      } as const;
      expect(await client.result(request)).toMatchObject({ passed: true, tensors: [{ max_abs_err: 0 }] });
    });

    test.each(['cold', 'hot'] as const)('%s samples come in the number asked for', async (mode) => {
      const client = await prepared('rowsum', rowsum(64, 256));
      const result = await client.result(sampleRequest(mode, 7));
      expect(result.samples_ms).toHaveLength(7);
      expect(result).toMatchObject({ timing: 'host', tampering: [] });
      expect(result.timed_ms).toBeLessThanOrEqual(result.wall_ms);
      expect(result.memory_peak_bytes).toBeGreaterThan(0);
    });

    test('a call too short for the clock is timed in batches when hot, never when cold', async () => {
      const client = await prepared('rowsum', rowsum(1, 1));
      expect((await client.result(sampleRequest('hot', 2))).batch).toBeGreaterThan(1);
      expect((await client.result(sampleRequest('cold', 2))).batch).toBe(1);
    });

    test('graph mode is unsupported, and the runner goes on', async () => {
      const client = await prepared('rowsum');
      expect((await client.failure(sampleRequest('graph', 2))).code).toBe('unsupported');
      expect((await client.result(sampleRequest('hot', 2))).samples_ms).toHaveLength(2);
    });

    test('a budget ends a series early, with at least one sample', async () => {
      const client = await prepared('slow');
      const some = await client.result(sampleRequest('hot', 100_000, 50));
      expect(some.samples_ms.length).toBeLessThan(100);
      expect((await client.result(sampleRequest('cold', 100, 0.001))).samples_ms).toHaveLength(1);
    });

    test('profile launches as often as asked', async () => {
      expect(await (await prepared('rowsum')).result({ op: 'profile', launches: 2 })).toEqual({
        launches: 2,
      });
    });

    test('profile on the CPU lists no functions: a call launches none', async () => {
      const result = await (await prepared('rowsum')).result({ op: 'profile', launches: 1, list: true });
      expect(result).toEqual({ launches: 1 });
    });

    test('state tells how the device is now', async () => {
      expect((await (await opened('rowsum')).result({ op: 'state' })).load_average).toBeGreaterThanOrEqual(0);
    });

    test.each([
      ['unwritten', 'unwritten-output', 's'],
      ['out_of_bounds', 'out-of-bounds-write', 's'],
      ['input_changed', 'input-changed', 'x'],
    ])('check and sample both see the fault of "%s"', async (kernel, detector, tensor) => {
      const client = await prepared(kernel);
      const found = expect.objectContaining({ detector, tensor }) as unknown;
      const checked = await check(client);
      expect(checked.tampering[0]).toEqual(found);
      expect(checked.passed).toBe(false);
      for (const mode of ['cold', 'hot'] as const) {
        expect((await client.result(sampleRequest(mode, 2))).tampering).toEqual([found]);
      }
    });

    test('check sees results that differ between two runs on the same inputs', async () => {
      const checked = await check(await prepared('nondeterministic'));
      expect(checked.tampering[0]).toMatchObject({ detector: 'nondeterministic', tensor: 's' });
      expect(checked.passed).toBe(false);
    });

    test('results that differ are no fault of a kernel that is said to be nondeterministic, while they are right', async () => {
      const client = await prepared('nondeterministic');
      const oracle = harness.oracle('rowsum_oracle');
      const request = { op: 'check', oracle, rtol: 0, seed: '11', nondeterministic: true } as const;
      expect(await client.result({ ...request, atol: 0.1 })).toMatchObject({ passed: true, tampering: [] });
      const wrong = await client.result({ ...request, atol: 1e-6 });
      expect(wrong.tampering).toMatchObject([{ detector: 'wrong-result', tensor: 's' }]);
    });

    test('check sees a result that depends on what lies beside the buffers', async () => {
      const checked = await check(await prepared('reads_beyond'));
      expect(checked.tampering[0]).toMatchObject({ detector: 'out-of-bounds-read', tensor: 's' });
    });

    test('check sees a result that is kept while other inputs come to the same addresses', async () => {
      const checked = await check(await prepared('cached_by_address'));
      expect(checked.tampering[0]).toMatchObject({ detector: 'cached-result', tensor: 's' });
      expect(checked.passed).toBe(false);
    });

    test('a kernel that fails is told by its own words, and may be asked again', async () => {
      const client = await prepared('failing');
      const request = { op: 'check', oracle: harness.oracle('rowsum_oracle'), atol: 0, rtol: 0, seed: '1' };
      for (const asked of [request, sampleRequest('cold', 1), sampleRequest('hot', 1)]) {
        const failure = await client.failure(asked);
        expect(failure.code).toBe('kernel-failed');
        expect(failure.message).toContain('three is not enough');
      }
      await client.result({ op: 'state' });
    });

    test('code that cannot be loaded is refused with the reason', async () => {
      for (const kernel of Object.values(harness.unloadable)) {
        const client = start();
        expect((await client.failure(openRequest(client, kernel))).code).toBe('load-failed');
        expect((await client.failure({ op: 'state' })).code).toBe('bad-request');
      }
    });

    test('an oracle that cannot be loaded is refused, and the runner goes on', async () => {
      const client = await prepared('rowsum');
      for (const oracle of Object.values(harness.unloadable)) {
        const failure = await client.failure({ op: 'check', oracle, atol: 0, rtol: 0, seed: '1' });
        expect(failure.code).toBe('load-failed');
      }
      expect((await check(client)).passed).toBe(true);
    });

    test('a kernel that writes forged answers to every descriptor it knows forges nothing', async () => {
      const client = await prepared('forging');
      // The only descriptor that leads anywhere is the judge's socket, and what it reads there is not a message.
      expect((await client.failure(sampleRequest('cold', 2))).code).toBe('forged');
      // Two pipes have no order between them: the print may arrive after the answer.
      await vi.waitFor(() => expect(client.printed).toContain('"mac"'));
    });

    test('requests that make no sense are answered, and the next one is served', async () => {
      const client = await prepared('rowsum');
      const { tensors } = rowsum(2, 2);
      const nonsense = [
        { op: 'dance' },
        { op: 7 },
        {},
        { ...rowsum(2, 2), dims: 'many' },
        { ...rowsum(2, 2), seed: '-1' },
        { ...rowsum(2, 2), tensors: [{ ...tensors[0], shape: [2, -2] }] },
        { ...rowsum(2, 2), tensors: [{ ...tensors[0], dtype: 'f8' }] },
        { ...rowsum(2, 2), tensors: [{ ...tensors[0], fill: { kind: 'pretty' } }] },
        { ...rowsum(2, 2), sets: 0 },
        { ...sampleRequest('hot', 1), mode: 'lukewarm' },
        { ...sampleRequest('hot', 1), count: 1.5 },
        { ...sampleRequest('hot', 1), budget_ms: 0 },
        { op: 'sample', mode: 'hot' },
        { op: 'profile', launches: 'two' },
        { op: 'check', oracle: {}, atol: 0, rtol: 0, seed: '1' },
        { op: 'check', oracle: harness.oracle('rowsum_oracle'), atol: -1, rtol: 0, seed: '1' },
      ];
      for (const request of nonsense) {
        expect(await client.failure(request), JSON.stringify(request)).toMatchObject({ code: 'bad-request' });
      }
      await client.result(rowsum(2, 2));
      expect((await check(client)).passed).toBe(true);
    });

    test.each([
      'not json',
      '[1, 2]',
      '"text"',
      '',
      '{"op":"state"}',
      '{"id":"one","op":"state"}',
      '\u0000\u0001',
    ])('a line without a readable id is answered as request 0: %j', async (line) => {
      const client = await opened('rowsum');
      client.send(line);
      expect(await client.receive()).toMatchObject({ id: 0, ok: false, error: { code: 'bad-request' } });
      await client.result({ op: 'state' });
    });

    test('operations out of order are refused', async () => {
      const client = start();
      const key = client.key.toString('hex');
      expect((await client.failure({ op: 'prepare', key })).code).toBe('bad-request');
      expect((await client.failure(sampleRequest('hot', 1))).code).toBe('bad-request');
      await client.result(openRequest(client, harness.kernel('rowsum')));
      expect((await client.failure(openRequest(client, harness.kernel('rowsum')))).code).toBe('bad-request');
      const request = { op: 'check', oracle: harness.oracle('rowsum_oracle'), atol: 0, rtol: 0, seed: '1' };
      for (const early of [sampleRequest('hot', 1), request, { op: 'profile', launches: 1 }]) {
        expect((await client.failure(early)).code).toBe('bad-request');
      }
    });

    test('another version of the protocol is refused', async () => {
      const client = start();
      const request = { ...openRequest(client, harness.kernel('rowsum')), protocol: 1 };
      expect(await client.failure(request)).toEqual({
        code: 'unsupported',
        message: expect.stringContaining('speaks protocol 2, and was asked for 1') as string,
      });
    });

    test('a first request without a key gets no answer: none could be told from a forged one', async () => {
      const client = start();
      client.send(JSON.stringify({ ...openRequest(client, harness.kernel('rowsum')), id: 1, key: 'secret' }));
      expect(await client.receive()).toBeUndefined();
      expect(await client.ended).toEqual({ code: 65, signal: null });
      expect(client.printed).toContain('key');
    });

    test('quit is answered, and the process ends with 0', async () => {
      const client = await prepared('rowsum');
      expect(await client.result({ op: 'quit' })).toEqual({});
      expect(await client.ended).toEqual({ code: 0, signal: null });
    });

    test('the end of the requests ends the process', async () => {
      const client = await opened('rowsum');
      client.endRequests();
      expect(await client.ended).toEqual({ code: 0, signal: null });
    });
  });
}
