import type { Expression } from '../../config/expression/expression.ts';
import type { TunableValue, Variant } from '../../model/problem/variant.ts';
import type { Random } from '../../stats/random.ts';

/** A tunable as a search sees it. Ordered values are numbers in rising order; others have no order. */
export interface Parameter {
  readonly name: string;
  readonly kind: 'ordered' | 'categorical' | 'boolean';
  readonly values: readonly TunableValue[];
}

/** A variant as indices: for each parameter, in the space's order, which of its values. */
export type Point = readonly number[];

/** The variants that satisfy every constraint. A tunable that does not apply (`when`) stays at its default. */
export interface Space {
  readonly parameters: readonly Parameter[];
  /** What every point satisfies; samplers read features off their sub-expressions (threads, bytes of a tile). */
  readonly constraints: readonly Expression[];
  /** Dimensions of the case and limits of the device, which constraints may name. */
  readonly constants: Readonly<Record<string, number>>;
  /** How many feasible points there are; undefined where they are too many to count. */
  readonly size: number | undefined;
  contains(point: Point): boolean;
  /** Every feasible point, in a fixed order; undefined where they are too many to hold. */
  all(): readonly Point[] | undefined;
  /** Distinct feasible points, uniformly drawn; fewer where there are fewer. */
  sample(count: number, random: Random): Point[];
  /** Feasible points that differ in one parameter; `ordered`: by one step only. */
  neighbours(point: Point, reach: 'step' | 'any'): Point[];
  variantOf(point: Point): Variant;
  /** Undefined for a value that is not in the space, or an infeasible variant. */
  pointOf(variant: Variant): Point | undefined;
}

/** The same point always has the same text. */
export function pointKey(point: Point): string {
  return point.join(',');
}
