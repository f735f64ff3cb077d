import { setTimeout as sleep } from 'node:timers/promises';

import type { Trial } from '../../model/tune/study.ts';
import { timeoutOf, WAIT_S, type PilotContext, type PilotOutcome } from './pilot-context.ts';
import { PilotTools } from './pilot-tools.ts';
import { search } from './search.ts';

const IDLE_S = 300;
const LOOK_MS = 1000;

/** Searches until the study is searched, and stands by meanwhile for what others may lose. */
export async function searchPart(context: PilotContext): Promise<PilotOutcome> {
  const { store, study, prepared, worker, options, budget } = context;
  const { signal, onProgress, now } = options;
  const { builder } = prepared;
  const tools = new PilotTools({
    study: prepared,
    settings: study.settings,
    timeout_ms: 1000 * timeoutOf(context.loaded, options),
    wait_s: options.wait_s ?? WAIT_S,
    clocks: options.clocks,
    now,
    onProgress,
  });
  const idle_ms = 1000 * (options.idle_s ?? IDLE_S);
  let seen = '';
  let seen_ms = performance.now();
  for (;;) {
    const ended_by = await search({
      space: prepared.space,
      default: prepared.plan.variant,
      settings: study.settings,
      ledger: store,
      tools,
      budget,
      jobs: builder.jobs,
      building: () => builder.running,
      worker,
      title: `study ${study.id}`,
      elapsed_s: context.elapsed_s,
      signal,
      onProgress,
    });
    // What it believes to have told may have been refused: the search is over when the store says so.
    if (!signal.aborted) await store.settled();
    const trials = await store.trials();
    const told = trials.filter((trial) => trial.outcome !== undefined && trial.worker === worker).length;
    if (signal.aborted) return { worker, ended_by: 'interrupted', told };
    if (trials.every(({ outcome }) => outcome !== undefined)) {
      await store.endSearch(ended_by);
      return { worker, ended_by: 'searched', told };
    }
    // Out of time: what is under way elsewhere may be reported or not, and no worker takes it over any more.
    if (!budget.mayMeasure(trials)) {
      await store.endSearch(ended_by);
      return { worker, ended_by: 'searched', told };
    }
    const state = stateText(trials);
    if (state !== seen) [seen, seen_ms] = [state, performance.now()];
    if (performance.now() - seen_ms > idle_ms) return { worker, ended_by: 'idle', told };
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

function stateText(trials: readonly Trial[]): string {
  return trials
    .filter(({ outcome }) => outcome === undefined)
    .map(({ number, worker }) => `${number}:${worker ?? ''}`)
    .join(' ');
}
