import type { Called, Form } from './inspection.ts';

/** A constant of the file that its inputs grow with, and nothing that a constructor gets. */
export interface FreeSize {
  readonly name: string;
  readonly value: number;
  /** The value that was tried instead and its outcome. */
  readonly tried: number;
  readonly called: Called;
}

/** Extents of every tensor as formulas over the free sizes, in the order inputs, weights, outputs. */
export type Formulas = readonly (readonly string[])[];

/**
 * Constants that can be changed safely: the constructor's arguments and the weights stay as they are, and every extent
 * that changes does so in proportion.
 */
export function freeSizes(base: Called, tries: readonly FreeSize[]): FreeSize[] {
  return tries.filter(({ called, value, tried }) => {
    if (called.init !== base.init) return false;
    const pairs = pairsOf(base, called);
    if (pairs === undefined) return false;
    const changed = pairs.filter(([before, after]) => before !== after);
    return (
      changed.length > 0 &&
      changed.every(([before, after]) => before % value === 0 && after === (before / value) * tried)
    );
  });
}

export function formulasOf(base: Called, free: readonly FreeSize[]): Formulas {
  return formulasFor(base, free, ({ shape }) => shape);
}

/** The same of the strides and the offset of inputs that are views; empty of others. */
export function viewFormulasOf(base: Called, free: readonly FreeSize[]): Formulas {
  return formulasFor(base, free, viewOf);
}

function formulasFor(
  base: Called,
  free: readonly FreeSize[],
  numbersOf: (form: Form) => readonly number[],
): Formulas {
  const changes = free.map(({ called }) => formsOf(called));
  return formsOf(base).map((form, tensor) =>
    numbersOf(form).map((number, at) => {
      const factors = free.filter((_, change) => numbersOf(changes[change]![tensor]!)[at] !== number);
      const rest = factors.reduce((left, { value }) => left / value, number);
      // Two constants that stand for one extent would multiply: then it stays a number.
      if (!Number.isInteger(rest) || factors.length === 0) return String(number);
      const names = factors.map(({ name }) => name).join(' * ');
      return rest === 1 ? names : `${rest} * ${names}`;
    }),
  );
}

function viewOf({ strides, offset = 0 }: Form): readonly number[] {
  return strides === undefined ? [] : [...strides, offset];
}

/** A batch of one, or a length of one, is another problem: means, norms and broadcasts change their meaning there. */
const LEAST_SIZE = 4;

/** Sizes halved, the largest first, until what they make fits or none can be smaller. */
export function fittingSizes(
  start: Readonly<Record<string, number>>,
  bytesOf: (sizes: Readonly<Record<string, number>>) => number,
  most_bytes: number,
): Record<string, number> {
  const sizes = { ...start };
  while (bytesOf(sizes) > most_bytes) {
    const [name, value] = Object.entries(sizes).sort(([, a], [, b]) => b - a)[0] ?? ['', 1];
    if (value <= LEAST_SIZE) break;
    sizes[name] = Math.max(LEAST_SIZE, Math.ceil(value / 2));
  }
  return sizes;
}

export function formsOf({ inputs, weights, outputs }: Called): Form[] {
  return [...inputs, ...weights, ...outputs];
}

/** Extents beside one another; undefined where there are others. */
function pairsOf(one: Called, other: Called): [number, number][] | undefined {
  const [first, second] = [formsOf(one), formsOf(other)];
  if (first.length !== second.length || one.inputs.length !== other.inputs.length) return undefined;
  const pairs: [number, number][] = [];
  for (const [at, form] of first.entries()) {
    const beside = second[at]!;
    const [numbers, others] = [form, beside].map((each) => each.shape.concat(viewOf(each)));
    const isAlike = form.dtype === beside.dtype && form.shape.length === beside.shape.length;
    if (!isAlike || numbers!.length !== others!.length) return undefined;
    pairs.push(...numbers!.map((number, index): [number, number] => [number, others![index]!]));
  }
  return pairs;
}
