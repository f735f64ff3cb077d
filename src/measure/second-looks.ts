import type { RunnerFailureReason } from '../runner/runner-failure.ts';

interface Look {
  /** How often a series is begun. */
  readonly times: number;
  /** How long it rests before it is begun once more: longer from time to time. */
  readonly pause_ms: number;
}

/** What the machine may have done, too. */
const LOOKS: Partial<Record<RunnerFailureReason, Look>> = {
  busy: { times: 4, pause_ms: 500 },
  // A clock that lies does so in every process; what an honest kernel met is over after a pause.
  'clock-mismatch': { times: 2, pause_ms: 2000 },
};

/** Of one series: after which losses it is begun again. */
export class SecondLooks {
  readonly #losses = new Map<RunnerFailureReason, number>();

  /** How long to rest before the next attempt; undefined: the series is lost. */
  pauseAfter(reason: RunnerFailureReason): number | undefined {
    const { times, pause_ms } = LOOKS[reason] ?? { times: 1, pause_ms: 0 };
    const losses = (this.#losses.get(reason) ?? 0) + 1;
    this.#losses.set(reason, losses);
    return losses < times ? pause_ms * losses : undefined;
  }
}
