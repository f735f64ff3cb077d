import type { Measurement, Samples, Series } from '../../src/model/measure/samples.ts';
import { normalQuantile } from '../../src/stats/normal.ts';
import { Xoshiro128 } from '../../src/stats/random.ts';

/** How made-up processes behave. */
export interface Behaviour {
  readonly level_ms: number;
  readonly processes: number;
  readonly samples?: number;
  /** Standard deviation of the logarithms between processes and within one. */
  readonly between?: number;
  readonly within?: number;
  readonly seed: number;
}

/** Series of lognormal processes with lognormal samples. */
export function seriesOf(behaviour: Behaviour): Series[] {
  const { level_ms, processes, samples = 100, between = 0.004, within = 0.01, seed } = behaviour;
  const random = new Xoshiro128(seed);
  const normal = (): number => normalQuantile(random.nextOpen());
  return Array.from({ length: processes }, (_, index) => {
    const own = level_ms * Math.exp(between * normal());
    return {
      process: index + 1,
      samples_ms: Array.from({ length: samples }, () => own * Math.exp(within * normal())),
    };
  });
}

export function measurementOf(behaviour: Behaviour, rest: Partial<Measurement> = {}): Measurement {
  return { case: 'training_512', series: seriesOf(behaviour), ...rest };
}

export function samplesOf(...measurements: Measurement[]): Samples {
  return { schema: 'pawl.samples/1', measurements };
}
