import type { PhaseId } from '../../model/gate.ts';

/** Longer than this without an event is a pause: lunch, a night. */
export const PAUSE_S = 30 * 60;

/** Time spent by phase, from the times of events. */
export class PhaseClock {
  readonly #spent_s = new Map<PhaseId, number>();
  #last_ms: number;

  constructor(started_at: string) {
    this.#last_ms = Date.parse(started_at);
  }

  /**
   * The time since the last event belongs to a phase. Of a pause only what a command is known to have worked counts:
   * a search that runs for an hour is no lunch.
   */
  tick(at: string, phase: PhaseId, worked_s = 0): void {
    const at_ms = Date.parse(at);
    // A clock that was set back adds nothing.
    const gap_s = Math.max(0, (at_ms - this.#last_ms) / 1000);
    this.#last_ms = Math.max(at_ms, this.#last_ms);
    const counted_s = gap_s <= PAUSE_S ? gap_s : Math.min(gap_s, worked_s);
    this.#spent_s.set(phase, this.spent_s(phase) + counted_s);
  }

  spent_s(phase: PhaseId): number {
    return this.#spent_s.get(phase) ?? 0;
  }
}
