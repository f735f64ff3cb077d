import { Expression } from '../../config/expression/expression.ts';
import { ExpressionError } from '../../config/expression/expression-error.ts';
import type { RecordedSpace } from '../../model/tune/recorded-space.ts';
import type { TunableValue, Variant } from '../../model/problem/variant.ts';
import { nextBelow } from '../../stats/random.ts';
import type { Random } from '../../stats/random.ts';
import { pointKey } from '../space/space.ts';
import type { Parameter, Point, Space } from '../space/space.ts';

/**
 * A space that is a list of points: what a recorded file lists is what satisfied the constraints, whether or not
 * Pawl can read them. Constraints it can read are kept for what they say about the tunables.
 */
export class ListedSpace implements Space {
  readonly parameters: readonly Parameter[];
  readonly constraints: readonly Expression[];
  readonly constants: Readonly<Record<string, number>> = {};
  readonly #points: readonly Point[];
  readonly #keys: ReadonlyMap<string, number>;

  constructor(
    parameters: readonly Parameter[],
    points: readonly Point[],
    constraints: readonly Expression[],
  ) {
    this.parameters = parameters;
    this.constraints = constraints;
    const keys = new Map<string, number>();
    this.#points = points.filter((point) => {
      const key = pointKey(point);
      const isNew = !keys.has(key);
      if (isNew) keys.set(key, keys.size);
      return isNew;
    });
    this.#keys = keys;
  }

  get size(): number {
    return this.#points.length;
  }

  contains(point: Point): boolean {
    return this.#keys.has(pointKey(point));
  }

  /** Where a point stands in `all()`. */
  indexOf(point: Point): number | undefined {
    return this.#keys.get(pointKey(point));
  }

  all(): readonly Point[] {
    return this.#points;
  }

  sample(count: number, random: Random): Point[] {
    const { length } = this.#points;
    const take = Math.min(count, length);
    // Fisher and Yates, of which only the steps that were asked for are taken and written down.
    const moved = new Map<number, number>();
    return Array.from({ length: take }, (_, step) => {
      const drawn = step + nextBelow(random, length - step);
      const index = moved.get(drawn) ?? drawn;
      moved.set(drawn, moved.get(step) ?? step);
      return this.#points[index]!;
    });
  }

  neighbours(point: Point, reach: 'step' | 'any'): Point[] {
    return this.parameters.flatMap(({ kind, values }, at) => {
      const here = point[at]!;
      const near = [...values.keys()].filter(
        (value) => value !== here && (reach === 'any' || kind !== 'ordered' || Math.abs(value - here) === 1),
      );
      return near.map((value) => point.with(at, value)).filter((other) => this.contains(other));
    });
  }

  variantOf(point: Point): Variant {
    return Object.fromEntries(this.parameters.map(({ name, values }, at) => [name, values[point[at]!]!]));
  }

  pointOf(variant: Variant): Point | undefined {
    const point = this.parameters.map(({ name, values }) => values.indexOf(variant[name]!));
    return this.contains(point) ? point : undefined;
  }
}

export interface Replay {
  readonly space: ListedSpace;
  /** The time of each point of `space.all()`; undefined for one that failed. */
  readonly times_ms: readonly (number | undefined)[];
}

/** The space of a recorded file. Of a variant listed twice the first row counts. */
export function replayOf(recorded: RecordedSpace): Replay {
  const columns = recorded.tunables.map(({ name, values }) => orderedColumn(name, values));
  const points = recorded.rows.map(({ indices }) => indices.map((index, at) => columns[at]!.place[index]!));
  const parameters = columns.map(({ parameter }) => parameter);
  const constraints = readable(recorded.constraints, parameters);
  const space = new ListedSpace(parameters, points, constraints);
  const times_ms: (number | undefined)[] = [];
  const isSet = new Uint8Array(space.size);
  for (const [row, point] of points.entries()) {
    const index = space.indexOf(point)!;
    if (isSet[index] === 1) continue;
    isSet[index] = 1;
    times_ms[index] = recorded.rows[row]!.time_ms;
  }
  return { space, times_ms };
}

/** A parameter, and where each value of the file stands in it: numbers are put in rising order. */
function orderedColumn(
  name: string,
  values: readonly TunableValue[],
): { readonly parameter: Parameter; readonly place: readonly number[] } {
  const distinct = [...new Set(values)];
  const isBoolean = distinct.every((value) => typeof value === 'boolean');
  const isOrdered = distinct.every((value) => typeof value === 'number');
  if (isOrdered) distinct.sort((one, other) => one - other);
  const kind = isBoolean ? 'boolean' : isOrdered ? 'ordered' : 'categorical';
  return {
    parameter: { name, kind, values: distinct },
    place: values.map((value) => distinct.indexOf(value)),
  };
}

function readable(sources: readonly string[], parameters: readonly Parameter[]): Expression[] {
  const known = new Set(parameters.map(({ name }) => name));
  return sources.flatMap((source) => {
    try {
      const expression = Expression.parse(source);
      return expression.names.every(({ name }) => known.has(name)) ? [expression] : [];
    } catch (error) {
      if (error instanceof ExpressionError) return [];
      throw error;
    }
  });
}
