import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Code } from '../../src/model/measure/protocol.ts';
import type { Dtype, TensorSpec } from '../../src/model/problem/tensor.ts';
import type { RawClient } from '../contract/raw-client.ts';
import { openRequest, prepareRequest, sampleRequest, tensor } from '../contract/runner-conformance.ts';
import { judgesForPython } from './judges-for-python.ts';
import { compileLibrary } from './native-build.ts';

const MODULE = join(import.meta.dirname, '../fixtures/python-kernels/strided.py');
const named = (name: string): Code => ({ module: MODULE, function: name });
const rules = { oracle: named('oracle'), atol: 1e-4, rtol: 1e-4 };
const check = { op: 'check', ...rules, seed: '5', blind: true } as const;

interface Layout {
  readonly rows: number;
  readonly columns: number;
  readonly strides: readonly [number, number];
  readonly offset?: number;
}
const LAYOUTS: Readonly<Record<string, Layout>> = {
  'a transposed matrix': { rows: 24, columns: 40, strides: [1, 24] },
  'columns of a wider matrix': { rows: 24, columns: 40, strides: [100, 1], offset: 37 },
  'every third element': { rows: 24, columns: 40, strides: [120, 3], offset: 2 },
  'one row, repeated': { rows: 24, columns: 40, strides: [0, 1] },
  'one element, repeated': { rows: 24, columns: 40, strides: [1, 0] },
  'windows that slide': { rows: 24, columns: 40, strides: [1, 1] },
};
const PADDED: Layout = { rows: 24, columns: 40, strides: [48, 1] };

const start = judgesForPython();
let folder: string;
let library: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-strided-'));
  library = await compileLibrary('test/fixtures/kernels/strided.cpp', join(folder, 'strided.so'));
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Prepared {
  readonly fill?: TensorSpec['fill'];
  readonly dtype?: Dtype;
  readonly generator?: Code;
}

async function prepared(kernel: Code, layout: Layout, more: Prepared = {}): Promise<RawClient> {
  const client = start();
  await client.result(openRequest(client, kernel));
  const { rows, columns, strides, offset } = layout;
  const { fill = { kind: 'normal', mean: 0, std: 1 }, dtype = 'f32', generator } = more;
  const view = { strides: [...strides], ...(offset === undefined ? {} : { offset }), fill, dtype };
  await client.result({
    ...prepareRequest({ R: rows, C: columns, S0: strides[0], S1: strides[1] }, [
      tensor('x', 'input', [rows, columns], view),
      tensor('s', 'output', [rows], { dtype }),
    ]),
    ...(generator === undefined ? {} : { generator }),
  });
  return client;
}

describe.each(Object.entries(LAYOUTS))('%s', (_, layout) => {
  test.each([
    ['Python', named('sees_a_view')],
    ['C++', undefined],
  ])(
    'is what a kernel in %s gets, and its oracle gets the same values one after the other',
    async (_language, kernel) => {
      const client = await prepared(kernel ?? { library, function: 'pawl_run' }, layout);
      expect(await client.result(check)).toMatchObject({ passed: true, tampering: [] });
      for (const mode of ['cold', 'hot'] as const)
        expect(await client.result({ ...sampleRequest(mode, 8), verify: rules })).toMatchObject({
          tampering: [],
          verified: { tensors: [{ mismatches: 0 }] },
        });
    },
  );

  test('has every kind of values', async () => {
    const kinds: TensorSpec['fill'][] = [
      { kind: 'uniform', low: -1, high: 1 },
      { kind: 'constant-rows', std: 1 },
      { kind: 'spikes', low: 0, high: 1 },
      { kind: 'mixed', scale: 10 },
    ];
    for (const fill of kinds) {
      const client = await prepared(named('rowsum'), layout, { fill });
      const { passed, tampering } = await client.result(check);
      expect({ fill, passed, tampering }).toEqual({ fill, passed: true, tampering: [] });
    }
  });

  test('may be complex', async () => {
    const client = await prepared(named('rowsum'), layout, { dtype: 'c64' });
    expect(await client.result(check)).toMatchObject({ passed: true, tampering: [] });
  });
});

test('constant rows are those of the view', async () => {
  const client = await prepared(named('rowsum'), LAYOUTS['a transposed matrix']!, {
    fill: { kind: 'constant-rows', std: 1 },
  });
  // Sums of 40 equal numbers; in columns that are constant all sums would be the same.
  const { blind } = await client.result(check);
  expect(blind?.map(({ answer }) => answer)).not.toContain('constant');
});

test.each([
  ['reads_as_if_contiguous', LAYOUTS['a transposed matrix']!],
  ['reads_beyond_the_view', PADDED],
])('%s is wrong', async (kernel, layout) => {
  const client = await prepared(named(kernel), layout);
  const { passed, tampering } = await client.result(check);
  expect(passed).toBe(false);
  expect(tampering).toContainEqual(expect.objectContaining({ detector: 'wrong-result' }));
});

test('what lies between the rows of an input is the judge’s, too', async () => {
  const client = await prepared(named('writes_between_the_rows'), PADDED);
  const { tampering } = await client.result(check);
  expect(tampering).toContainEqual(expect.objectContaining({ detector: 'input-changed', tensor: 'x' }));
});

test('elements of the view change from call to call, however few there are in the storage', async () => {
  const sparse = { rows: 1, columns: 400, strides: [1, 1000] } as const;
  const client = await prepared(named('remembers'), sparse);
  const { tampering } = await client.result({ ...sampleRequest('hot', 20), verify: rules });
  expect(tampering).not.toEqual([]);
});

describe('a generator', () => {
  test.each([
    ['make_transposed', LAYOUTS['a transposed matrix']!],
    ['make_repeated', LAYOUTS['one row, repeated']!],
  ])('%s makes elements one after the other, which the judge lays out', async (name, layout) => {
    const client = await prepared(named('sees_a_view'), layout, { generator: named(name) });
    expect(await client.result(check)).toMatchObject({ passed: true, tampering: [] });
    expect(await client.result({ ...sampleRequest('cold', 8), verify: rules })).toMatchObject({
      tampering: [],
    });
  });

  test('that makes two values for one place has failed', async () => {
    const made = prepared(named('rowsum'), LAYOUTS['one row, repeated']!, {
      generator: named('make_transposed'),
    });
    await expect(made).rejects.toThrow(
      /generator-failed: the generator made different values for elements of 'x' that lie at one place/,
    );
  });
});

test.each([
  [{ rows: 2, columns: 3, strides: [-3, 1] as const }, /strides has -3 where an integer of 0 or more/],
  [{ rows: 2, columns: 3, strides: [2 ** 52, 1] as const }, /strides reach further than memory does/],
])('%j is refused', async (layout, message) => {
  await expect(prepared(named('rowsum'), layout)).rejects.toThrow(message);
});

test('an output is not a view', async () => {
  const client = start();
  await client.result(openRequest(client, named('rowsum')));
  const request = prepareRequest({ R: 2, C: 3 }, [
    tensor('x', 'input', [2, 3]),
    tensor('s', 'output', [2], { strides: [2] }),
  ]);
  await expect(client.result(request)).rejects.toThrow(/strides is for inputs/);
});
