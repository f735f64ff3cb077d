import { defined } from '../../model/defined.ts';
import type { OnProgress } from '../../model/measure/progress.ts';
import { measuredTrials } from '../../model/tune/measured-trials.ts';
import type { Trial } from '../../model/tune/study.ts';
import type { StudySettings } from '../../model/tune/study-settings.ts';
import { measuredDefault } from '../study/finalists.ts';
import type { WorkerState } from '../study/run-worker.ts';
import type { StudyBudget } from '../study/study-budget.ts';

export interface StudyProgressOptions {
  readonly title: string;
  readonly settings: StudySettings;
  readonly space: { readonly size: number | undefined };
  readonly budget: StudyBudget;
  readonly elapsed_s: () => number;
  readonly onProgress: OnProgress;
}

/** What a study says about itself while it searches. */
export class StudyProgress {
  readonly #options: StudyProgressOptions;
  readonly #started_s: number;
  #doneBefore = 0;

  constructor(options: StudyProgressOptions) {
    this.#options = options;
    this.#started_s = options.elapsed_s();
  }

  start(trials: readonly Trial[]): void {
    this.#doneBefore = trials.filter(isDone).length;
    const { title, settings, space } = this.#options;
    const total = Math.min(settings.trials ?? Infinity, space.size ?? Infinity);
    // Without a limit in trials their number says nothing: the share of the time does.
    this.#options.onProgress({ type: 'started', title, total: Number.isFinite(total) ? total : 0 });
  }

  /** `atWork`: who does the work, where it is not this process. */
  show(
    trials: readonly Trial[],
    { queued, measuring }: WorkerState,
    building: number,
    atWork?: string,
  ): void {
    const done = trials.filter(isDone).length;
    const { budget, elapsed_s, onProgress } = this.#options;
    const until_s = budget.searchUntil_s(trials);
    const left_ms = this.#left_ms(done, until_s);
    onProgress({
      type: 'step',
      done,
      label: measuring?.phase ?? trials.at(-1)?.phase ?? 'default',
      detail: [
        bestText(trials),
        rejectedText(trials),
        atWork ?? `${building} building${queued === 0 ? '' : `, ${queued} built`}`,
      ]
        .filter((part) => part !== '')
        .join(' · '),
      ...defined({ left_ms }),
      ...(Number.isFinite(until_s) ? { share: Math.min(1, elapsed_s() / until_s) } : {}),
    });
  }

  finish(): void {
    this.#options.onProgress({ type: 'finished' });
  }

  /** Whichever ends first: the time, or the trials at the pace so far. */
  #left_ms(done: number, until_s: number): number | undefined {
    const { settings, space, elapsed_s } = this.#options;
    const byTime_s = until_s - elapsed_s();
    const most = Math.min(settings.trials ?? Infinity, space.size ?? Infinity);
    const here = done - this.#doneBefore;
    const pace_s = here === 0 ? Infinity : (elapsed_s() - this.#started_s) / here;
    const byTrials_s = (most - done) * pace_s;
    const left_s = Math.min(byTime_s, Number.isNaN(byTrials_s) ? Infinity : byTrials_s);
    return Number.isFinite(left_s) ? Math.max(0, 1000 * left_s) : undefined;
  }
}

function isDone({ outcome }: Trial): boolean {
  return outcome !== undefined;
}

/** `best 0.4301 ms, median 0.4312 [0.4308, 0.4330], 1.23× the default`. */
function bestText(trials: readonly Trial[]): string {
  const best = measuredTrials(trials)[0];
  if (best === undefined) return '';
  const { time_ms, median_ms, ci_ms } = best.outcome;
  const start = measuredDefault(trials);
  const interval =
    ci_ms === undefined
      ? ''
      : `, median ${median_ms.toPrecision(4)} [${ci_ms.map((end) => end.toPrecision(4)).join(', ')}]`;
  const gain =
    start === undefined || start.trial === best.trial
      ? ''
      : `, ${(start.outcome.time_ms / time_ms).toFixed(2)}× the default`;
  return `best ${time_ms.toPrecision(4)} ms${interval}${gain}`;
}

function rejectedText(trials: readonly Trial[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of trials) {
    if (outcome?.status === 'rejected') counts.set(outcome.reason, (counts.get(outcome.reason) ?? 0) + 1);
  }
  return [...counts]
    .toSorted((one, other) => other[1] - one[1])
    .map(([reason, count]) => `${count} ${reason}`)
    .join(', ');
}
