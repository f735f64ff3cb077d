import type { SampleResult } from '../model/measure/protocol.ts';
import { median } from '../stats/index.ts';
import type { RunContext } from '../os/run-context.ts';

export interface WarmUpOptions extends Pick<RunContext, 'signal' | 'now'> {
  /** Samples of one round, and so the least that are thrown away. */
  readonly warmup: number;
}

export interface WarmUp {
  readonly samples: number;
  readonly cost_ms: number;
}

/** An idle H200 runs at 345–405 MHz and needs some hundred milliseconds of work to reach 1980. */
const LONGEST_MS = 3000;
const MOST_ROUNDS = 20;

/** Without a clock in band (on a CPU) times alone say little about it, and noise would warm up for ever. */
const MOST_ROUNDS_WITHOUT_CLOCK = 3;

/** Two rounds in a row are alike when their clocks differ by less than this, and their times by twice as much. */
const STABLE = 0.01;

/** Runs the kernel until modules are loaded and the clock is stable. Returns what that took. */
export async function warmUp(
  sample: (count: number, budget_ms: number) => Promise<SampleResult>,
  options: WarmUpOptions,
): Promise<WarmUp> {
  if (options.warmup === 0) return { samples: 0, cost_ms: 0 };
  const deadline = options.now().getTime() + LONGEST_MS;
  let samples = 0;
  let cost_ms = 0;
  let previous: SampleResult | undefined;
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    const current = await sample(options.warmup, LONGEST_MS);
    samples += current.samples_ms.length;
    cost_ms += current.wall_ms;
    if (options.signal.aborted || options.now().getTime() > deadline) break;
    if (current.clock_mhz === undefined && round >= MOST_ROUNDS_WITHOUT_CLOCK) break;
    if (previous !== undefined && alike(previous, current)) break;
    previous = current;
  }
  return { samples, cost_ms };
}

function alike(previous: SampleResult, current: SampleResult): boolean {
  return (
    within(previous.samples_ms, current.samples_ms, 2 * STABLE) &&
    within(previous.clock_mhz ?? [1], current.clock_mhz ?? [1], STABLE)
  );
}

function within(before: readonly number[], after: readonly number[], share: number): boolean {
  const reference = median(before);
  return Math.abs(median(after) - reference) <= share * reference;
}
