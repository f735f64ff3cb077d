import { pointKey } from '../../space/space.ts';
import type { Point } from '../../space/space.ts';
import type { Encoding } from './encoding.ts';

/** Levels that a group's columns have together at most: its tables stay in the processor's nearest cache. */
const GROUP_LEVELS = 1024;

/** Columns whose levels are counted through as one, so that a kernel is one look-up for all of them. */
export interface Group {
  readonly columns: readonly number[];
  readonly levels: number;
  /** For each candidate, its place in the tables of this group. */
  readonly places: Uint16Array;
}

/** The points that an ask chooses from, laid out for going through all of them column by column. */
export class Candidates {
  readonly groups: readonly Group[];
  readonly #capacity: number;
  readonly #encoding: Encoding;
  readonly #points: Point[] = [];
  readonly #indices = new Map<string, number>();

  constructor(encoding: Encoding, capacity: number) {
    this.#encoding = encoding;
    this.#capacity = capacity;
    this.groups = groupsOf(encoding, capacity);
  }

  get count(): number {
    return this.#points.length;
  }

  get capacity(): number {
    return this.#capacity;
  }

  pointAt(index: number): Point {
    return this.#points[index]!;
  }

  indexOf(point: Point): number | undefined {
    return this.#indices.get(pointKey(point));
  }

  /** False where the point is in already, or no room is left. */
  add(point: Point): boolean {
    const key = pointKey(point);
    const index = this.#points.length;
    if (index === this.#capacity || this.#indices.has(key)) return false;
    this.#indices.set(key, index);
    this.#points.push(point);
    const levels = this.#encoding.encode(point);
    for (const { columns, places } of this.groups) places[index] = this.#placeOf(columns, levels);
    return true;
  }

  #placeOf(columns: readonly number[], levels: Uint16Array): number {
    return columns.reduce(
      (place, column) => place * this.#encoding.columns[column]!.positions.length + levels[column]!,
      0,
    );
  }
}

/** Tunables apart from features: only they have additive terms. */
function groupsOf({ columns, tunables }: Encoding, capacity: number): Group[] {
  const all = [...columns.keys()];
  return [all.slice(0, tunables), all.slice(tunables)].flatMap((members) => {
    const groups: { columns: number[]; levels: number }[] = [];
    const sizeOf = (column: number) => columns[column]!.positions.length;
    for (const column of members.sort((one, other) => sizeOf(other) - sizeOf(one))) {
      const room = groups.find(({ levels }) => levels * sizeOf(column) <= GROUP_LEVELS);
      if (room === undefined) groups.push({ columns: [column], levels: sizeOf(column) });
      else {
        room.columns.push(column);
        room.levels *= sizeOf(column);
      }
    }
    return groups.map(({ columns: grouped, levels }) => ({
      columns: grouped,
      levels,
      places: new Uint16Array(capacity),
    }));
  });
}
