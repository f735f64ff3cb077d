import { createHash } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import type { Dtype, RecordedFill } from '../../src/model/problem/tensor.ts';
import { RawClient, type RunnerCommand } from '../contract/raw-client.ts';
import { openRequest, prepareRequest, sampleRequest, tensor } from '../contract/runner-conformance.ts';
import { builtForPython, compileLibrary } from './native-build.ts';
import { RawRunner } from './raw-runner.ts';

const MODULE = join(import.meta.dirname, '../fixtures/python-kernels/recorded.py');
const SUMS = { module: MODULE, function: 'row_sums' };
const RULES = { atol: 1e-4, rtol: 1e-4 };
/** What lies before the tensor in a file is nobody's business. */
const OFFSET = 5;

let folder: string;
let runner: RunnerCommand;
let shown: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-recorded-'));
  runner = await builtForPython();
  shown = await compileLibrary('test/fixtures/checks/shown.cpp', join(folder, 'shown.so'));
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const ended: (() => unknown)[] = [];
afterEach(() => Promise.all(ended.splice(0).map((end) => end())));

let files = 0;
async function recorded(
  contents: readonly ArrayBufferView[],
  { vary = true, dtype = 'f32' }: { readonly vary?: boolean; readonly dtype?: Dtype } = {},
): Promise<RecordedFill> {
  const recordings = await Promise.all(
    contents.map(async ({ buffer, byteOffset, byteLength }) => {
      const bytes = Buffer.from(buffer, byteOffset, byteLength);
      const path = join(folder, `${files++}.bin`);
      await writeFile(path, Buffer.concat([Buffer.alloc(OFFSET, 7), bytes]));
      return { path, offset: OFFSET, sha256: createHash('sha256').update(bytes).digest('hex') };
    }),
  );
  return { kind: 'recorded', dtype, recordings, vary };
}

const numbers = (count: number, scale = 1) => Float32Array.from({ length: count }, (_, i) => scale * (i + 1));

/** The bits of every element that a kernel gets. */
async function given(fill: RecordedFill, count: number, dtype: Dtype = 'f32', seed = '5'): Promise<number[]> {
  const started = new RawRunner(runner.command);
  ended.push(() => started.kill());
  await started.open(shown);
  const tensors = [
    { name: 'x', role: 'input', dtype, shape: [count], fill },
    { name: 'y', role: 'output', dtype, shape: [count], fill: { kind: 'normal' } },
  ];
  await started.result('prepare', { case: 'c', dims: [], tensors, variant: {}, seed, sets: 1 });
  await started.result('profile', { launches: 1 });
  const lines = () => started.printed.split('\n').slice(0, -1);
  await vi.waitFor(() => expect(lines().length).toBeGreaterThanOrEqual(count), { timeout: 20_000 });
  return lines()
    .slice(0, count)
    .map((line) => Number(`0x${line.split(' ')[1]}`));
}

const bitsOf = (values: Float32Array) => [...new Uint32Array(values.buffer)];

describe('what a kernel gets of a recorded input', () => {
  test('is what the file holds, where nothing may change', async () => {
    const values = numbers(1000);
    expect(await given(await recorded([values], { vary: false }), 1000)).toEqual(bitsOf(values));
  });

  test('is that but for a few elements that have the values of others', async () => {
    const bits = bitsOf(numbers(1000));
    const fill = await recorded([numbers(1000)]);
    const first = await given(fill, 1000);
    const changed = first.filter((one, index) => one !== bits[index]);
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.length).toBeLessThanOrEqual(16);
    expect(bits).toEqual(expect.arrayContaining(changed));
    expect(await given(fill, 1000)).toEqual(first);
    expect(await given(fill, 1000, 'f32', '6')).not.toEqual(first);
  });

  test('is rounded to the type of the tensor', async () => {
    const values = Float32Array.of(1, -2.5, 65_504, 1e6, 1 + 2 ** -12);
    const halves = [0x3c00, 0xc100, 0x7bff, 0x7c00, 0x3c00];
    expect(await given(await recorded([values], { vary: false }), 5, 'f16')).toEqual(halves);
  });
});

