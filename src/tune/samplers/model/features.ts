/**
 * Numbers computed from several tunables that say more about a kernel's time than each alone: threads of a block,
 * bytes of a tile, work a thread. A space names them itself, in its constraints: each side of a comparison, and each
 * quotient that must come out even, is a quantity that its author found worth bounding.
 */
import { compileTree } from '../../../config/expression/compile-expression.ts';
import { Uncomputable } from '../../../config/expression/evaluate-expression.ts';
import type { Tree } from '../../../config/expression/expression-tree.ts';
import { children } from '../../../config/expression/expression.ts';
import type { Point, Space } from '../../space/space.ts';
import type { Roundness } from './settings.ts';

export interface Feature {
  readonly name: string;
  /** Undefined where it has no value. */
  readonly compute: (point: Point) => number | undefined;
}

/** The logarithm of every positive sub-expression of the constraints that depends on a tunable. */
export function constraintFeatures(space: Space): Feature[] {
  const formulas = new Map<string, Tree>();
  for (const { tree } of space.constraints) collect(tree, formulas);
  return [...formulas].flatMap(([name, tree]) => {
    const value = compiled(tree, space);
    return value === undefined ? [] : [{ name, compute: logarithm(value) }];
  });
}

/**
 * Products of tunables that are named alike: `block_size_x`, `block_size_y` (a block), `block_size_x`, `tile_size_x`
 * (what a block covers along x).
 */
export function nameFeatures(space: Space): Feature[] {
  const groups = new Map<string, number[]>();
  for (const [at, { name, kind, values }] of space.parameters.entries()) {
    const [, stem, axis] = /^(.*?)_?([xyzmnk])$/i.exec(name) ?? [];
    if (stem === undefined || axis === undefined || stem === '') continue;
    if (kind !== 'ordered' || !(Number(values[0]) > 0)) continue;
    for (const key of [`${stem}_*`, `*_${axis}`]) groups.set(key, [...(groups.get(key) ?? []), at]);
  }
  const valueAt = (point: Point, at: number) => Number(space.parameters[at]!.values[point[at]!]);
  return [...groups]
    .filter(([, members]) => members.length > 1)
    .map(([name, members]) => ({
      name,
      compute: (point) => members.reduce((sum, at) => sum + Math.log2(valueAt(point, at)), 0),
    }));
}

/** Halvings counted: 32 lanes are a warp, and few things are aligned to more. */
const MOST_HALVINGS = 5;

/**
 * How round the tunables' values are: how often each can be halved, whether it is a power of two, and how many are
 * not. Warps, vector loads, banks and problem sizes favour round numbers, which an order of values does not show; where
 * all are powers of two, a problem that is one too divides evenly, and no edge needs care.
 */
export function roundnessFeatures(space: Space, kinds: readonly Roundness[]): Feature[] {
  const sizes = sizesOf(space);
  const features: Feature[] = [];
  if (kinds.includes('count')) features.push({ name: 'powers of two', compute: powersOfTwo(space) });
  for (const { name, at, halvings, powers } of sizes) {
    if (kinds.includes('halvings')) {
      features.push({ name: `halvings of ${name}`, compute: (point) => halvings[point[at]!] });
    }
    if (kinds.includes('powers')) {
      features.push({ name: `${name} is a power of two`, compute: (point) => powers[point[at]!] });
    }
  }
  return features;
}

/** How many of a point's sizes are powers of two, of those that need not be. */
export function powersOfTwo(space: Space): (point: Point) => number {
  const sizes = sizesOf(space);
  return (point) => sizes.reduce((sum, { at, powers }) => sum + powers[point[at]!]!, 0);
}

interface Size {
  readonly name: string;
  readonly at: number;
  readonly halvings: readonly number[];
  readonly powers: readonly number[];
}

function sizesOf(space: Space): Size[] {
  return space.parameters.flatMap(({ name, kind, values }, at) => {
    // What starts at 0 chooses a method or counts something; a size has at least 1.
    const isSize =
      kind === 'ordered' && values.every((value) => Number.isInteger(value) && Number(value) > 0);
    const powers = values.map((value) => isPowerOfTwo(Number(value)));
    // Among powers of two the order of values says it all.
    if (!isSize || values.length < 3 || !powers.includes(0)) return [];
    return [{ name, at, halvings: values.map((value) => halvingsOf(Number(value))), powers }];
  });
}

function isPowerOfTwo(value: number): number {
  return Number.isInteger(Math.log2(value)) ? 1 : 0;
}

function halvingsOf(value: number): number {
  let halvings = 0;
  for (let rest = value; rest % 2 === 0 && halvings < MOST_HALVINGS; rest /= 2) halvings++;
  return halvings;
}

function collect(tree: Tree, found: Map<string, Tree>): void {
  if (tree.type === 'arithmetic' || tree.type === 'call') {
    // What must divide evenly is worth knowing as a quotient; the remainder is always the same.
    const kept: Tree =
      tree.type === 'arithmetic' && tree.operator === '%' ? { ...tree, operator: '/' } : tree;
    found.set(textOf(kept), kept);
  }
  for (const child of children(tree)) collect(child, found);
}

/** A text that is the same for the same formula. */
function textOf(tree: Tree): string {
  if (tree.type === 'value') return String(tree.value);
  if (tree.type === 'name') return tree.name;
  const operator = 'operator' in tree ? tree.operator : tree.type === 'call' ? tree.name : tree.type;
  return `${operator}(${children(tree).map(textOf).join(', ')})`;
}

function compiled(tree: Tree, space: Space): ((point: Point) => number | undefined) | undefined {
  const slots = new Map(space.parameters.map(({ name }, at) => [name, at]));
  try {
    const evaluate = compileTree(tree, (name) => {
      const slot = slots.get(name);
      if (slot !== undefined) return { slot };
      return Object.hasOwn(space.constants, name) ? { value: space.constants[name]! } : undefined;
    });
    return (point) => {
      try {
        const value = evaluate(space.parameters.map(({ values }, at) => values[point[at]!]!));
        return typeof value === 'number' ? value : undefined;
      } catch (error) {
        if (error instanceof Uncomputable) return undefined;
        throw error;
      }
    };
  } catch (error) {
    if (error instanceof Uncomputable) return undefined;
    throw error;
  }
}

function logarithm(compute: (point: Point) => number | undefined): (point: Point) => number | undefined {
  return (point) => {
    const value = compute(point);
    return value !== undefined && value > 0 ? Math.log2(value) : undefined;
  };
}
