import type { PhaseId } from '../../model/learn/gate.ts';
import { PAUSE_MIN } from '../../model/learn/session-progress.ts';

/** Time spent by phase, from the times of events. */
export class PhaseClock {
  readonly #spent_s = new Map<PhaseId, number>();
  #last_ms: number;

  constructor(started_at: string) {
    this.#last_ms = Date.parse(started_at);
  }

  /**
   * What a command worked belongs to its phase, and the time before it to the one that the session was in. Of a pause
   * only the work counts: a search that runs for an hour is not a break.
   */
  tick(at: string, before: PhaseId, work: { readonly phase: PhaseId; readonly worked_s: number }): void {
    const at_ms = Date.parse(at);
    // A clock that was set back adds nothing.
    const gap_s = Math.max(0, (at_ms - this.#last_ms) / 1000);
    this.#last_ms = Math.max(at_ms, this.#last_ms);
    const worked_s = Math.min(gap_s, work.worked_s);
    this.#add(work.phase, worked_s);
    if (gap_s <= 60 * PAUSE_MIN) this.#add(before, gap_s - worked_s);
  }

  #add(phase: PhaseId, seconds: number): void {
    this.#spent_s.set(phase, this.spent_s(phase) + seconds);
  }

  spent_s(phase: PhaseId): number {
    return this.#spent_s.get(phase) ?? 0;
  }
}
