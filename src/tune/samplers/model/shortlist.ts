import type { Contenders } from './candidates.ts';
import type { Group } from './level-group.ts';

/** Some of all candidates. Tables over them have places only for what occurs among them. */
export class Shortlist implements Contenders {
  readonly groups: readonly PartOfGroup[];
  readonly capacity: number;
  readonly #indices: Uint32Array;
  #count = 0;

  constructor({ groups }: Contenders, indices: readonly number[], capacity: number) {
    this.capacity = capacity;
    this.groups = groups.map((group) => new PartOfGroup(group, capacity));
    this.#indices = new Uint32Array(capacity);
    for (const index of indices) this.add(index);
  }

  get count(): number {
    return this.#count;
  }

  indexAt(contender: number): number {
    return this.#indices[contender]!;
  }

  /** Where no room is left, it stays out. */
  add(index: number): void {
    if (this.#count === this.capacity) return;
    for (const group of this.groups) group.set(this.#count, index);
    this.#indices[this.#count++] = index;
  }
}

class PartOfGroup implements Group {
  readonly columns: readonly number[];
  readonly levels: readonly number[][];
  readonly places: Uint16Array;
  readonly #whole: Group;
  readonly #placeOf = new Map<number, number>();

  constructor(whole: Group, capacity: number) {
    this.#whole = whole;
    this.columns = whole.columns;
    this.levels = whole.columns.map(() => []);
    this.places = new Uint16Array(capacity);
  }

  set(contender: number, candidate: number): void {
    const { places, levels } = this.#whole;
    const known = this.#placeOf.get(places[candidate]!);
    const place = known ?? this.#placeOf.size;
    if (known === undefined) {
      this.#placeOf.set(places[candidate]!, place);
      for (const [member, values] of this.levels.entries()) values.push(levels[member]![places[candidate]!]!);
    }
    this.places[contender] = place;
  }
}
