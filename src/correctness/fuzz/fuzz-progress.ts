import type { FuzzCounts } from '../../model/correctness/fuzz-report.ts';
import type { OnProgress } from '../../model/measure/progress.ts';

export interface FuzzProgressOptions {
  readonly onProgress: OnProgress;
  readonly now_ms: () => number;
  /** Cases of all kernels together; undefined: the time decides. */
  readonly cases: number | undefined;
  readonly time_s: number | undefined;
}

/** Tells how far a run is: in cases, or in seconds where only the time ends it. */
export class FuzzProgress {
  readonly #options: FuzzProgressOptions;
  readonly #started_ms: number;
  #before = 0;
  #current = 0;

  constructor(options: FuzzProgressOptions) {
    this.#options = options;
    this.#started_ms = options.now_ms();
    const total = options.cases ?? Math.ceil(options.time_s ?? 1);
    options.onProgress({ type: 'started', title: 'fuzzing', total: Math.max(1, total) });
  }

  see(kernel: string, { passed, failed, skipped }: Readonly<FuzzCounts>, name: string): void {
    this.#current = passed + failed + skipped;
    const elapsed_s = Math.floor((this.#options.now_ms() - this.#started_ms) / 1000);
    this.#options.onProgress({
      type: 'step',
      done: this.#options.cases === undefined ? elapsed_s : this.#before + this.#current,
      label: `${kernel} ${name}`,
      detail: `${passed} passed, ${failed} failed`,
    });
  }

  kernelDone(): void {
    this.#before += this.#current;
    this.#current = 0;
  }

  end(): void {
    this.#options.onProgress({ type: 'finished' });
  }
}
