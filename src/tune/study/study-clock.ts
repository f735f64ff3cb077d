/** Seconds spent on a study by all runs that worked on it: it stops while no worker runs. */
export class StudyClock {
  readonly #before_s: number;
  readonly #started_ms: number;
  readonly #now: () => Date;

  constructor(now: () => Date, before_s = 0) {
    this.#before_s = before_s;
    this.#now = now;
    this.#started_ms = now().getTime();
  }

  get elapsed_s(): number {
    // A clock that is set back must not make the journal run backwards.
    return this.#before_s + Math.max(0, this.#now().getTime() - this.#started_ms) / 1000;
  }
}
