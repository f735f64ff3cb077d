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
 * that changes does so evenly, as `height - 2` does.
 */
export function freeSizes(base: Called, tries: readonly FreeSize[]): FreeSize[] {
  const even = tries.filter((one) => one.called.init === base.init && changesEvenly(base, one));
  // An extent of two constants has to be their product.
  return even.filter((one) =>
    formsOf(base).every(({ shape }, tensor) =>
      shape.every((before, at) => {
        const after = (other: FreeSize): number => formsOf(other.called)[tensor]!.shape[at]!;
        const isAlone = even.every((other) => other === one || after(other) === before);
        return isAlone || after(one) === before || lineOf(one, before, after(one))?.rest === 0;
      }),
    ),
  );
}

/** Those of them that every extent is a multiple of. */
export function proportionalSizes(base: Called, free: readonly FreeSize[]): FreeSize[] {
  return free.filter((one) =>
    pairsOf(base, one.called)!.shapes.every(
      ([before, after]) => before === after || lineOf(one, before, after)?.rest === 0,
    ),
  );
}

function changesEvenly(base: Called, one: FreeSize): boolean {
  const pairs = pairsOf(base, one.called);
  if (pairs === undefined) return false;
  const lines = (all: readonly Pair[]) =>
    all.filter(([before, after]) => before !== after).map(([before, after]) => lineOf(one, before, after));
  const [shapes, views] = [lines(pairs.shapes), lines(pairs.views)];
  return (
    shapes.length + views.length > 0 &&
    shapes.every((line) => line !== undefined) &&
    views.every((line) => line?.rest === 0)
  );
}

interface Line {
  readonly factor: number;
  readonly rest: number;
}

/** How an extent follows a constant: `factor * constant + rest`, by the two values that are known of it. */
function lineOf({ value, tried }: FreeSize, before: number, after: number): Line | undefined {
  const factor = (before - after) / (value - tried);
  return Number.isInteger(factor) && factor > 0 ? { factor, rest: before - factor * value } : undefined;
}

function lineText(name: string, { factor, rest }: Line): string {
  const multiple = factor === 1 ? name : `${factor} * ${name}`;
  return rest === 0 ? multiple : `${multiple} ${rest < 0 ? '-' : '+'} ${Math.abs(rest)}`;
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
      const changed = (change: number): number => numbersOf(changes[change]![tensor]!)[at]!;
      const factors = free.filter((_, change) => changed(change) !== number);
      const [only, ...others] = factors;
      const line =
        only && others.length === 0 ? lineOf(only, number, changed(free.indexOf(only))) : undefined;
      if (only !== undefined && line !== undefined) return lineText(only.name, line);
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

type Pair = readonly [before: number, after: number];

/** Extents beside one another, and where views lie; undefined where there are others. */
function pairsOf(
  one: Called,
  other: Called,
): { readonly shapes: Pair[]; readonly views: Pair[] } | undefined {
  const [first, second] = [formsOf(one), formsOf(other)];
  if (first.length !== second.length || one.inputs.length !== other.inputs.length) return undefined;
  const [shapes, views]: [Pair[], Pair[]] = [[], []];
  for (const [at, form] of first.entries()) {
    const beside = second[at]!;
    const [view, otherView] = [viewOf(form), viewOf(beside)];
    const isAlike = form.dtype === beside.dtype && form.shape.length === beside.shape.length;
    if (!isAlike || view.length !== otherView.length) return undefined;
    shapes.push(...form.shape.map((number, index): Pair => [number, beside.shape[index]!]));
    views.push(...view.map((number, index): Pair => [number, otherView[index]!]));
  }
  return { shapes, views };
}
