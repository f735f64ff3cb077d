import type { Candidates } from './candidates.ts';
import type { Encoding } from './encoding.ts';
import { KernelFit } from './fit-kernel.ts';
import { Layout } from './hyperparameters.ts';
import { Kernel } from './kernel.ts';
import { Process } from './process.ts';
import type { ModelSettings } from './settings.ts';
import { Scratches, Stage } from './stage.ts';
import type { Score } from './stage.ts';
import type { Surrogate } from './surrogate.ts';

/** The kernel is fitted at every ask up to here, and then each time the observations have grown by this share. */
const FIT_EVERY_ASK_TO = 12;
const FIT_GROWTH = 0.12;
/** Steps of a fit, all in one ask as long as there are few observations: a step costs their cube. */
const FIT_STEPS = 3;
const FIT_AT_ONCE_TO = 60;
/** Observations that a kernel is fitted to at most. */
const FIT_POINTS = 128;
/** Covariances computed in one ask for the next surrogate: a few milliseconds of work. */
const FILL_PER_ASK = 250_000;

/** The surrogate in use, and the next one with a newly fitted kernel, which takes several asks where there is much. */
export class StagedSurrogate {
  readonly #fit: KernelFit;
  #candidates: Candidates | undefined;
  #scratch = new Scratches(0);
  #current: Stage | undefined;
  #next: Stage | undefined;
  #stepsLeft = 0;
  #fittedAt = 0;

  constructor(encoding: Encoding, settings: ModelSettings) {
    const layout = new Layout(encoding, settings);
    this.#fit = new KernelFit(
      new Kernel(encoding, layout, Float64Array.from(layout.medians), settings.prior.constant),
    );
  }

  /**
   * @param measured grows from call to call; `underWay` are those points that have no target yet
   * @param promise a candidate's score, by its mean and a deviation: who has the greatest is shortlisted
   */
  update(
    candidates: Candidates,
    measured: readonly Uint16Array[],
    underWay: readonly Uint16Array[],
    targets: Float64Array,
    promise: Score,
  ): Surrogate {
    if (candidates !== this.#candidates) {
      this.#candidates = candidates;
      this.#scratch = new Scratches(candidates.capacity);
      this.#current = undefined;
      this.#next = undefined;
    }
    const isReady = this.#improve(measured, targets);
    this.#current ??= this.#newStage(measured.length);
    this.#current.update(measured, underWay);
    const { surrogate } = this.#current;
    surrogate.fill(Infinity);
    if (!isReady || this.#next === undefined) return surrogate;
    const isEmpty = this.#next.isEmpty;
    // A trial under way may be reported before it is used.
    this.#next.update(measured, []);
    if (isEmpty && measured.length > FIT_AT_ONCE_TO) return surrogate;
    if (!this.#next.advance(targets, promise, FILL_PER_ASK)) return surrogate;
    surrogate.release();
    this.#current = this.#next;
    this.#next = undefined;
    this.#current.update(measured, underWay);
    this.#current.surrogate.fill(Infinity);
    return this.#current.surrogate;
  }

  /** Nothing on the shortlist can be proposed: all candidates are gone through from here on. */
  widen(): void {
    this.#current = undefined;
  }

  /**
   * Where there are many observations, an ask does one thing at a time for the next surrogate: a step of the fit,
   * taking the observations in, or some of the covariances.
   *
   * @returns whether covariances are next
   */
  #improve(measured: readonly Uint16Array[], targets: Float64Array): boolean {
    const { length } = measured;
    if (this.#next !== undefined) return true;
    const isQuick = length <= FIT_AT_ONCE_TO;
    if (this.#stepsLeft === 0) {
      const grown = length - this.#fittedAt;
      const due = length <= FIT_EVERY_ASK_TO ? 1 : Math.max(1, Math.floor(length * FIT_GROWTH));
      if (grown < due) return false;
      this.#stepsLeft = FIT_STEPS;
      this.#fittedAt = length;
    }
    const { points, values } = tellingPart(measured, targets);
    const steps = isQuick ? this.#stepsLeft : 1;
    for (let step = 0; step < steps; step++) this.#fit.step(points, values);
    this.#stepsLeft -= steps;
    if (this.#stepsLeft === 0) this.#next = this.#newStage(length);
    return isQuick;
  }

  #newStage(expected: number): Stage {
    return new Stage(new Process(this.#fit.kernel, 2 * expected + 8), this.#candidates!, this.#scratch);
  }
}

/**
 * What a kernel is fitted to where there is much: the better half of so many observations, and others at even
 * distances in time.
 */
function tellingPart(
  measured: readonly Uint16Array[],
  targets: Float64Array,
): { readonly points: readonly Uint16Array[]; readonly values: Float64Array } {
  if (measured.length <= FIT_POINTS) return { points: measured, values: targets };
  const byTarget = [...targets.keys()].sort((one, other) => targets[one]! - targets[other]!);
  const best = byTarget.slice(0, FIT_POINTS / 2);
  const others = byTarget.slice(FIT_POINTS / 2).sort((one, other) => one - other);
  const spaced = Array.from(
    { length: FIT_POINTS / 2 },
    (_, index) => others[Math.floor((2 * index * others.length) / FIT_POINTS)]!,
  );
  const chosen = [...best, ...spaced];
  return {
    points: chosen.map((index) => measured[index]!),
    values: Float64Array.from(chosen, (index) => targets[index]!),
  };
}
