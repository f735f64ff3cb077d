import { defined } from '../../model/defined.ts';
import type { RunCost } from '../../model/device/cost.ts';
import type { StudyRecord } from '../../model/tune/study-record.ts';
import { STUDY_SCHEMA, type Study, type Throughput } from '../../model/tune/study-report.ts';
import type { StudySettings, StudySubject } from '../../model/tune/study-settings.ts';
import type { Trial } from '../../model/tune/study.ts';
import { Xoshiro128 } from '../../stats/index.ts';
import { conclude } from './conclude.ts';
import { measuredDefault } from './finalists.ts';
import { parameterImportance } from './importance.ts';

export interface StudyState {
  readonly subject: StudySubject;
  readonly settings: StudySettings;
  readonly trials: readonly Trial[];
  /** All of the journal, this run's records included. */
  readonly records: readonly StudyRecord[];
  readonly improvement_pct: number;
  readonly cost: RunCost;
  readonly now: Date;
}

/** What a study has come to, from what is written down. */
export function assembleStudy(state: StudyState): Study {
  const { subject, settings, trials, records, improvement_pct, now } = state;
  const confirmations = records.flatMap((record) =>
    record.type === 'confirmation' ? [record.confirmation] : [],
  );
  const searched = records.findLast((record) => record.type === 'searched');
  const isOver = searched !== undefined && searched.ended_by !== 'interrupted';
  const { confirm } = settings;
  const { result, reason, best } = conclude(trials, confirmations, { confirm, improvement_pct, isOver });
  const start = measuredDefault(trials);
  const importance = parameterImportance(trials, subject.space.parameters, new Xoshiro128(settings.seed));
  const underWay = trials.filter(({ outcome }) => outcome === undefined).length;
  return {
    schema: STUDY_SCHEMA,
    ...subject,
    settings,
    result,
    reason,
    ...defined({ best, default_ms: start?.outcome.time_ms }),
    improvement_pct,
    ended_by: searched?.ended_by ?? 'interrupted',
    finished_at: now.toISOString(),
    trials: [...trials],
    confirmations,
    rejections: rejectionCounts(trials),
    ...defined({ importance }),
    throughput: throughputOf(trials, records),
    cost: state.cost,
    notes: underWay === 0 ? [] : [`${underWay} trials were running when the search ended and do not count.`],
    files: {},
  };
}

function rejectionCounts(trials: readonly Trial[]): Study['rejections'] {
  const counts: Study['rejections'] = {};
  for (const { outcome } of trials) {
    if (outcome?.status === 'rejected') counts[outcome.reason] = (counts[outcome.reason] ?? 0) + 1;
  }
  return counts;
}

function throughputOf(trials: readonly Trial[], records: readonly StudyRecord[]): Throughput {
  const searched = records.findLast((record) => record.type === 'searched');
  const wall_s = records.at(-1)?.at_s ?? 0;
  const search_s = searched?.at_s ?? wall_s;
  const measuring_s = sum(trials.map(({ measure_s }) => measure_s ?? 0));
  const told = trials.filter(({ outcome }) => outcome !== undefined).length;
  return {
    wall_s,
    search_s,
    measuring_s,
    measuring_share: search_s > 0 ? Math.min(1, measuring_s / search_s) : 0,
    trials_per_minute: search_s > 0 ? (60 * told) / search_s : 0,
    building_s: sum(trials.map(({ build_s }) => build_s ?? 0)),
    builds_at_once: Math.max(
      0,
      ...records.flatMap((record) => (record.type === 'searched' ? [record.builds_at_once] : [])),
    ),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
