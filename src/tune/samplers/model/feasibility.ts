import type { Candidates } from './candidates.ts';
import { distance } from './column.ts';
import type { Encoding } from './encoding.ts';

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
  #ran = 0;
  #failed = 0;

  constructor(encoding: Encoding, candidates: Candidates) {
    this.#encoding = encoding;
    this.#candidates = candidates;
    this.#votes = new Float64Array(candidates.capacity);
    this.#votesFor = new Float64Array(candidates.capacity);
  }

  vote(point: Uint16Array, ran: boolean): void {
    if (ran) this.#ran++;
    else this.#failed++;
    const { count, groups } = this.#candidates;
    const weights = new Float64Array(count).fill(1);
    for (const { columns, places } of groups) {
      const table = this.#tableOf(columns, point);
      for (let k = 0; k < count; k++) weights[k]! *= table[places[k]!]!;
    }
    for (let k = 0; k < count; k++) {
      this.#votes[k]! += weights[k]!;
      if (ran) this.#votesFor[k]! += weights[k]!;
    }
  }

  probability(candidate: number): number {
    const share = (this.#ran + 1) / (this.#ran + this.#failed + 1);
    return (this.#votesFor[candidate]! + PRIOR_VOTES * share) / (this.#votes[candidate]! + PRIOR_VOTES);
  }

  #tableOf(columns: readonly number[], point: Uint16Array): Float64Array {
    let table = Float64Array.of(1);
    for (const c of columns) {
      const column = this.#encoding.columns[c]!;
      const { length } = column.positions;
      const fading = column.isTunable ? TUNABLE_FADING : FEATURE_FADING;
      const wider = new Float64Array(table.length * length);
      for (let level = 0; level < length; level++) {
        const far = fading * distance(column, level, point[c]!);
        const factor = Math.exp(-far * far);
        for (let place = 0; place < table.length; place++)
          wider[place * length + level] = table[place]! * factor;
      }
      table = wider;
    }
    return table;
  }
}
