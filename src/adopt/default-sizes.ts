import { Expression } from '../config/expression/expression.ts';

/** Elements of the largest tensor that a first case has: an instant on either device, and more than its launch. */
const ELEMENTS = { cpu: 2 ** 16, cuda: 2 ** 22 } as const;

/**
 * Sizes for dimensions that were not named: the same power of two for each that shapes use, and 1 for each that they
 * do not (flags, strides, …), whose meaning cannot be guessed.
 */
export function defaultSizes(
  dims: readonly string[],
  shapes: readonly (readonly string[] | undefined)[],
  told: Readonly<Record<string, number>>,
  device: 'cpu' | 'cuda',
): Record<string, number> {
  const known = shapes.filter((shape) => shape !== undefined);
  const used = new Set(
    known.flat().flatMap((extent) => Expression.parse(extent).names.map(({ name }) => name)),
  );
  const isUsed = (name: string) => used.has(name) || known.length < shapes.length;
  const rank = Math.max(1, ...known.map((shape) => shape.length), known.length < shapes.length ? 2 : 1);
  const size = 2 ** Math.floor(Math.log2(ELEMENTS[device]) / rank);
  return Object.fromEntries(dims.map((name) => [name, told[name] ?? (isUsed(name) ? size : 1)]));
}

/** Which of a case's sizes were not named. */
export function sizesComment(dims: readonly string[], told: Readonly<Record<string, number>>): string {
  const assumed = dims.filter((name) => told[name] === undefined);
  return assumed.length === 0
    ? 'as given'
    : `assumed: ${assumed.join(', ')}; write the sizes that matter to you`;
}
