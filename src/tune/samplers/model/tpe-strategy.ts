import { pointKey } from '../../space/space.ts';
import type { Point } from '../../space/space.ts';
import type { History } from '../history.ts';
import { CandidatePool } from './candidate-pool.ts';
import type { Candidates } from './candidates.ts';
import { distance } from './column.ts';
import { Encoding } from './encoding.ts';
import { MODEL_SETTINGS, PLAIN_VIEW } from './settings.ts';
import type { SamplerOptions } from '../sampler.ts';
import type { Strategy } from '../strategy.ts';

/** Random trials before the first estimate. */
const START = 10;
/** Share of the trials that count as good. */
const GOOD_SHARE = 0.15;
/** How fast likeness fades over positions in [0, 1], and for any difference. */
const FADING = 4;
const MISMATCH = 0.7;
/** Weight of the uniform distribution in both densities, in trials. */
const PRIOR = 0.05;

/**
 * The tree-structured Parzen estimator (Bergstra, Bardenet, Bengio & Kégl, 2011) with a joint density over all
 * tunables, scored at every candidate: the next trial is where good trials are densest beside the others. Trials that
 * failed or are under way count as others; values that never run are given up.
 */
export class TpeStrategy implements Strategy {
  readonly #history: History;
  readonly #start: number;
  readonly #encoding: Encoding;
  readonly #likeness = new Map<string, Float32Array>();
  #pool: CandidatePool | undefined;
  #candidates: Candidates | undefined;
  /** For each candidate, how like it all points are together. */
  #sums = new Float64Array(0);

  constructor(history: History, { trials }: SamplerOptions) {
    this.#history = history;
    this.#start = Math.max(2, Math.min(START, Math.floor(trials / 3)));
    this.#encoding = new Encoding(history.space, [], PLAIN_VIEW);
  }

  propose(): Point | undefined {
    const { measured, rejected, pending, count } = this.#history;
    if (count < this.#start || measured.length < 2 || this.#encoding.tunables === 0) return undefined;
    this.#pool ??= new CandidatePool(this.#history, this.#encoding, MODEL_SETTINGS.candidates);
    this.#pool.update({ votes: false, deadValues: true });
    const { candidates } = this.#pool;
    if (candidates !== this.#candidates || candidates.count !== this.#sums.length) {
      this.#candidates = candidates;
      this.#likeness.clear();
      this.#sums = new Float64Array(candidates.count);
    }
    const ranked = [...measured].sort((one, other) => one.time_ms - other.time_ms).map(({ point }) => point);
    for (const point of [...ranked, ...rejected, ...pending]) this.#count(point, candidates);
    const good = Math.max(1, Math.ceil(GOOD_SHARE * ranked.length));
    const likely = new Float64Array(candidates.count);
    for (const point of ranked.slice(0, good)) add(likely, this.#likeness.get(pointKey(point))!);
    const others = count - good + PRIOR;
    let best: number | undefined;
    let highest = -1;
    for (let k = 0; k < candidates.count; k++) {
      const density = Math.max(0, this.#sums[k]! - likely[k]!) + PRIOR;
      const ratio = ((likely[k]! + PRIOR) / (good + PRIOR)) * (others / density);
      if (ratio > highest && !this.#pool.isSeen(k) && !this.#pool.isGivenUp(k)) {
        highest = ratio;
        best = k;
      }
    }
    return best === undefined ? undefined : candidates.pointAt(best);
  }

  /** Every point tried or under way counts once in the sums. */
  #count(point: Point, candidates: Candidates): void {
    const key = pointKey(point);
    if (this.#likeness.has(key)) return;
    const row = this.#likenessTo(point, candidates);
    this.#likeness.set(key, row);
    add(this.#sums, row);
  }

  #likenessTo(point: Point, { groups, count }: Candidates): Float32Array {
    const encoded = this.#encoding.encode(point);
    const row = new Float32Array(count).fill(1);
    for (const { columns, places } of groups) {
      let table = Float64Array.of(1);
      for (const c of columns) {
        const column = this.#encoding.columns[c]!;
        const { length } = column.positions;
        const wider = new Float64Array(table.length * length);
        for (let level = 0; level < length; level++) {
          const far = FADING * distance(column, level, encoded[c]!);
          const factor = level === encoded[c]! ? 1 : Math.exp(-MISMATCH - far * far);
          for (let place = 0; place < table.length; place++)
            wider[place * length + level] = table[place]! * factor;
        }
        table = wider;
      }
      for (let k = 0; k < count; k++) row[k]! *= table[places[k]!]!;
    }
    return row;
  }
}

function add(sums: Float64Array, row: Float32Array): void {
  for (let k = 0; k < sums.length; k++) sums[k]! += row[k]!;
}
