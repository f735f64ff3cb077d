import { mean } from '../../../stats/summary.ts';
import type { Point, Space } from '../../space/space.ts';
import { featureColumn, tunableColumn } from './column.ts';
import type { Column } from './column.ts';
import { constraintFeatures, nameFeatures, roundnessFeatures } from './features.ts';
import type { Feature } from './features.ts';
import type { View } from './settings.ts';

/** Two columns that go together this closely say the same. */
const SAME_CORRELATION = 0.995;
/** Features kept at most, in the order of the constraints: every one is work at every ask. */
const MAX_FEATURES = 16;

/** What the model sees of a space. Tunables that vary come first. */
export class Encoding {
  readonly columns: readonly Column[];
  /** How many of the columns are tunables. */
  readonly tunables: number;

  /** @param reference points that show the range of every feature */
  constructor(space: Space, reference: readonly Point[], view: View) {
    const columns = space.parameters
      .map((parameter, at) => ({ parameter, at }))
      .filter(({ parameter }) => parameter.values.length > 1)
      .map(({ parameter, at }) => tunableColumn(parameter, at));
    this.tunables = columns.length;
    const series = columns.map((column) => positionsIn(column, reference));
    for (const { name, compute } of featuresOf(space, view)) {
      if (columns.length - this.tunables >= MAX_FEATURES) break;
      const column = featureColumn(name, compute, reference);
      if (column === undefined) continue;
      const positions = positionsIn(column, reference);
      if (series.some((other) => areSame(positions, other))) continue;
      columns.push(column);
      series.push(positions);
    }
    this.columns = columns;
  }

  encode(point: Point): Uint16Array {
    return Uint16Array.from(this.columns, (column) => column.levelOf(point));
  }
}

function featuresOf(space: Space, view: View): Feature[] {
  return [
    ...roundnessFeatures(space, view.roundness),
    ...(view.constraintFeatures ? constraintFeatures(space) : []),
    ...(view.nameFeatures ? nameFeatures(space) : []),
  ];
}

function positionsIn(column: Column, points: readonly Point[]): Float64Array {
  return Float64Array.from(points, (point) => column.positions[column.levelOf(point)]!);
}

/** Pearson's correlation is ±1, nearly. */
function areSame(one: Float64Array, other: Float64Array): boolean {
  const meanOne = mean(one);
  const meanOther = mean(other);
  let covariance = 0;
  let varianceOne = 0;
  let varianceOther = 0;
  for (let i = 0; i < one.length; i++) {
    const a = one[i]! - meanOne;
    const b = other[i]! - meanOther;
    covariance += a * b;
    varianceOne += a * a;
    varianceOther += b * b;
  }
  return covariance ** 2 > SAME_CORRELATION ** 2 * varianceOne * varianceOther;
}
