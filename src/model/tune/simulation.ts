import { z } from 'zod';

export const SIMULATION_SCHEMA = 'pawl.simulation/1';

/** What `pawl tune --simulate --json` prints: a search replayed on a space in which every time is known. */
export const simulationSchema = z.object({
  schema: z.literal(SIMULATION_SCHEMA),
  /** The space's name, or its file's. */
  space: z.string(),
  sampler: z.string(),
  seed: z.int().nonnegative(),
  /** Trials spent: fewer than asked for where the space has fewer variants. */
  trials: z.int().nonnegative(),
  /** Of them, those that returned no time. */
  failed: z.int().nonnegative(),
  /** Null where no trial returned a time. */
  best_ms: z.number().positive().nullable(),
  optimum_ms: z.number().positive(),
  /** For each trial, from 1, the best time so far; null before the first time. */
  trajectory: z.array(z.tuple([z.int().positive(), z.number().positive().nullable()])),
});
export type Simulation = z.infer<typeof simulationSchema>;
