import { pointKey } from '../../space/space.ts';
import type { Point } from '../../space/space.ts';
import type { Encoding } from './encoding.ts';
import { groupColumns, LevelGroup } from './level-group.ts';
import type { Group } from './level-group.ts';

/** Candidates that an ask goes through, laid out for going through all of them group by group. */
export interface Contenders {
  readonly count: number;
  readonly capacity: number;
  readonly groups: readonly Group[];
  /** Which of all candidates it is. */
  indexAt(contender: number): number;
}

/** All points that an ask may choose from. */
export class Candidates implements Contenders {
  readonly groups: readonly LevelGroup[];
  readonly capacity: number;
  readonly #encoding: Encoding;
  readonly #points: Point[] = [];
  readonly #indices = new Map<string, number>();

  /** @param points the first of them, which show what levels go together */
  constructor(encoding: Encoding, points: readonly Point[], capacity = points.length) {
    this.#encoding = encoding;
    this.capacity = capacity;
    const encoded = points.map((point) => encoding.encode(point));
    this.groups = groupColumns(encoding, encoded).map(
      (columns) => new LevelGroup(encoding, columns, capacity),
    );
    for (const [at, point] of points.entries()) this.#add(point, () => encoded[at]!);
  }

  get count(): number {
    return this.#points.length;
  }

  indexAt(contender: number): number {
    return contender;
  }

  pointAt(index: number): Point {
    return this.#points[index]!;
  }

  indexOf(point: Point): number | undefined {
    return this.#indices.get(pointKey(point));
  }

  /** False where the point is in already, or no room is left. */
  add(point: Point): boolean {
    return this.#add(point, () => this.#encoding.encode(point));
  }

  #add(point: Point, encode: () => Uint16Array): boolean {
    const key = pointKey(point);
    const index = this.#points.length;
    if (index === this.capacity || this.#indices.has(key)) return false;
    this.#indices.set(key, index);
    this.#points.push(point);
    const levels = encode();
    for (const group of this.groups) group.set(index, levels);
    return true;
  }
}
