import { readFileSync } from 'node:fs';

import { RunnerFailure } from './runner-failure.ts';

/** A runner may claim less time than passed here by this much: pipes, parsing and scheduling take some. */
const SLACK_MS = 100;
const SLACK_SHARE = 0.25;

/** One late wake-up of this process is an accident; a slowed clock is late every time. */
const STRIKES = 2;

/** What one request took, by this process's clock and by the runner's. */
export interface TimedRequest {
  /** From sending it to having its answer, by this process's monotonic clock. */
  readonly elapsed_ms: number;
  /** How much of that this process and the runner spent waiting for a CPU. */
  readonly waited_ms: number;
  readonly wall_ms: number;
  readonly timed_ms: number;
}

/**
 * Compares a judge's clock with this process's own (detector `timer-tampered`): whatever reached the judge, and slowed
 * the clock that bounds the samples, does not reach this one.
 */
export class ClockWatch {
  #long = 0;
  #strikes = 0;

  /** @throws {RunnerFailure} once the clocks cannot both be right */
  add({ elapsed_ms, waited_ms, wall_ms, timed_ms }: TimedRequest): void {
    // Two clocks read the same interval from outside and from inside: the inside is never longer.
    if (timed_ms > elapsed_ms * (1 + SLACK_SHARE) + SLACK_MS) {
      throw tampered(`timed intervals of ${ms(timed_ms)} in a request that took ${ms(elapsed_ms)}`);
    }
    if (elapsed_ms <= SLACK_MS) return;
    this.#long += 1;
    const missing_ms = elapsed_ms - waited_ms - wall_ms;
    if (missing_ms > SLACK_MS && missing_ms > SLACK_SHARE * elapsed_ms) this.#strikes += 1;
    if (this.#strikes >= STRIKES && this.#strikes > this.#long / 2) {
      throw tampered(`the runner counts ${ms(wall_ms)} where ${ms(elapsed_ms)} passed`);
    }
  }
}

function tampered(what: string): RunnerFailure {
  return new RunnerFailure('timer-tampered', `two clocks disagree: ${what}`);
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}

/** How long the main thread of a process has waited for a CPU so far (Linux, sched-stats.rst); 0 where unknown. */
export function waitedForCpu_ms(pid: number | 'self'): number {
  try {
    const [, waited_ns] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
    return Number(waited_ns ?? 0) / 1e6;
  } catch {
    // Another system, or the process is gone.
    return 0;
  }
}
