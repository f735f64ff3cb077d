import type { Parameter, Point } from '../../space/space.ts';

/** One thing that the model sees of a point: a tunable, or a number computed from several. */
export interface Column {
  readonly name: string;
  readonly isTunable: boolean;
  /** Its levels have no order: any two are equally far apart. */
  readonly isCategorical: boolean;
  /** Where each level lies in [0, 1]. */
  readonly positions: Float64Array;
  levelOf(point: Point): number;
}

/** How far apart two levels without order are, where the ends of an order are 1 apart. */
const CATEGORICAL_DISTANCE = 0.5;

export function distance(column: Column, one: number, other: number): number {
  if (column.isCategorical) return one === other ? 0 : CATEGORICAL_DISTANCE;
  return Math.abs(column.positions[one]! - column.positions[other]!);
}

export function tunableColumn(parameter: Parameter, at: number): Column {
  return {
    name: parameter.name,
    isTunable: true,
    isCategorical: parameter.kind === 'categorical' && parameter.values.length > 2,
    positions: positionsOf(parameter),
    levelOf: (point) => point[at]!,
  };
}

/** Half-way between ranks and logarithms: 1, 2, 4 … are evenly spaced in both, 32, 64, 96 … should not be in one only. */
function positionsOf({ kind, values }: Parameter): Float64Array {
  const last = values.length - 1;
  const lowest = Number(values[0]);
  const span = Math.log(Number(values[last]) / lowest);
  return Float64Array.from(values, (value, rank) => {
    const byRank = rank / last;
    if (kind !== 'ordered' || !(lowest > 0)) return byRank;
    return 0.5 * (byRank + Math.log(Number(value) / lowest) / span);
  });
}

/** Levels of a computed column; more differ by less than the model can tell apart. */
const MAX_LEVELS = 32;

/** A computed column, with the range it has in `reference`; undefined where it is constant or cannot be computed. */
export function featureColumn(
  name: string,
  compute: (point: Point) => number | undefined,
  reference: readonly Point[],
): Column | undefined {
  const values = new Set<number>();
  for (const point of reference) {
    const value = compute(point);
    if (value === undefined || !Number.isFinite(value)) return undefined;
    values.add(value);
  }
  const distinct = [...values].sort((one, other) => one - other);
  const lowest = distinct[0];
  const span = distinct.at(-1)! - lowest!;
  if (lowest === undefined || !(span > 0)) return undefined;
  const positions =
    distinct.length <= MAX_LEVELS
      ? Float64Array.from(distinct, (value) => (value - lowest) / span)
      : Float64Array.from({ length: MAX_LEVELS }, (_, level) => level / (MAX_LEVELS - 1));
  const levelOf = (point: Point) => nearest(positions, ((compute(point) ?? lowest) - lowest) / span);
  return { name, isTunable: false, isCategorical: false, positions, levelOf };
}

/** The index of the entry of a rising array that is closest to a value. */
function nearest(rising: Float64Array, value: number): number {
  let low = 0;
  let high = rising.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rising[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low > 0 && value - rising[low - 1]! < rising[low]! - value ? low - 1 : low;
}
