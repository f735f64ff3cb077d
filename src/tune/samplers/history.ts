import { nextBelow } from '../../stats/random.ts';
import type { Random } from '../../stats/random.ts';
import { pointKey } from '../space/space.ts';
import type { Point, Space } from '../space/space.ts';
import type { Outcome } from './sampler.ts';

export interface Observation {
  readonly point: Point;
  readonly time_ms: number;
}

/** What one study has tried: outcomes, and what is under way. */
export class History {
  readonly space: Space;
  readonly random: Random;
  readonly #measured: Observation[] = [];
  readonly #rejected: Point[] = [];
  readonly #pending = new Map<string, Point>();
  readonly #told = new Set<string>();
  /** Indices into `space.all()`, of which those before `#drawn` have been handed out. */
  #deck: Uint32Array | undefined;
  #drawn = 0;

  constructor(space: Space, random: Random) {
    this.space = space;
    this.random = random;
  }

  /** In the order in which they were told. */
  get measured(): readonly Observation[] {
    return this.#measured;
  }

  get rejected(): readonly Point[] {
    return this.#rejected;
  }

  /** Proposed and not told of yet. */
  get pending(): Iterable<Point> {
    return this.#pending.values();
  }

  get pendingCount(): number {
    return this.#pending.size;
  }

  /** Points tried or under way. */
  get count(): number {
    return this.#told.size + this.#pending.size;
  }

  isSeen(point: Point): boolean {
    const key = pointKey(point);
    return this.#told.has(key) || this.#pending.has(key);
  }

  propose(point: Point): void {
    this.#pending.set(pointKey(point), point);
  }

  /** The first word on a point counts; one outside of the space says nothing about it. */
  tell(point: Point, outcome: Outcome): void {
    const key = pointKey(point);
    if (this.#told.has(key) || !this.space.contains(point)) return;
    this.#pending.delete(key);
    this.#told.add(key);
    if ('time_ms' in outcome && outcome.time_ms > 0 && Number.isFinite(outcome.time_ms)) {
      this.#measured.push({ point, time_ms: outcome.time_ms });
    } else this.#rejected.push(point);
  }

  /** A feasible point not seen yet, uniformly drawn; undefined when there is none left. */
  drawUnseen(): Point | undefined {
    const all = this.space.all();
    return all === undefined ? this.#drawFromMany() : this.#drawFrom(all);
  }

  #drawFrom(all: readonly Point[]): Point | undefined {
    this.#deck ??= Uint32Array.from(all.keys());
    const deck = this.#deck;
    while (this.#drawn < deck.length) {
      const other = this.#drawn + nextBelow(this.random, deck.length - this.#drawn);
      const index = deck[other]!;
      deck[other] = deck[this.#drawn]!;
      deck[this.#drawn++] = index;
      const point = all[index]!;
      if (!this.isSeen(point)) return point;
    }
    return undefined;
  }

  #drawFromMany(): Point | undefined {
    const [first] = this.space.sample(1, this.random);
    if (first !== undefined && !this.isSeen(first)) return first;
    // As many distinct points as were seen, and one more: not all of them can be known.
    return this.space.sample(this.count + 1, this.random).find((point) => !this.isSeen(point));
  }
}
