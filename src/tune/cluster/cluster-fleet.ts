import { isLive, type JobEngine, type JobRequest, type JobTask } from '../../engine/engine.ts';
import { PawlError } from '../../model/pawl-error.ts';

export interface FleetOptions {
  readonly engine: JobEngine;
  readonly name: string;
  /** Tasks that should be at work at a time. */
  readonly size: number;
  /** Tasks that may be started again for those that were lost. */
  readonly restarts: number;
  readonly job: (tasks: number) => JobRequest;
}

/** Squeue may not list a job in the moment after it was submitted. */
const SETTLE_MS = 5000;

/** The jobs that work on a study. What is known of them is asked of the scheduler again each time, by their name. */
export class Fleet {
  readonly #options: FleetOptions;
  /** The last state of every task that was ever seen: a scheduler forgets ended jobs. */
  readonly #seen = new Map<string, JobTask>();
  #submitted_ms = -Infinity;
  #restarted = 0;
  #isStarted = false;

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  /** Looks, and starts what is missing: at first all, later those that were lost. Refused ones would refuse again. */
  async tend(refused: number): Promise<readonly JobTask[]> {
    const { engine, name, size } = this.#options;
    const listed = await engine.tasks(name);
    for (const task of listed) this.#seen.set(task.id, task);
    const live = listed.filter(isLive);
    if (performance.now() - this.#submitted_ms < SETTLE_MS && live.length === 0) return listed;
    if (!this.#isStarted) {
      this.#isStarted = true;
      // After a crash of this program, those that are there are taken over.
      const missing = size - live.length;
      if (missing > 0) await this.#submit(missing);
      return listed;
    }
    if (live.length === 0 && refused >= size) return listed;
    const done =
      live.length === 0 ? 0 : [...this.#seen.values()].filter(({ state }) => state === 'done').length;
    const missing = size - live.length - done - refused;
    if (missing > 0) await this.#restart(missing, live.length);
    return listed;
  }

  get restarted(): number {
    return this.#restarted;
  }

  async #restart(missing: number, live: number): Promise<void> {
    const left = this.#options.restarts - this.#restarted;
    const count = Math.min(missing, left);
    if (count > 0) {
      this.#restarted += count;
      await this.#submit(count);
    } else if (live === 0) {
      const ends = [...this.#seen.values()].map(({ id, word, reason }) =>
        reason === undefined ? `${id} ${word}` : `${id} ${word} (${reason})`,
      );
      throw new PawlError(
        'try-again',
        `Jobs were lost too often: ${ends.slice(-4).join(', ')}.`,
        `Their output: ${this.#options.job(1).output}; continue with --resume.`,
      );
    }
  }

  async #submit(tasks: number): Promise<void> {
    await this.#options.engine.submit(this.#options.job(tasks));
    this.#submitted_ms = performance.now();
  }
}
