import { describe, expect, it } from 'vitest';

import { loadConfig } from '../../src/config/load-config.ts';
import type { LoadedConfig } from '../../src/config/load-config.ts';
import { planFuzz } from '../../src/config/plan-fuzz.ts';
import { planKernel } from '../../src/config/plan-kernel.ts';
import { parseReplayLine, replayLine } from '../../src/correctness/replay-line.ts';
import { PawlError } from '../../src/model/pawl-error.ts';
import { mayOverlap, storageBytes, tensorBytes } from '../../src/model/problem/tensor.ts';
import { tempProject } from './temp-project.ts';

interface Parts {
  readonly ids?: string;
  readonly x?: string;
  /** A tensor of f4e2m1 beside the others. */
  readonly w?: string;
  readonly kernel?: string;
}

async function load({ ids = '', x = '', w, kernel = '' }: Parts): Promise<LoadedConfig> {
  const root = await tempProject({
    'gather.c': '',
    'pawl.yaml': `version: 1
problems:
  gather:
    dims: [N, V]
    tensors:
      x: { role: input, dtype: f16, shape: [V]${x} }
      ids: { role: input, dtype: i32, shape: [N]${ids} }
${w === undefined ? '' : `      w: { role: input, dtype: f4e2m1, ${w} }\n`}      y: { role: output, dtype: f16, shape: [N] }
      loss: { role: output, dtype: f32, shape: [] }
    cases: { small: { N: 8, V: 4 }, large: { N: 8, V: 1000 } }
kernels:
  gather: { problem: gather, device: cpu, language: c, sources: [gather.c]${kernel} }
`,
  });
  return loadConfig(root);
}

async function mistakes(parts: Parts): Promise<string[]> {
  const failure: unknown = await load(parts).catch((error: unknown) => error);
  if (!(failure instanceof PawlError)) return [];
  return failure.message.split('\n').map((line) => line.replace(/^.*pawl\.yaml:\d+:\d+: /, ''));
}

const dtypesOf = (loaded: LoadedConfig) =>
  planKernel(loaded, 'gather').cases[0]?.tensors.map(({ dtype }) => dtype);

describe('the types of a kernel', () => {
  it('replace those of all floating tensors, or only of those that are named', async () => {
    expect(dtypesOf(await load({}))).toEqual(['f16', 'i32', 'f16', 'f32']);
    expect(dtypesOf(await load({ kernel: ', dtype: bf16' }))).toEqual(['bf16', 'i32', 'bf16', 'bf16']);
    const named = await load({ kernel: ', dtype: { x: bf16, y: bf16 }' });
    expect(dtypesOf(named)).toEqual(['bf16', 'i32', 'bf16', 'f32']);
    // The loss is what it was, and so is what it may be off.
    const { tolerance } = planKernel(named, 'gather').cases[0]!;
    expect(tolerance).toMatchObject({ atol: 1.6e-2, outputs: { loss: { atol: 2e-3 } } });
  });

  it('are fuzzed by turns, and written into the line that replays a case', async () => {
    const loaded = await load({ kernel: ', dtypes: [f16, { y: bf16, x: bf16 }]' });
    expect(dtypesOf(loaded)).toEqual(['f16', 'i32', 'f16', 'f16']);
    const { dtypes } = planFuzz(loaded, 'gather').parts;
    expect(dtypes).toEqual(['f16', 'x:bf16,y:bf16']);
    const each = { dims: { N: 1, V: 2 }, dtype: dtypes[1]!, values: {}, seed: '5' };
    expect(replayLine(each)).toBe('N=1,V=2 dtype=x:bf16,y:bf16 seed=5');
    expect(parseReplayLine(replayLine(each))).toEqual(each);
    expect(planFuzz(loaded, 'gather').plan('x', each.dims, each.dtype)?.tensors[3]?.dtype).toBe('f32');
  });

  it.each([
    ['{ z: bf16 }', 'kernels.gather.dtype.z: the problem has no such tensor'],
    ['{ ids: f32 }', 'kernels.gather.dtype.ids: is i32, and only floating types are replaced'],
    ['{}', 'kernels.gather.dtype: names no tensor'],
  ])('are refused as %s', async (dtype, message) => {
    expect(await mistakes({ kernel: `, dtype: ${dtype}` })).toContain(message);
  });
});

