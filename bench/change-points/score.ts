import { Xoshiro128 } from '../../src/stats/random.ts';
import type { KnownSeries, Scenario } from './series.ts';

export interface Detector {
  readonly name: string;
  readonly detect: (series: KnownSeries) => { readonly steps: readonly number[]; readonly creeps: number };
}

export interface Score {
  readonly scenario: string;
  readonly detector: string;
  readonly series: number;
  /** Of all steps that there were. */
  readonly true_steps: number;
  readonly found: number;
  /** Of those found, at the very value. */
  readonly exact: number;
  readonly false_steps: number;
  /** Series in which a drift was reported. */
  readonly creeps: number;
  readonly is_creep: boolean;
  /** Values after a step until it is first reported; of the steps that ever were. Single steps only. */
  readonly delays: readonly number[];
}

/** A step that is reported this far off still points at it: its neighbours are all that is left to look at. */
const TOLERANCE = 2;
/** A delay is looked for at these, since every look is a whole detection. */
const DELAYS = [1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 30, 40];

export function score(
  scenario: Scenario,
  detectors: readonly Detector[],
  options: { readonly draws: number; readonly seed: number; readonly delays: number },
): Score[] {
  const random = new Xoshiro128(options.seed);
  const drawn = Array.from({ length: options.draws }, () => scenario.draw(random));
  return detectors.map((detector) => {
    const total = { true_steps: 0, found: 0, exact: 0, false_steps: 0, creeps: 0 };
    for (const series of drawn) {
      const { steps, creeps } = detector.detect(series);
      const matched = match(series.steps, steps);
      total.true_steps += series.steps.length;
      total.found += matched.length;
      total.exact += matched.filter(({ truth, found }) => truth === found).length;
      total.false_steps += steps.length - matched.length;
      total.creeps += creeps > 0 ? 1 : 0;
    }
    const delays = drawn.slice(0, options.delays).flatMap((series) => delayOf(series, detector) ?? []);
    return {
      scenario: scenario.name,
      detector: detector.name,
      series: drawn.length,
      ...total,
      is_creep: drawn[0]!.creeps,
      delays,
    };
  });
}

/** Pairs each step with the nearest report that no other step has. */
function match(truth: readonly number[], found: readonly number[]): { truth: number; found: number }[] {
  const left = new Set(found);
  return truth.flatMap((step) => {
    const near = [...left]
      .filter((index) => Math.abs(index - step) <= TOLERANCE)
      .sort((a, b) => Math.abs(a - step) - Math.abs(b - step))[0];
    if (near === undefined) return [];
    left.delete(near);
    return [{ truth: step, found: near }];
  });
}

function delayOf(series: KnownSeries, { detect }: Detector): number | undefined {
  const [step, ...others] = series.steps;
  if (step === undefined || others.length > 0) return undefined;
  return DELAYS.find((delay) => {
    const end = step + delay;
    if (end > series.times.length) return false;
    const seen = {
      ...series,
      times: series.times.slice(0, end),
      errors: series.errors.slice(0, end),
      ...(series.hosts === undefined ? {} : { hosts: series.hosts.slice(0, end) }),
    };
    return match([step], detect(seen).steps).length === 1;
  });
}