async function opened(kernel: object = SUMS): Promise<RawClient> {
  const client = new RawClient(runner);
  ended.push(() => client.kill());
  await client.result(openRequest(client, kernel as typeof SUMS));
  return client;
}

function sums(x: RecordedFill, w?: RecordedFill) {
  return prepareRequest({}, [
    tensor('x', 'input', [8, 50], { fill: x }),
    tensor('w', 'input', [50], w === undefined ? {} : { fill: w }),
    tensor('sums', 'output', [8]),
  ]);
}
const checked = { op: 'check', oracle: SUMS, ...RULES, seed: '5' } as const;

describe('a kernel with recorded inputs', () => {
  test.each([
    ['one recording that changes', true, 1, true],
    ['one beside an input that is filled', false, 1, false],
    ['three recordings', true, 3, true],
  ])('passes honestly: %s', async (_, vary, count, all) => {
    const of = (length: number) =>
      recorded(
        Array.from({ length: count }, (_, i) => numbers(length, 1e-2 * (i + 1))),
        { vary },
      );
    const client = await opened();
    await client.result(sums(await of(400), all ? await of(50) : undefined));
    expect(await client.result(checked)).toMatchObject({ passed: true, tampering: [] });
    for (const mode of ['cold', 'hot'] as const) {
      const request = { ...sampleRequest(mode, 12), verify: { oracle: SUMS, ...RULES } };
      // A verified repetition is computed again from contents that are put together again.
      expect(await client.result(request)).toMatchObject({
        tampering: [],
        verified: { tensors: [{ mismatches: 0 }] },
      });
    }
  });

  test('that answers from memory is refused', async () => {
    const client = await opened({ module: MODULE, function: 'answered_once' });
    await client.result(sums(await recorded([numbers(400)]), await recorded([numbers(50)])));
    expect(await client.result(checked)).toMatchObject({
      passed: false,
      tampering: [{ detector: 'cached-result' }],
    });
  });

  test('has no blind tolerance because recorded inputs hardly change', async () => {
    const client = await opened();
    const all = sums(await recorded([numbers(400)]), await recorded([numbers(50)]));
    await client.result(all);
    // So that its import does not make it a slow one, which is not asked again.
    await client.result({ op: 'oracle', oracle: SUMS });
    const { passed, blind, notes } = await client.result({ ...checked, blind: true });
    expect({ passed, blind }).toEqual({ passed: true, blind: [] });
    expect(notes).toContainEqual(expect.stringContaining('all of them are recorded'));
  });
});

describe('a file that is not what was announced is refused before a kernel runs', () => {
  test.each<[string, (path: string) => Promise<unknown>, RegExp]>([
    [
      'edited',
      (path) => writeFile(path, Buffer.alloc(OFFSET + 1600)),
      /is not what it was when pawl\.yaml was read/,
    ],
    ['cut short', (path) => truncate(path, 100), /is shorter than it was/],
    ['gone', (path) => rm(path), /cannot be read: No such file/],
  ])('%s', async (_, spoil, message) => {
    const fill = await recorded([numbers(400)]);
    await spoil(fill.recordings[0]!.path);
    const client = await opened();
    await expect(client.result(sums(fill))).rejects.toThrow(message);
  });

  test('bytes that no bool is', async () => {
    const fill = await recorded([new Uint8Array(50).fill(2)], { dtype: 'bool' });
    const client = await opened();
    const request = prepareRequest({}, [
      tensor('x', 'input', [50], { dtype: 'bool', fill }),
      tensor('y', 'output', [50], { dtype: 'bool' }),
    ]);
    await expect(client.result(request)).rejects.toThrow(/generator-failed: .*neither 0 nor 1/);
  });
});