describe('a tensor', () => {
  it('may be a single number', async () => {
    const [small] = planKernel(await load({}), 'gather').cases;
    expect(small?.tensors[3]).toMatchObject({ name: 'loss', shape: [] });
    expect(small?.bytes).toBe(2 * 4 + 4 * 8 + 2 * 8 + 4);
  });

  it('is filled by formulas over the dimensions', async () => {
    const { cases } = planKernel(
      await load({ ids: ', fill: { kind: integers, low: 0, high: V - 1 }' }),
      'gather',
    );
    expect(cases.map(({ tensors }) => tensors[1]?.fill)).toEqual([
      { kind: 'integers', low: 0, high: 3 },
      { kind: 'integers', low: 0, high: 999 },
    ]);
  });

  it('of f4e2m1 has two elements in a byte, and keeps its type', async () => {
    const loaded = await load({ w: 'shape: [N, V]', kernel: ', dtype: bf16' });
    const [small] = planKernel(loaded, 'gather').cases;
    expect(small?.tensors.map(({ dtype }) => dtype)).toEqual(['bf16', 'i32', 'f4e2m1', 'bf16', 'bf16']);
    expect(tensorBytes(small!.tensors[2]!)).toBe(16);
  });

  it('may be a view, whose elements that share a place count once', async () => {
    const [small] = planKernel(await load({ x: ', strides: [2 * N], offset: V - 1' }), 'gather').cases;
    expect(small?.tensors[0]).toMatchObject({ shape: [4], strides: [16], offset: 3 });
    expect(tensorBytes(small!.tensors[0]!)).toBe(2 * 4);
    expect(storageBytes(small!.tensors[0]!)).toBe(2 * (3 + 3 * 16 + 1));
    const [repeated] = planKernel(await load({ x: ', strides: [0]' }), 'gather').cases;
    expect(repeated?.bytes).toBe(2 + 4 * 8 + 2 * 8 + 4);
  });

  it.each([
    [[4, 3], [3, 1], 12],
    [[4, 3], [1, 4], 12],
    [[4, 3], [10, 2], 12],
    [[4, 3], [0, 1], 3],
    [[4, 3], [0, 0], 1],
    // Windows of 3 that slide over 6 elements: 4 are certain.
    [[4, 3], [1, 1], 4],
    [[2, 100], [1000, 0], 2],
    [[1, 3], [0, 1], 3],
  ])('of shape %j and strides %j has %i elements that surely lie apart', (shape, strides, apart) => {
    const tensor = { dtype: 'i8' as const, shape, strides };
    expect(tensorBytes(tensor)).toBe(apart);
    expect(mayOverlap(tensor)).toBe(apart < shape[0]! * shape[1]!);
  });

  it.each<[Parts, string]>([
    [{ x: ', strides: [N, 1]' }, 'problems.gather.tensors.x.strides: has 2 strides, and the shape 1 axes'],
    [
      { w: 'shape: [N, V], strides: [V, 1]' },
      'problems.gather.tensors.w.strides: a tensor of f4e2m1 cannot be a view, because a byte holds two of its elements, in case small',
    ],
    [
      { w: 'shape: [N, V - 1]' },
      'problems.gather.tensors.w.shape: a byte holds two elements of f4e2m1, so its last axis has to be even, and it is 3 in case small',
    ],
    [
      { w: 'shape: []' },
      'problems.gather.tensors.w.shape: a byte holds two elements of f4e2m1, so its last axis has to be even, and it is 1 in case small',
    ],
    [
      { w: 'shape: [N], fill: { kind: nonfinite, values: [nan] }' },
      'problems.gather.tensors.w.fill.kind: f4e2m1 has neither NaN nor infinities',
    ],
    [
      { w: 'shape: [N]', kernel: ', dtype: { w: f16 }' },
      'kernels.gather.dtype.w: is f4e2m1, which is packed',
    ],
    [{ x: ', offset: 3' }, 'problems.gather.tensors.x.offset: is only for a tensor with `strides`'],
    [
      { x: ', strides: [-1]' },
      'problems.gather.tensors.x.strides[0]: `-1` is -1 in case small, not an integer of 0 or more: PyTorch has no negative strides',
    ],
    [
      { x: ', strides: [N / 3]' },
      `problems.gather.tensors.x.strides[0]: \`N / 3\` is ${8 / 3} in case small, not an integer of 0 or more: PyTorch has no negative strides`,
    ],
    [{ x: ', strides: [W]' }, 'problems.gather.tensors.x.strides[0]: `W` is not a dimension; there are N, V'],
    [
      { x: ', strides: [2 ** 52]' },
      'problems.gather.tensors.x.strides: reach over more than 2^53 bytes, in case small',
    ],
    [
      { ids: ', fill: { kind: integers, low: 0, high: W - 1 }' },
      'problems.gather.tensors.ids.fill.high: `W` is not a dimension; there are N, V',
    ],
    [
      { ids: ', fill: { kind: integers, low: 0, high: V / 3 }' },
      `problems.gather.tensors.ids.fill.high: ${4 / 3} is not an integer, in case small`,
    ],
    [
      { ids: ', fill: { kind: integers, low: 5, high: V }' },
      'problems.gather.tensors.ids.fill.low: 5 is greater than `high`, 4, in case small',
    ],
    [
      { ids: ', fill: { kind: integers, low: 0, high: V * 2 ** 30 }' },
      'problems.gather.tensors.ids.fill: does not fit i32 (-2147483648 to 2147483647), in case small',
    ],
    [
      { ids: ', fill: { kind: integers, low: 0, high: 1 / 0 }' },
      'problems.gather.tensors.ids.fill.high: division by zero at character 3 of `1 / 0`, in case small',
    ],
    [
      { ids: ', fill: { kind: integers, low: 3, high: 2 }' },
      'problems.gather.tensors.ids.fill.low: 3 is greater than `high`, 2',
    ],
    [
      { ids: ', fill: { kind: constant, value: 0.5 }' },
      'problems.gather.tensors.ids.fill.value: 0.5 is not an integer',
    ],
    [{ x: ', fill: { kind: normal, std: -1 }' }, 'problems.gather.tensors.x.fill.std: -1 is less than 0'],
  ])('is refused as %j', async (parts, message) => {
    expect(await mistakes(parts)).toContain(message);
  });
});
