/** Answers of the HTTP API that `src/model/history.ts` does not name: as the store's queries give them. */
import type { Verdict } from '../../../src/model/comparison.ts';
import type { HistoryKey, HistoryRun } from '../../../src/model/history.ts';
import type { ProfileReport } from '../../../src/model/profile-report.ts';
import type { Measurement, Series } from '../../../src/model/samples.ts';
import type { Trial } from '../../../src/model/study.ts';

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Absent on the last page. */
  readonly next?: string;
}

export type StoredSeries = Omit<Series, 'samples_ms'> & {
  /** Empty where retention took the samples. */
  readonly samples_ms: readonly number[];
  /** There were this many; those left are their order statistics, evenly spaced. */
  readonly thinned_from?: number;
};

export interface StoredMeasurement extends Omit<Measurement, 'series'> {
  readonly id: string;
  readonly run: string;
  readonly side: 'head' | 'base' | 'control';
  readonly key: HistoryKey;
  readonly level_ms?: number;
  readonly ci_ms?: readonly [number, number];
  readonly verdict?: Verdict;
  readonly series: readonly StoredSeries[];
}

export type MeasurementSummary = Omit<StoredMeasurement, 'series'> & {
  readonly processes: number;
  readonly samples: number;
};

export interface StoredVerdict {
  readonly key: HistoryKey;
  readonly verdict: Verdict;
  readonly change_pct?: number;
  readonly ci_pct?: readonly [number, number];
  readonly baseline_ms?: number;
  readonly candidate_ms?: number;
  readonly waived: boolean;
}

export interface CommitFacts {
  readonly sha: string;
  readonly parent?: string;
  readonly time?: string;
  readonly subject?: string;
}

export interface RunDetail {
  readonly run: HistoryRun;
  readonly measurements: readonly MeasurementSummary[];
  readonly verdicts: readonly StoredVerdict[];
  readonly commits: readonly CommitFacts[];
}

export interface ProfileSummary {
  readonly id: string;
  readonly time: string;
  readonly kernel: string;
  readonly case: string;
  readonly mode: string;
  readonly commit?: string;
  readonly summary?: string;
}

export interface StoredProfile extends ProfileSummary {
  readonly report: ProfileReport;
  /** The one-pager and the like, by name. */
  readonly files: Readonly<Record<string, string>>;
}

export interface StudySummary {
  readonly id: string;
  readonly kernel: string;
  readonly started_at: string;
  readonly finished_at?: string;
  readonly trials: number;
  readonly measured: number;
  readonly best_ms?: number;
}

/** What is read of a study's own document (`pawl.study/1`); a study under way has less of it. */
export interface StudyDocument {
  readonly result?: string;
  readonly reason?: string;
  readonly default_ms?: number;
  readonly case?: string;
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

export interface StoredStudy extends StudySummary {
  readonly document: unknown;
  readonly trials_list: readonly Trial[];
}

export interface CostRow {
  readonly day: string;
  readonly kind: HistoryRun['kind'];
  readonly runs: number;
  readonly device_s: number;
  readonly currency?: string;
  readonly amount: number;
}
