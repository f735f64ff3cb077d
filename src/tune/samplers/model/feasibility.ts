import type { Candidates } from './candidates.ts';
import { distance } from './column.ts';
import type { Encoding } from './encoding.ts';
import { productTable } from './level-group.ts';

/** How fast a vote fades with the distance in a tunable and in a feature: what predicted best on recorded spaces. */
const TUNABLE_FADING = 3;
const FEATURE_FADING = 1;
/** Weight of what is known of the space as a whole, in votes. */
const PRIOR_VOTES = 0.3;

/**
 * How likely each candidate is to run, from which of its like did: a kernel estimate (Nadaraya & Watson, 1964) shrunk to
 * the share that ran overall. Failures often start at a limit of the device that no constraint names, and the best
 * variants are often close to it: so votes fade quickly.
 */
export class Feasibility {
  readonly #encoding: Encoding;
  readonly #candidates: Candidates;
  readonly #votes: Float64Array;
  readonly #votesFor: Float64Array;
  /** Used again at every vote. */
  readonly #weights: Float64Array;
  #ran = 0;
  #failed = 0;

  constructor(encoding: Encoding, candidates: Candidates) {
    this.#encoding = encoding;
    this.#candidates = candidates;
    this.#votes = new Float64Array(candidates.capacity);
    this.#votesFor = new Float64Array(candidates.capacity);
    this.#weights = new Float64Array(candidates.capacity);
  }

  vote(point: Uint16Array, ran: boolean): void {
    if (ran) this.#ran++;
    else this.#failed++;
    const { count, groups } = this.#candidates;
    const weights = this.#weights.fill(1, 0, count);
    for (const group of groups) {
      multiply(
        weights,
        group.places,
        productTable(group, (column) => this.#factorsOf(column, point[column]!)),
        count,
      );
    }
    add(this.#votes, weights, count);
    if (ran) add(this.#votesFor, weights, count);
  }

  probability(candidate: number): number {
    const share = (this.#ran + 1) / (this.#ran + this.#failed + 1);
    return (this.#votesFor[candidate]! + PRIOR_VOTES * share) / (this.#votes[candidate]! + PRIOR_VOTES);
  }

  #factorsOf(at: number, level: number): Float64Array {
    const column = this.#encoding.columns[at]!;
    const fading = column.isTunable ? TUNABLE_FADING : FEATURE_FADING;
    return column.positions.map((_, other) => {
      const far = fading * distance(column, other, level);
      return Math.exp(-far * far);
    });
  }
}

function multiply(weights: Float64Array, places: Uint16Array, table: Float64Array, count: number): void {
  for (let k = 0; k < count; k++) weights[k]! *= table[places[k]!]!;
}

function add(votes: Float64Array, weights: Float64Array, count: number): void {
  for (let k = 0; k < count; k++) votes[k]! += weights[k]!;
}
