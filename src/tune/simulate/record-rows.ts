import type { RecordedSpace } from '../../model/tune/recorded-space.ts';
import type { TunableValue } from '../../model/problem/variant.ts';

/** A configuration as a tuner logged it: values by name and its outcome. */
export interface LoggedRow {
  readonly values: Readonly<Record<string, unknown>>;
  readonly time_ms: number | undefined;
  readonly status: string;
}

/** A recorded space from a log that names values instead of numbering them. `declared`: values by tunable. */
export function recordRows(
  name: string,
  declared: ReadonlyMap<string, readonly unknown[]>,
  logged: readonly LoggedRow[],
): RecordedSpace {
  const columns = [...declared].map(([tunable, values]) => {
    const column = new Column(tunable);
    for (const value of values) column.indexOf(value);
    return column;
  });
  const rows = logged.map(({ values, time_ms, status }) => ({
    indices: columns.map((column) => column.indexOf(values[column.name])),
    time_ms,
    status,
  }));
  return { name, tunables: columns, constraints: [], rows };
}

/** Values other than numbers, texts and booleans (lists, null) stand as their JSON text. */
export function asTunableValue(value: unknown): TunableValue {
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string') return value;
  return JSON.stringify(value) ?? 'null';
}

class Column {
  readonly name: string;
  readonly values: TunableValue[] = [];
  readonly #indices = new Map<TunableValue, number>();

  constructor(name: string) {
    this.name = name;
  }

  /** Where the value stands; one not met before is added, for a log may know more than its own header. */
  indexOf(logged: unknown): number {
    const value = asTunableValue(logged);
    const known = this.#indices.get(value);
    if (known !== undefined) return known;
    this.#indices.set(value, this.values.length);
    this.values.push(value);
    return this.values.length - 1;
  }
}
