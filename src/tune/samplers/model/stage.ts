import type { Candidates } from './candidates.ts';
import type { Process } from './process.ts';
import { Shortlist } from './shortlist.ts';
import { Scratch, Surrogate } from './surrogate.ts';
import { Survey } from './survey.ts';
import { topIndices } from './top-indices.ts';

/** Covariances that are kept at most for all candidates; where there would be more, some are shortlisted. */
const WHOLE_WORK = 1_000_000;
/** Candidates shortlisted. */
const SHORTLISTED = 4096;
/** Room on the shortlist for candidates that join later: neighbours of a new best. */
const JOINING = 2048;

/** How much a candidate promises, by its mean and a deviation; below zero, nothing. */
export type Score = (candidate: number, mean: number, deviation: number) => number;

/** A process, and the surrogate that comes of it: of all candidates, or of those that promise most. */
export class Stage {
  readonly #process: Process;
  readonly #candidates: Candidates;
  readonly #scratches: Scratches;
  #measured = 0;
  #survey: Survey | undefined;
  #surrogate: Surrogate | undefined;
  #shortlist: Shortlist | undefined;
  /** Candidates that there were when some were shortlisted. */
  #known = 0;

  constructor(process: Process, candidates: Candidates, scratches: Scratches) {
    this.#process = process;
    this.#candidates = candidates;
    this.#scratches = scratches;
  }

  /** Whether it has taken nothing in yet. */
  get isEmpty(): boolean {
    return this.#process.points.length === 0;
  }

  /** The surrogate, of all candidates where none were shortlisted. */
  get surrogate(): Surrogate {
    this.#surrogate ??= new Surrogate(this.#process, this.#candidates, this.#scratches.whole);
    return this.#surrogate;
  }

  /**
   * What was under way and is still, or was told of in the order in which it was proposed, stays where it is: taking a
   * point in costs the square of their number.
   *
   * @param measured grows from call to call; `underWay` have no target yet
   */
  update(measured: readonly Uint16Array[], underWay: readonly Uint16Array[]): void {
    const { points } = this.#process;
    const wanted = [...measured.slice(this.#measured), ...underWay];
    const same = wanted.findIndex((point, at) => !areEqual(point, points[this.#measured + at]));
    const kept = same === -1 ? wanted.length : same;
    this.#process.truncate(this.#measured + kept);
    this.#surrogate?.truncate(this.#measured + kept);
    for (const point of wanted.slice(kept)) this.#process.add(point);
    this.#measured = measured.length;
    if (this.#shortlist === undefined) return;
    for (; this.#known < this.#candidates.count; this.#known++) this.#shortlist.add(this.#known);
  }

  /**
   * Does about so many covariances' worth of what is left to do.
   *
   * @returns whether it can be used
   */
  advance(targets: Float64Array, score: Score, budget: number): boolean {
    const left = this.#surrogate === undefined ? this.#choose(targets, score, budget) : budget;
    return left > 0 && this.surrogate.fill(left) > 0;
  }

  /** @returns what is left of the budget; nothing where it is not known yet who is shortlisted */
  #choose(targets: Float64Array, score: Score, budget: number): number {
    const { count } = this.#candidates;
    const isFew = count <= 2 * SHORTLISTED || count * targets.length <= WHOLE_WORK;
    if (this.#survey === undefined && isFew) return budget;
    this.#survey ??= new Survey(this.#process, targets, this.#candidates);
    // Going through what it found is work for an ask of its own.
    if (!this.#survey.isDone) {
      this.#survey.look(budget);
      return 0;
    }
    const best = this.#best(this.#survey, score);
    // Nothing is promising: the caller that proposes reports it.
    if (best.length === 0) return budget;
    this.#known = this.#survey.count;
    this.#shortlist = new Shortlist(this.#candidates, best, SHORTLISTED + JOINING);
    this.#surrogate = new Surrogate(this.#process, this.#shortlist, this.#scratches.shortlisted);
    this.#survey = undefined;
    return 0;
  }

  #best(survey: Survey, score: Score): number[] {
    const scores = new Float64Array(survey.count);
    for (let index = 0; index < scores.length; index++) {
      scores[index] = score(index, survey.mean(index), survey.deviationBound(index));
    }
    // In the order of all candidates: neighbours in it share places in tables.
    return topIndices(scores, scores.length, SHORTLISTED).sort((one, other) => one - other);
  }
}

/** Room for surrogates of all candidates and of shortlisted ones. */
export class Scratches {
  readonly whole: Scratch;
  readonly shortlisted = new Scratch(SHORTLISTED + JOINING);

  constructor(capacity: number) {
    this.whole = new Scratch(capacity);
  }
}

function areEqual(one: Uint16Array, other: Uint16Array | undefined): boolean {
  return other !== undefined && one.every((level, column) => level === other[column]);
}
