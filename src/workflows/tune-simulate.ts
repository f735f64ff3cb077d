/** `pawl tune --simulate`: a search on a recorded space, to see what a sampler finds without a device. */
import { PawlError } from '../model/pawl-error.ts';
import { SIMULATION_SCHEMA } from '../model/tune/simulation.ts';
import type { Simulation } from '../model/tune/simulation.ts';
import { createSampler, DEFAULT_SAMPLER } from '../tune/search/create-sampler.ts';
import { replayOf } from '../tune/simulate/listed-space.ts';
import { readRecordedSpace } from '../tune/simulate/read-recorded-space.ts';
import { simulate } from '../tune/simulate/simulate.ts';
import { DEFAULT_TRIALS } from '../tune/study/study-budget.ts';

/** A recorded search space, and the sampler to try on it. */
export interface TuneSimulateOptions {
  /** A pawl.space/1 file, a cache file of Kernel Tuner, or T4 results. */
  readonly file: string;
  /** The name of a sampler. Default: the model. */
  readonly sampler?: string;
  readonly trials?: number;
  readonly seed?: number;
}

const SIMULATE_DEFAULTS = { trials: DEFAULT_TRIALS, seed: 1 } as const;

/**
 * Runs a sampler on a recorded search space, without a device, and returns how close it comes to the optimum.
 *
 * @throws {PawlError} of kind `usage` if the file or the sampler does not exist; `bad-data` if the file is not a
 * recorded space
 */
export async function tuneSimulate(options: TuneSimulateOptions): Promise<Simulation> {
  const { file, sampler: name = DEFAULT_SAMPLER } = options;
  const { trials = SIMULATE_DEFAULTS.trials, seed = SIMULATE_DEFAULTS.seed } = options;
  const recorded = await readRecordedSpace(file);
  const replay = replayOf(recorded);
  const optimum_ms = replay.times_ms.reduce<number>(
    (least, time) => Math.min(least, time ?? Infinity),
    Infinity,
  );
  if (!Number.isFinite(optimum_ms)) {
    throw new PawlError(
      'bad-data',
      `${recorded.name} has no variant with a time`,
      'Give a space with measured variants.',
    );
  }
  const sampler = createSampler(name, { space: replay.space, seed, trials });
  const { best_ms, failed } = simulate(replay, sampler, trials);
  return {
    schema: SIMULATION_SCHEMA,
    space: recorded.name,
    sampler: name,
    seed,
    trials: best_ms.length,
    failed,
    best_ms: best_ms.at(-1) ?? null,
    optimum_ms,
    trajectory: best_ms.map((best, index) => [index + 1, best ?? null]),
  };
}
