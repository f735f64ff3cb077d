import type { Point } from '../../space/space.ts';
import type { History } from '../history.ts';
import { CandidatePool } from './candidate-pool.ts';
import { Encoding } from './encoding.ts';
import { expectedImprovement } from './expected-improvement.ts';
import type { ModelSettings, View } from './settings.ts';
import type { Score } from './stage.ts';
import { StagedSurrogate } from './staged-surrogate.ts';
import type { Surrogate } from './surrogate.ts';
import { topIndices } from './top-indices.ts';
import { warpTimes } from './warp-times.ts';

/** An exact score costs the square of the observations: so much may be spent on them, in all. */
const EXACT_WORK = 2_500_000;
const LEAST_EXACT = 48;
/** Candidates whose deviations are worked out together. */
const TOGETHER = 4;

/** One view of the space, and the candidate that looks best in it. */
export class Predictor {
  readonly #history: History;
  readonly #settings: ModelSettings;
  readonly #view: View;
  readonly #encoding: Encoding;
  readonly #pool: CandidatePool;
  readonly #surrogate: StagedSurrogate;
  readonly #encoded: Uint16Array[] = [];
  readonly #bounds: Float64Array;

  /** @param reference points that show the range of features and which of them say the same */
  constructor(history: History, reference: readonly Point[], settings: ModelSettings, view: View) {
    this.#history = history;
    this.#settings = settings;
    this.#view = view;
    this.#encoding = new Encoding(history.space, reference, view);
    this.#pool = new CandidatePool(history, this.#encoding, settings.candidates);
    this.#surrogate = new StagedSurrogate(this.#encoding, settings);
    this.#bounds = new Float64Array(this.#pool.candidates.capacity);
  }

  /** The candidate with the greatest expected improvement, times how likely it is to run. */
  best(): Point | undefined {
    const { measured, pending, rejected } = this.#history;
    const { feasibilityModel, deadValues } = this.#settings;
    const pool = this.#pool;
    pool.update({ votes: feasibilityModel, deadValues });
    const { candidates } = pool;
    while (this.#encoded.length < measured.length) {
      this.#encoded.push(this.#encoding.encode(measured[this.#encoded.length]!.point));
    }
    const targets = warpTimes(
      measured.map(({ time_ms }) => time_ms),
      this.#view.warp,
    );
    const underWay = [...pending].map((point) => this.#encoding.encode(point));
    const best = targets.reduce((one, other) => Math.min(one, other), Infinity);
    const usesFailures = feasibilityModel && rejected.length > 0;
    const score: Score = (index, mean, deviation) => {
      if (pool.isSeen(index) || pool.isGivenUp(index)) return -1;
      return expectedImprovement(mean, deviation, best) * (usesFailures ? pool.probability(index) : 1);
    };
    const update = () => this.#surrogate.update(candidates, this.#encoded, underWay, targets, score);
    let surrogate = update();
    let chosen = this.#choose(surrogate, targets, score);
    if (chosen === undefined && surrogate.contenders !== candidates) {
      this.#surrogate.widen();
      surrogate = update();
      chosen = this.#choose(surrogate, targets, score);
    }
    return chosen === undefined ? undefined : candidates.pointAt(chosen);
  }

  /**
   * Scores with a deviation that is too large are cheap and never too low: exact ones are worked out only for the most
   * promising, until no bound reaches the best of them.
   */
  #choose(surrogate: Surrogate, targets: Float64Array, score: Score): number | undefined {
    const { contenders } = surrogate;
    const means = surrogate.means(targets);
    const bounds = this.#bounds;
    for (let k = 0; k < contenders.count; k++) {
      bounds[k] = score(contenders.indexAt(k), means[k]!, surrogate.deviationBound(k));
    }
    const affordable = Math.floor(EXACT_WORK / targets.length ** 2);
    const most = Math.max(LEAST_EXACT, Math.min(this.#settings.exactScores, affordable));
    const promising = topIndices(bounds, contenders.count, most);
    let chosen: number | undefined;
    let highest = -1;
    for (let from = 0; from < promising.length && bounds[promising[from]!]! > highest; from += TOGETHER) {
      const some = promising.slice(from, from + TOGETHER);
      for (const [offset, deviation] of surrogate.deviations(some).entries()) {
        const contender = some[offset]!;
        const exact = score(contenders.indexAt(contender), means[contender]!, deviation);
        if (exact > highest) {
          highest = exact;
          chosen = contender;
        }
      }
    }
    return chosen === undefined ? undefined : contenders.indexAt(chosen);
  }
}
