/** Answers of the HTTP API, as far as pages need them: the store's own shapes, and what is read of a study's document. */
import type { StudyParameter } from '../../../src/model/tune/study-settings.ts';
import type { Variant } from '../../../src/model/problem/variant.ts';
import type { Verdict } from '../../../src/model/judge/verdict.ts';

export type {
  CostRow,
  ListedSession,
  MeasurementSummary,
  ProfileSummary,
  RunDetail,
  StoredMeasurement,
  StoredProfile,
  StoredSeries,
  StoredStudy,
  StoredVerdict,
  StudySummary,
} from '../../../src/model/history/history-api.ts';
export type { Page } from '../../../src/history/history.ts';

export type { Method } from '../../../src/model/learn/gate.ts';
export type { Lesson, Lessons } from '../../../src/model/learn/lesson.ts';
export type { Session, Try } from '../../../src/model/learn/session.ts';

/** What is read of a study's own document (`pawl.study/1`); a study under way has less of it. */
export interface StudyDocument {
  readonly result?: string;
  readonly reason?: string;
  readonly default_ms?: number;
  readonly case?: string;
  readonly operations?: number;
  readonly bytes?: number;
  readonly device?: { readonly name: string };
  readonly default?: Variant;
  readonly best?: { readonly trial: number; readonly time_ms?: number };
  readonly space?: { readonly parameters: readonly Pick<StudyParameter, 'name' | 'values'>[] };
  readonly confirmations?: readonly {
    readonly trial: number;
    readonly verdict: Verdict;
    readonly reason: string;
    readonly speedup?: number;
    readonly speedup_ci?: readonly [number, number];
  }[];
  readonly importance?: {
    readonly method: string;
    readonly trials: number;
    readonly explained: number;
    readonly parameters: readonly { readonly name: string; readonly share: number }[];
  };
}
