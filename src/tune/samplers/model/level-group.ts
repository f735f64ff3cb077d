import type { Encoding } from './encoding.ts';

/** Combinations of levels that a group has at most: its tables stay in the processor's nearest cache … */
const MOST_PLACES = 1024;
/** … and making them is little work beside going through the candidates. */
const CANDIDATES_PER_PLACE = 8;
const LEAST_PLACES = 64;

/** Columns whose levels are looked up as one, so that a kernel is one look-up for all of them. */
export interface Group {
  readonly columns: readonly number[];
  /** For each of the columns, its level at each place of the tables. */
  readonly levels: readonly (readonly number[])[];
  /** For each candidate, its place in the tables. */
  readonly places: Uint16Array;
}

/** A group that has a place for every combination of levels that occurs: constraints and features leave few of them. */
export class LevelGroup implements Group {
  readonly columns: readonly number[];
  readonly levels: readonly number[][];
  readonly places: Uint16Array;
  readonly #sizes: readonly number[];
  /** For each column, from the place by the columns before it and its level to the place with it. */
  readonly #joins: readonly Map<number, number>[];

  constructor({ columns: all }: Encoding, columns: readonly number[], capacity: number) {
    this.columns = columns;
    this.levels = columns.map(() => []);
    this.places = new Uint16Array(capacity);
    this.#sizes = columns.map((column) => all[column]!.positions.length);
    this.#joins = columns.map(() => new Map());
  }

  /** @param point the levels of all columns */
  set(candidate: number, point: Uint16Array): void {
    const { columns } = this;
    let place = 0;
    let isNew = false;
    for (let member = 0; member < columns.length; member++) {
      const join = this.#joins[member]!;
      const key = place * this.#sizes[member]! + point[columns[member]!]!;
      const known = join.get(key);
      isNew = known === undefined;
      place = known ?? join.size;
      if (isNew) join.set(key, place);
    }
    if (isNew) for (const [member, column] of columns.entries()) this.levels[member]!.push(point[column]!);
    this.places[candidate] = place;
  }
}

/** Columns that depend on one another are grouped together: each joins the group that grows least by it. */
export function groupColumns(
  { columns, tunables }: Encoding,
  points: readonly Uint16Array[],
): (readonly number[])[] {
  const sizeOf = (column: number) => columns[column]!.positions.length;
  const all = [...columns.keys()];
  const order = [
    ...all.slice(0, tunables).sort((one, other) => sizeOf(other) - sizeOf(one)),
    ...all.slice(tunables),
  ];
  const most = Math.min(MOST_PLACES, Math.max(LEAST_PLACES, points.length / CANDIDATES_PER_PLACE));
  const groups: Joined[] = [];
  for (const column of order) {
    let best: { readonly at: number; readonly joined: Joined; readonly growth: number } | undefined;
    for (const [at, group] of groups.entries()) {
      const joined = join(group, column, sizeOf(column), points);
      const growth = joined.count - group.count;
      if (joined.count > most || (best !== undefined && growth >= best.growth)) continue;
      best = { at, joined, growth };
    }
    if (best === undefined) {
      groups.push(
        join(
          { columns: [], places: new Uint32Array(points.length), count: 1 },
          column,
          sizeOf(column),
          points,
        ),
      );
    } else groups[best.at] = best.joined;
  }
  return groups.map((group) => group.columns);
}

interface Joined {
  readonly columns: readonly number[];
  readonly places: Uint32Array;
  readonly count: number;
}

function join(group: Joined, column: number, size: number, points: readonly Uint16Array[]): Joined {
  // From 1, so that 0 stands for none.
  const known = new Uint32Array(group.count * size);
  const places = new Uint32Array(points.length);
  let count = 0;
  for (let i = 0; i < places.length; i++) {
    const key = group.places[i]! * size + points[i]![column]!;
    if (known[key] === 0) known[key] = ++count;
    places[i] = known[key]! - 1;
  }
  return { columns: [...group.columns, column], places, count };
}

/** The product of its columns' factors, for each place of a group. */
export function productTable(group: Group, factorsOf: (column: number) => Float64Array): Float64Array {
  const table = new Float64Array(group.levels[0]!.length).fill(1);
  for (const [member, column] of group.columns.entries()) {
    const factors = factorsOf(column);
    const levels = group.levels[member]!;
    for (let place = 0; place < table.length; place++) table[place]! *= factors[levels[place]!]!;
  }
  return table;
}
