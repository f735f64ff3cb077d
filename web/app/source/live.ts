/** What is under way, from the events of `/api/v1/live`. */
import { isSameUpToVariant } from '../../../src/model/judge/case-key.ts';
import type {
  LiveCase,
  LiveEvent,
  LiveRun,
  LiveStudy,
  LiveTrial,
} from '../../../src/model/server/live-event.ts';

export interface Live {
  readonly runs: ReadonlyMap<string, LiveRun>;
  readonly studies: ReadonlyMap<string, LiveStudy>;
}

export const NOTHING_LIVE: Live = { runs: new Map(), studies: new Map() };

export function nextLive(live: Live, event: LiveEvent): Live {
  switch (event.type) {
    case 'snapshot':
      return { runs: byId(event.runs), studies: byId(event.studies) };
    case 'run':
      return { ...live, runs: new Map(live.runs).set(event.run.id, event.run) };
    case 'study':
      return { ...live, studies: new Map(live.studies).set(event.study.id, event.study) };
    case 'progress':
      return {
        runs: withCase(live.runs, event.run, event.case),
        studies: withTrial(live.studies, event.study, event.trial),
      };
    case 'finished':
      return { runs: without(live.runs, event.run), studies: without(live.studies, event.study) };
    case 'recorded':
    case 'session':
      return live;
  }
}

function byId<Item extends { readonly id: string }>(items: readonly Item[]): ReadonlyMap<string, Item> {
  return new Map(items.map((item) => [item.id, item]));
}

function without<Item>(items: ReadonlyMap<string, Item>, id: string | undefined): ReadonlyMap<string, Item> {
  return new Map([...items].filter(([name]) => name !== id));
}

function withCase(runs: Live['runs'], id: string | undefined, changed: LiveCase | undefined): Live['runs'] {
  const run = id === undefined ? undefined : runs.get(id);
  if (run === undefined || changed === undefined) return runs;
  const others = run.cases.filter((one) => !isSameUpToVariant(one, changed));
  return new Map(runs).set(run.id, { ...run, cases: [...others, changed] });
}

function withTrial(
  studies: Live['studies'],
  id: string | undefined,
  trial: LiveTrial | undefined,
): Live['studies'] {
  const study = id === undefined ? undefined : studies.get(id);
  if (study === undefined || trial === undefined) return studies;
  const { outcome } = trial;
  return new Map(studies).set(study.id, {
    ...study,
    trials: Math.max(study.trials, trial.number),
    measured: study.measured + (outcome?.status === 'measured' ? 1 : 0),
    rejected: study.rejected + (outcome?.status === 'rejected' ? 1 : 0),
    ...(outcome?.status === 'measured'
      ? { best_ms: Math.min(study.best_ms ?? Infinity, outcome.time_ms) }
      : {}),
  });
}
