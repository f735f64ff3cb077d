import type { Point } from '../../space/space.ts';
import type { History } from '../history.ts';
import { Candidates } from './candidates.ts';
import { DeadValues } from './dead-values.ts';
import type { Encoding } from './encoding.ts';
import { Feasibility } from './feasibility.ts';

/** Of a space too large to score whole, the share of the candidates that is drawn; neighbours of the best join them. */
const DRAWN = 0.5;
/** Points whose neighbours join: the best so far. */
const CENTRES = 5;

/** A candidate less likely than this to run, by its values, is given up: about a dozen failures of one, and no success. */
const GIVEN_UP = 0.04;

/** The candidates of a study as it goes on: which were tried, and which are likely to run. */
export class CandidatePool {
  readonly #history: History;
  readonly #encoding: Encoding;
  readonly #isWhole: boolean;
  #candidates: Candidates;
  #isSeen: Uint8Array;
  #feasibility: Feasibility;
  #deadValues: DeadValues;
  #seenMeasured = 0;
  #seenRejected = 0;
  #votedFor = 0;
  #votedAgainst = 0;
  #centred = new Set<Point>();

  constructor(history: History, encoding: Encoding, most: number) {
    this.#history = history;
    this.#encoding = encoding;
    const all = history.space.all();
    this.#isWhole = all !== undefined && all.length <= most;
    const points = this.#isWhole ? all! : history.space.sample(Math.ceil(DRAWN * most), history.random);
    this.#candidates = new Candidates(encoding, points, this.#isWhole ? points.length : most);
    this.#isSeen = new Uint8Array(this.#candidates.capacity);
    this.#feasibility = new Feasibility(encoding, this.#candidates);
    this.#deadValues = new DeadValues(encoding, this.#candidates);
  }

  get candidates(): Candidates {
    return this.#candidates;
  }

  isSeen(index: number): boolean {
    return this.#isSeen[index] === 1;
  }

  probability(index: number): number {
    return this.#feasibility.probability(index) * this.#deadValues.factor(index);
  }

  /**
   * Has a value that is as good as dead. Where everything that runs is known, what never ran keeps the greatest expected
   * improvement however unlikely it is: so it is left to those who have nothing else to propose.
   */
  isGivenUp(index: number): boolean {
    return this.#deadValues.factor(index) < GIVEN_UP;
  }

  /** Takes in what was told and what is under way. `learn`: from neighbours, and from the values themselves. */
  update(learn: { readonly votes: boolean; readonly deadValues: boolean }): void {
    if (!this.#isWhole) this.#gather();
    const { measured, rejected, pending } = this.#history;
    for (; this.#seenMeasured < measured.length; this.#seenMeasured++) {
      this.#see(measured[this.#seenMeasured]!.point);
    }
    for (; this.#seenRejected < rejected.length; this.#seenRejected++) {
      this.#see(rejected[this.#seenRejected]!);
    }
    for (const point of pending) this.#see(point);
    // Until something fails, everything is as likely to run: nothing need be counted.
    if (rejected.length === 0) return;
    for (; this.#votedFor < measured.length; this.#votedFor++) {
      this.#vote(measured[this.#votedFor]!.point, true, learn.votes);
    }
    for (; this.#votedAgainst < rejected.length; this.#votedAgainst++) {
      this.#vote(rejected[this.#votedAgainst]!, false, learn.votes);
    }
    if (learn.deadValues) this.#deadValues.update();
  }

  #vote(point: Point, ran: boolean, hasNeighbours: boolean): void {
    const encoded = this.#encoding.encode(point);
    if (hasNeighbours) this.#feasibility.vote(encoded, ran);
    this.#deadValues.vote(encoded, ran);
  }

  #see(point: Point): void {
    const index = this.#candidates.indexOf(point);
    if (index !== undefined) this.#isSeen[index] = 1;
  }

  /** Neighbours of the best join; a full pool starts again with other points. */
  #gather(): void {
    const best = [...this.#history.measured]
      .sort((one, other) => one.time_ms - other.time_ms)
      .slice(0, CENTRES);
    const fresh = best.filter(({ point }) => !this.#centred.has(point));
    if (fresh.length === 0) return;
    let near = fresh.flatMap(({ point }) => this.#history.space.neighbours(point, 'any'));
    if (this.#candidates.count + near.length > this.#candidates.capacity) {
      const drawn = this.#history.space.sample(
        Math.ceil(DRAWN * this.#candidates.capacity),
        this.#history.random,
      );
      this.#candidates = new Candidates(this.#encoding, drawn, this.#candidates.capacity);
      this.#isSeen = new Uint8Array(this.#candidates.capacity);
      this.#centred = new Set();
      near = best.flatMap(({ point }) => this.#history.space.neighbours(point, 'any'));
    }
    for (const { point } of best) this.#centred.add(point);
    for (const point of near) this.#candidates.add(point);
    this.#feasibility = new Feasibility(this.#encoding, this.#candidates);
    this.#deadValues = new DeadValues(this.#encoding, this.#candidates);
    this.#seenMeasured = 0;
    this.#seenRejected = 0;
    this.#votedFor = 0;
    this.#votedAgainst = 0;
  }
}
