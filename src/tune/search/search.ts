import type { Trial } from '../../model/tune/study.ts';
import type { StudySettings } from '../../model/tune/study-settings.ts';
import type { Variant } from '../../model/problem/variant.ts';
import { MODEL_SETTINGS } from '../samplers/model/settings.ts';
import { createSampler, DEFAULT_SAMPLER } from './create-sampler.ts';
import { pointKey, type Point, type Space } from '../space/space.ts';
import { lookAhead } from '../study/look-ahead.ts';
import { runWorker, type TrialTools, type WorkerState } from '../study/run-worker.ts';
import { SamplerSource } from '../study/sampler-source.ts';
import { DEFAULT_TRIALS, type SearchEnd, type StudyBudget } from '../study/study-budget.ts';
import type { TrialLedger } from '../study/trial-ledger.ts';
import { StudyProgress } from './study-progress.ts';
import type { RunContext } from '../../os/run-context.ts';

export interface SearchOptions<Ready> extends Pick<RunContext, 'signal' | 'onProgress'> {
  readonly space: Space;
  readonly default: Variant;
  readonly settings: StudySettings;
  readonly ledger: TrialLedger;
  readonly tools: TrialTools<Ready>;
  readonly budget: StudyBudget;
  readonly jobs: number;
  readonly building: () => number;
  readonly worker: string;
  readonly title: string;
  readonly elapsed_s: () => number;
}

const LOOK_AT_CLOCK_MS = 500;

/** Proposes, builds and measures until the budget is spent or nothing is left to try. */
export async function search<Ready>(options: SearchOptions<Ready>): Promise<SearchEnd> {
  const { ledger, budget, signal, jobs } = options;
  const progress = new StudyProgress(options);
  let known: readonly Trial[] = await ledger.trials();
  let state: WorkerState = { preparing: 0, queued: 0, measuring: undefined };
  const show = () => progress.show(known, state, options.building());
  const stop = new AbortController();
  // Builds that outlast the search are given up, also while nothing else happens.
  const clock = setInterval(() => {
    if (!budget.mayMeasure(known)) stop.abort();
    show();
  }, LOOK_AT_CLOCK_MS);
  progress.start(known);
  try {
    await runWorker({
      ledger: observed(ledger, (trials) => {
        known = trials;
      }),
      source: sourceOf(options),
      tools: options.tools,
      worker: options.worker,
      ahead: (trials) => lookAhead(trials, jobs),
      mayPropose: (trials) => budget.mayPropose(trials),
      mayMeasure: () => budget.mayMeasure(known),
      stop: stop.signal,
      signal,
      onChange: (now) => {
        state = now;
        show();
      },
    });
  } finally {
    clearInterval(clock);
    known = await ledger.trials();
    show();
    progress.finish();
  }
  if (signal.aborted) return 'interrupted';
  return budget.spentBy(known) ?? 'space';
}

/** The ledger as it is, with every answer passed to the display. */
function observed(ledger: TrialLedger, see: (trials: readonly Trial[]) => void): TrialLedger {
  const look = async (): Promise<readonly Trial[]> => {
    const trials = await ledger.trials();
    see(trials);
    return trials;
  };
  return {
    trials: look,
    reclaim: (worker) => ledger.reclaim(worker),
    propose: (proposal, worker) => ledger.propose(proposal, worker),
    renew: (lease) => ledger.renew(lease),
    tell: async (lease, outcome, details) => {
      const isTold = await ledger.tell(lease, outcome, details);
      await look();
      return isTold;
    },
  };
}

/** The default first, then earlier winners, then a spread-out start where one was asked for, then the sampler's own. */
function sourceOf({ space, settings, default: usual }: SearchOptions<unknown>): SamplerSource {
  const { sampler: name, seed, start } = settings;
  // A sampler that paces itself expects so many where only time is limited.
  const trials = settings.trials ?? Math.min(DEFAULT_TRIALS, space.size ?? DEFAULT_TRIALS);
  const phases = new Map<string, Trial['phase']>();
  const first: Point[] = [];
  const put = (point: Point | undefined, phase: Trial['phase']): void => {
    if (point === undefined || phases.has(pointKey(point))) return;
    phases.set(pointKey(point), phase);
    first.push(point);
  };
  const usualPoint = space.pointOf(usual);
  put(usualPoint, 'default');
  for (const variant of settings.warm) put(space.pointOf(variant), 'warm');
  if (start !== undefined && start > 0) {
    const spread = createSampler('lhs', { space, seed, trials: start });
    for (let count = 0; count < start; count++) put(spread.ask(), 'start');
  }
  return new SamplerSource({
    space,
    sampler: createSampler(name, { space, seed, trials, first }),
    phases,
    // As the model does by itself, a third of a small budget at most.
    spread: name === DEFAULT_SAMPLER ? Math.min(MODEL_SETTINGS.start, Math.ceil(trials / 3)) : 0,
    outside: usualPoint === undefined ? [{ variant: usual, phase: 'default' }] : [],
  });
}
