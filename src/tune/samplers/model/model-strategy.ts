import type { Point } from '../../space/space.ts';
import type { History } from '../history.ts';
import type { SamplerOptions } from '../sampler.ts';
import type { Strategy } from '../strategy.ts';
import { CandidatePool } from './candidate-pool.ts';
import type { Candidates } from './candidates.ts';
import { Encoding } from './encoding.ts';
import { expectedImprovement } from './expected-improvement.ts';
import { powersOfTwo } from './features.ts';
import { MODEL_SETTINGS } from './settings.ts';
import type { ModelSettings, Warp } from './settings.ts';
import { farthest } from './spread-out.ts';
import { StagedSurrogate } from './staged-surrogate.ts';
import { topIndices } from './top-indices.ts';
import { warpTimes } from './warp-times.ts';

/** Points that show the range of features and which of them say the same. */
const REFERENCE = 1000;
/** Fewer times than this are no ground for a model. */
const LEAST_MEASURED = 2;
/** Points drawn for each one kept, where the roundest are wanted. */
const ROUND_DRAWS = 10;

/**
 * Bayesian optimisation for small, discrete, constrained spaces: a few points spread over the feasible set, and then
 * always the candidate with the greatest expected improvement, as a Gaussian process predicts it, times how likely it
 * is to run. docs/samplers.md says what each part is worth.
 */
export class ModelStrategy implements Strategy {
  readonly #history: History;
  readonly #settings: ModelSettings;
  readonly #start: number;
  readonly #encoding: Encoding;
  readonly #encoded: Uint16Array[] = [];
  readonly #roundness: (point: Point) => number;
  #pool: CandidatePool | undefined;
  readonly #surrogates = new Map<Warp, StagedSurrogate>();
  #asks = 0;
  #scores = new Float64Array(0);

  constructor(history: History, { trials }: SamplerOptions, settings: ModelSettings = MODEL_SETTINGS) {
    this.#history = history;
    this.#settings = settings;
    // A third of a small budget at most.
    this.#start = Math.max(LEAST_MEASURED, Math.min(settings.start, Math.ceil(trials / 3)));
    const reference = history.space.sample(REFERENCE, history.random);
    this.#encoding = new Encoding(history.space, reference, settings);
    this.#roundness = powersOfTwo(history.space);
  }

  propose(): Point | undefined {
    if (this.#encoding.columns.length === 0) return undefined;
    const { measured, count } = this.#history;
    if (count < this.#start || measured.length < LEAST_MEASURED) return this.#spreadOut();
    const candidate = this.#best();
    return candidate === undefined ? undefined : this.#pool!.candidates.pointAt(candidate);
  }

  #spreadOut(): Point | undefined {
    const { space, random, measured, rejected, pending } = this.#history;
    const tried = [...measured.map(({ point }) => point), ...rejected, ...pending];
    const { startDraws, startRound } = this.#settings;
    const isRound = tried.length < startRound * this.#start;
    const drawn = space
      .sample(isRound ? ROUND_DRAWS * startDraws : startDraws, random)
      .filter((point) => !this.#history.isSeen(point));
    if (isRound) drawn.sort((one, other) => this.#roundness(other) - this.#roundness(one));
    return farthest(
      this.#encoding,
      drawn.slice(0, startDraws),
      tried.map((point) => this.#encoding.encode(point)),
    );
  }

  #best(): number | undefined {
    const { measured, pending, rejected } = this.#history;
    this.#pool ??= new CandidatePool(this.#history, this.#encoding, this.#settings.candidates);
    const pool = this.#pool;
    pool.update(this.#settings.feasibilityModel);
    const { candidates } = pool;
    while (this.#encoded.length < measured.length) {
      this.#encoded.push(this.#encoding.encode(measured[this.#encoded.length]!.point));
    }
    const { warps, localEvery, floorShare } = this.#settings;
    const warp = warps[this.#asks++ % warps.length]!;
    const targets = warpTimes(
      measured.map(({ time_ms }) => time_ms),
      warp,
      floorShare,
    );
    const underWay = [...pending].map((point) => this.#encoding.encode(point));
    let staged = this.#surrogates.get(warp);
    if (staged === undefined) {
      this.#surrogates.set(warp, (staged = new StagedSurrogate(this.#encoding, this.#settings)));
    }
    const surrogate = staged.update(candidates, this.#encoded, underWay, targets);
    const means = surrogate.means(targets);
    const best = targets.reduce((one, other) => Math.min(one, other), Infinity);
    const usesFailures = this.#settings.feasibilityModel && rejected.length > 0;
    const score = (index: number, deviation: number) =>
      expectedImprovement(means[index]!, deviation, best) * (usesFailures ? pool.probability(index) : 1);

    // Scores with a deviation that is too large are cheap and never too low: exact ones are worked out only for the
    // most promising, until no bound reaches the best of them.
    if (this.#scores.length < candidates.capacity) this.#scores = new Float64Array(candidates.capacity);
    const bounds = this.#scores;
    const near = localEvery > 0 && this.#asks % localEvery === 0 ? this.#nearBest(candidates) : undefined;
    for (let index = 0; index < candidates.count; index++) {
      const isOut = pool.isSeen(index) || (near !== undefined && !near.has(index));
      bounds[index] = isOut ? -1 : score(index, surrogate.deviationBound(index));
    }
    let chosen: number | undefined;
    let highest = -1;
    const promising = topIndices(bounds, candidates.count, this.#settings.exactScores);
    for (let from = 0; from < promising.length && bounds[promising[from]!]! > highest; from += 4) {
      const four = [0, 1, 2, 3].map((offset) => promising[Math.min(from + offset, promising.length - 1)]!);
      for (const [offset, deviation] of surrogate.deviations(four).entries()) {
        const exact = score(four[offset]!, deviation);
        if (exact > highest) {
          highest = exact;
          chosen = four[offset];
        }
      }
    }
    return chosen;
  }

  /** The candidates that differ from one of the best in one tunable; undefined where all of them were tried. */
  #nearBest(candidates: Candidates): Set<number> | undefined {
    const best = [...this.#history.measured].sort((one, other) => one.time_ms - other.time_ms).slice(0, 3);
    const near = best
      .flatMap(({ point }) => this.#history.space.neighbours(point, 'any'))
      .filter((point) => !this.#history.isSeen(point))
      .flatMap((point) => candidates.indexOf(point) ?? []);
    return near.length === 0 ? undefined : new Set(near);
  }
}
