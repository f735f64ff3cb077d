import { writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { judgeSources } from '../../src/config/judge-sources.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { planFuzz } from '../../src/config/plan-fuzz.ts';
import { planKernel } from '../../src/config/plan-kernel.ts';
import { underJudge } from '../../src/config/under-judge.ts';
import { generateCase } from '../../src/correctness/generate-case.ts';
import { caseDifference } from '../../src/judge/settle-cases.ts';
import { PawlError } from '../../src/model/pawl-error.ts';
import { recordedContents } from '../../src/model/problem/tensor.ts';
import { npy, safetensors, withHeader } from './recorded-files.ts';
import { tempProject } from './temp-project.ts';

const X = new Float32Array([1, 2, 3, 4, 5, 6]);
const FILE = npy(X, [2, 3]);

interface Parts {
  readonly x?: string;
  readonly xType?: string;
  readonly ids?: string;
  readonly cases?: string;
  readonly more?: string;
}

function yaml({
  x = '{ file: data/x.npy }',
  xType = 'f32',
  ids = '{ kind: integers, low: 0, high: 5 }',
  cases = '{ small: { N: 2, M: 3 } }',
  more = '',
}: Parts = {}): string {
  return `version: 1
problems:
  rows:
    dims: [N, M]
    tensors:
      x: { role: input, dtype: ${xType}, shape: [N, M], fill: ${x} }
      ids: { role: input, dtype: i32, shape: [N], fill: ${ids} }
      y: { role: output, dtype: f32, shape: [N] }
    ${more}
    cases: ${cases}
kernels:
  rows: { problem: rows, device: cpu, language: c, sources: [rows.c], dtypes: [f32, bf16] }
`;
}

const project = (parts: Parts = {}, files: Readonly<Record<string, Uint8Array>> = { 'data/x.npy': FILE }) =>
  tempProject({ 'rows.c': '', 'make.py': '', ...files, 'pawl.yaml': yaml(parts) });

async function failure(parts: Parts, files?: Readonly<Record<string, Uint8Array>>): Promise<PawlError> {
  const thrown: unknown = await loadConfig(await project(parts, files)).catch((error: unknown) => error);
  if (thrown instanceof PawlError) return thrown;
  throw new Error('nothing was wrong with it', { cause: thrown });
}

async function fillOf(parts: Parts, files?: Readonly<Record<string, Uint8Array>>, name = 'small') {
  const root = await project(parts, files);
  const plan = planKernel(await loadConfig(root), 'rows');
  return { root, fill: plan.cases.find((one) => one.name === name)?.tensors[0]?.fill };
}

const sha256 = (values: ArrayBufferView): string =>
  createHash('sha256')
    .update(Buffer.from(values.buffer, values.byteOffset, values.byteLength))
    .digest('hex');

describe('an input that is recorded', () => {
  it('in a .npy file is known by where it lies and what it hashes to', async () => {
    const { root, fill } = await fillOf({});
    const path = join(root, 'data/x.npy');
    expect(fill).toEqual({
      kind: 'recorded',
      dtype: 'f32',
      recordings: [{ path, offset: FILE.length - X.byteLength, sha256: sha256(X) }],
      vary: true,
    });
  });

  it('in a .npy file of version 2', async () => {
    const { fill } = await fillOf({}, { 'data/x.npy': npy(X, [2, 3], { version: 2 }) });
    expect(fill).toMatchObject({ recordings: [{ sha256: sha256(X) }] });
  });

  it('in a .safetensors file is one of its tensors, whatever the others are', async () => {
    const other = new Int32Array([7, 8]);
    const file = safetensors({
      other: { dtype: 'I32', shape: [2], values: other },
      'layer.q': { dtype: 'F32', shape: [2, 3], values: X },
    });
    const { fill } = await fillOf(
      { x: '{ file: data/all.safetensors, tensor: layer.q }' },
      { 'data/all.safetensors': file },
    );
    expect(fill).toMatchObject({ recordings: [{ offset: file.length - 24, sha256: sha256(X) }] });
  });

  it('may have another file in each case, and several, which are used in turn', async () => {
    const parts = {
      x: '{ file: { small: [data/a.npy, data/b.npy], wide: data/c.npy } }',
      cases: '{ small: { N: 2, M: 3 }, wide: { N: 1, M: 6 } }',
    };
    const files = {
      'data/a.npy': FILE,
      'data/b.npy': npy(
        X.map((value) => -value),
        [2, 3],
      ),
      'data/c.npy': npy(X, [1, 6]),
    };
    const small = await fillOf(parts, files);
    expect(small.fill).toMatchObject({
      recordings: [{ path: join(small.root, 'data/a.npy') }, { path: join(small.root, 'data/b.npy') }],
    });
    const wide = await fillOf(parts, files, 'wide');
    expect(wide.fill).toMatchObject({ recordings: [{ path: join(wide.root, 'data/c.npy') }] });
  });

  it('of a small type may be recorded as f32, which NumPy has', async () => {
    const { fill } = await fillOf({ xType: 'bf16' });
    expect(fill).toMatchObject({ kind: 'recorded', dtype: 'f32' });
  });

  it.each([
    ['f32', '', true],
    ['f32', ', vary: false', false],
    ['i32', '', false],
    ['i32', ', vary: true', true],
  ])('of %s with `%s` changes from call to call: %s', async (xType, vary, changes) => {
    const file = xType === 'f32' ? FILE : npy(new Int32Array(6), [2, 3], { descr: '<i4' });
    const { fill } = await fillOf({ xType, x: `{ file: data/x.npy${vary} }` }, { 'data/x.npy': file });
    expect(fill).toMatchObject({ vary: changes });
  });
});

describe('a file that does not hold what it should ends with bad data and one sentence', () => {
  const long = Buffer.concat([FILE, Buffer.from([0])]);
  const tensors = { q: { dtype: 'F32', shape: [2, 3], values: X } };
  const plain = safetensors(tensors);
  const named = { x: '{ file: data/x.safetensors, tensor: q }' };
  const hostile = (dict: string) =>
    Buffer.concat([
      Buffer.from('\u0093NUMPY\u0001\u0000', 'latin1'),
      Buffer.from(Uint16Array.of(dict.length).buffer),
      Buffer.from(dict, 'latin1'),
    ]);
  const header = (entry: object) => withHeader(JSON.stringify({ q: entry }), Buffer.alloc(24));

  it.each<[string, Buffer, RegExp]>([
    ['text', Buffer.from('hello'), /x\.npy: it is not a \.npy file$/],
    ['nothing', Buffer.alloc(0), /it is not a \.npy file/],
    ['a beginning', FILE.subarray(0, 9), /it is cut short: its header is not whole/],
    ['half a header', FILE.subarray(0, 40), /it is cut short: its header is not whole/],
    [
      'half of the contents',
      FILE.subarray(0, -5),
      /it is cut short: 5 of 24 bytes of its contents are missing/,
    ],
    ['more than its contents', long, /1 bytes follow its contents/],
    ['another shape', npy(X, [3, 2]), /its shape is \[3, 2\], and \[2, 3\] is declared in case small/],
    ['another type', npy(new Float64Array(6), [2, 3], { descr: '<f8' }), /it holds f64, and f32 is declared/],
    ['objects', npy(X, [2, 3], { descr: '|O' }), /its elements are "\|O", which no tensor can be/],
    ['the other byte order', npy(X, [2, 3], { descr: '>f4' }), /its elements are big-endian \(>f4\)/],
    [
      'structures',
      hostile("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,), }"),
      /not one of \.npy/,
    ],
    ['a key twice', hostile("{'descr': '<f4', 'descr': '<f4', 'shape': (2, 3), }"), /not one of \.npy/],
    ['a long number', hostile(`{'shape': (${'1'.repeat(9000)}x`), /not one of \.npy/],
    ['blanks', hostile(`{'shape'${' '.repeat(3000)}:${' '.repeat(3000)}x`), /not one of \.npy/],
    ['columns first', npy(X, [2, 3], { fortran: true }), /in the order of Fortran/],
    ['an endless shape', npy(X, [1e15, 1e15]), /its shape is \[1000000000000000, 1000000000000000\]/],
    [
      'a header that claims 4 GB',
      Buffer.concat([Buffer.from('\u0093NUMPY\u0002\u0000\u00ff\u00ff\u00ff\u00ff', 'latin1'), FILE]),
      /its header claims 4294967295 bytes, more than 10000/,
    ],
  ])('.npy with %s', async (_, file, message) => {
    const thrown = await failure({}, { 'data/x.npy': file });
    expect(thrown).toMatchObject({ kind: 'bad-data' });
    expect(thrown.message).toMatch(message);
    expect(thrown.message.split('\n')).toHaveLength(1);
  });

  it.each<[string, Buffer, RegExp]>([
    ['nothing', Buffer.alloc(3), /it is cut short: its header is not whole/],
    ['half a header', plain.subarray(0, 20), /its header of \d+ bytes is not whole/],
    ['half of the contents', plain.subarray(0, -5), /it is cut short: 5 of 24 bytes are missing/],
    [
      'an endless header',
      withHeader('{}', Buffer.alloc(9), 1n << 62n),
      /its header claims 4611686018427387904 bytes/,
    ],
    ['text for a header', withHeader('hello', Buffer.alloc(9)), /its header is not one of \.safetensors/],
    ['a list for a header', withHeader('[1]', Buffer.alloc(9)), /its header is not one of \.safetensors/],
    ['other names', safetensors({ p: tensors.q }), /it has no tensor "q"; it has "p"/],
    [
      'offsets that do not fit',
      header({ dtype: 'F32', shape: [2, 3], data_offsets: [0, 20] }),
      /gives 20 bytes to \[2, 3\]/,
    ],
    [
      'offsets below zero',
      header({ dtype: 'F32', shape: [2, 3], data_offsets: [-4, 20] }),
      /does not say what "q" is/,
    ],
    [
      'a type of its own',
      header({ dtype: 'F7', shape: [2, 3], data_offsets: [0, 24] }),
      /its elements are "F7"/,
    ],
    ['a number for an entry', withHeader('{"q": 7}', Buffer.alloc(9)), /does not say what "q" is/],
  ])('.safetensors with %s', async (_, file, message) => {
    const thrown = await failure(named, { 'data/x.safetensors': file });
    expect(thrown).toMatchObject({ kind: 'bad-data' });
    expect(thrown.message).toMatch(message);
  });

  it('is told beside other mistakes, and those make it a mistake of pawl.yaml', async () => {
    const thrown = await failure({ more: 'operations: N * Q' }, { 'data/x.npy': FILE.subarray(0, -1) });
    expect(thrown.kind).toBe('configuration');
    expect(thrown.message.split('\n')).toHaveLength(2);
  });
});

describe('pawl.yaml says what cannot be', () => {
  it.each<[string, Parts, RegExp]>([
    ['no such file', { x: '{ file: data/absent.npy }' }, /fill\.file: "data\/absent\.npy": no such file/],
    ['another kind of file', { x: '{ file: data/x.csv }' }, /fill\.file: .*ends in \.npy or \.safetensors/],
    [
      'a name for a .npy file',
      { x: '{ file: data/x.npy, tensor: q }' },
      /fill\.tensor: a \.npy file holds one tensor/,
    ],
    ['no name for a .safetensors file', { x: '{ file: x.safetensors }' }, /`tensor` says which/],
    ['another key', { x: '{ file: data/x.npy, fiel: y }' }, /fill\.fiel: unknown key/],
    ['a number for a file', { x: '{ file: 7 }' }, /fill\.file: /],
    [
      'a case without one',
      { x: '{ file: { small: data/x.npy } }', cases: '{ small: { N: 2, M: 3 }, large: { N: 4, M: 3 } }' },
      /fill\.file: has no file for case large/,
    ],
    [
      'a generator beside it',
      { more: 'generator: { module: make.py, function: f }' },
      /the problem has a `generator`/,
    ],
    [
      'nothing that changes from call to call',
      { x: '{ file: data/x.npy, vary: false }', ids: '{ kind: constant, value: 1 }' },
      /no input of this problem changes from call to call/,
    ],
    [
      'as many recordings as it likes',
      { x: '{ file: [data/x.npy, data/x.npy] }', ids: '{ file: [data/i.npy, data/i.npy, data/i.npy] }' },
      /ids\.fill\.file: has 3 recordings, and x 2/,
    ],
  ])('%s', async (_, parts, message) => {
    const files = { 'data/x.npy': FILE, 'data/i.npy': npy(new Int32Array(2), [2], { descr: '<i4' }) };
    expect((await failure(parts, files)).message).toMatch(message);
  });
});

describe('what is recorded is part of what is asked', () => {
  it('its files are the judge’s', async () => {
    const root = await project();
    const loaded = await loadConfig(root);
    expect(judgeSources(planKernel(loaded, 'rows'))).toEqual([join(root, 'data/x.npy')]);
    expect(judgeSources(loaded.config.problems['rows']!)).toEqual(['data/x.npy']);
  });

  it('a change is given what its base has recorded', async () => {
    const [base, change] = [
      await project(),
      await project(
        {},
        {
          'data/x.npy': npy(
            X.map(() => 0),
            [2, 3],
          ),
        },
      ),
    ];
    const judged = underJudge(await loadConfig(change), await loadConfig(base));
    expect(planKernel(judged, 'rows').cases[0]?.tensors[0]?.fill).toMatchObject({
      recordings: [{ path: join(base, 'data/x.npy'), sha256: sha256(X) }],
    });
  });

  it('contents that were edited are another case, and the same ones in another folder are not', async () => {
    const found = async (root: string) => {
      const plan = planKernel(await loadConfig(root), 'rows');
      return { plan, case: plan.cases[0]! };
    };
    const root = await project();
    const before = await found(root);
    expect(caseDifference(before, await found(await project()))).toBeUndefined();
    await writeFile(
      join(root, 'data/x.npy'),
      npy(
        X.map((value) => value + 1),
        [2, 3],
      ),
    );
    const after = await found(root);
    expect(caseDifference(before, after)).toBe('the baseline has other recorded inputs under this name.');
    expect(recordedContents(after.case.tensors)).not.toEqual(recordedContents(before.case.tensors));
  });

  it('fuzzing draws no other sizes, and no values for it', async () => {
    const root = await project();
    const space = planFuzz(await loadConfig(root), 'rows');
    expect(space.parts.inputs).toEqual([]);
    for (let index = 0; index < 20; index++) {
      expect(generateCase(space, 5n, index)).toMatchObject({ dims: { N: 2, M: 3 }, values: {} });
    }
    expect(space.contains({ N: 1, M: 3 })).toBe(false);
  });
});
