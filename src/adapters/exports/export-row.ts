import { summaryLevel_ms } from '../../judge/only-summarized.ts';
import { blindTolerance } from '../../model/correctness/blind-tolerance.ts';
import { caseId, caseKeyOf, caseText } from '../../model/judge/case-key.ts';
import type { CheckReport } from '../../model/reports/check-report.ts';
import type { CaseComparison, CaseKey, Comparison } from '../../model/judge/comparison.ts';
import { faultOf, faultText, lostText } from '../../model/measure/fault.ts';
import type { Measurement, Samples, Series, SeriesSummary } from '../../model/measure/samples.ts';
import type { Verdict } from '../../model/judge/verdict.ts';
import { bootstrapMedian, hierarchicalBootstrapMedian, median, summary } from '../../stats/index.ts';

/** One case of a document, with what any of the formats can say about it. */
export interface ExportRow extends CaseKey {
  /** Kernel, case, variant and mode in one line: no two rows have the same. */
  readonly name: string;
  readonly median_ms: number | undefined;
  readonly processes: number;
  /** Absent in a document that only compares. */
  readonly measured?: {
    readonly series: readonly Series[];
    readonly summaries: readonly SeriesSummary[];
    readonly samples: number;
    readonly interval_ms?: readonly [number, number];
    readonly mean_ms?: number | undefined;
    readonly min_ms?: number | undefined;
    readonly max_ms?: number | undefined;
    readonly stddev_ms?: number | undefined;
    readonly check: 'passed' | 'failed' | 'not-checked';
  };
  /** Absent in a document that only measures. */
  readonly compared?: {
    readonly verdict: Verdict;
    readonly case: CaseComparison;
    /** Why a regression was accepted. */
    readonly waived: string | undefined;
  };
  /** What is wrong, or why there is no time. */
  readonly reason: string | undefined;
}

/** What can be exported: samples, or a comparison with what the ratchet made of it. */
export type ExportDocument =
  | { readonly kind: 'samples'; readonly samples: Samples }
  | { readonly kind: 'comparison'; readonly comparison: Comparison; readonly waived: CheckReport['waived'] };

export function exportRows(document: ExportDocument): ExportRow[] {
  if (document.kind === 'samples') return document.samples.measurements.map(rowOfMeasurement);
  const { comparison, waived } = document;
  const reasons = new Map(waived.map(({ key, waiver }) => [caseId(key), waiver.reason]));
  return comparison.cases.map((one) => rowOfCase(one, reasons.get(caseId(one))));
}

function rowOfCase(one: CaseComparison, waived: string | undefined): ExportRow {
  return {
    ...caseKeyOf(one),
    name: caseText(one),
    median_ms: one.candidate_ms,
    processes: one.processes[1],
    compared: { verdict: one.verdict, case: one, waived },
    reason: one.reason,
  };
}

function rowOfMeasurement(one: Measurement): ExportRow {
  const { series, summaries = [], lost = [], check } = one;
  const fault = faultOf(one);
  const isChecked = check !== undefined && blindTolerance(check) === undefined;
  const isWrong = fault !== undefined || check?.passed === false;
  return {
    ...caseKeyOf(one),
    name: caseText(one),
    median_ms:
      series.length > 0
        ? median(series.map(({ samples_ms }) => median(samples_ms)))
        : summaryLevel_ms(summaries),
    processes: series.length > 0 ? series.length : summaries.length,
    measured: {
      series,
      summaries,
      samples: series.reduce((sum, { samples_ms }) => sum + samples_ms.length, 0),
      ...figuresOf(series, summaries),
      check: isWrong ? 'failed' : isChecked ? 'passed' : 'not-checked',
    },
    reason: fault === undefined ? lost[0] && lostText(lost[0]) : faultText(fault),
  };
}

function figuresOf(series: readonly Series[], summaries: readonly SeriesSummary[]) {
  if (series.length === 0) {
    const [only, ...others] = summaries;
    if (only === undefined || others.length > 0) return {};
    return { mean_ms: only.mean_ms, min_ms: only.min_ms, max_ms: only.max_ms, stddev_ms: only.stddev_ms };
  }
  const all = series.flatMap(({ samples_ms }) => samples_ms);
  const { mean, standardDeviation, min, max, count } = summary(all);
  const { low, high } =
    series.length > 1
      ? hierarchicalBootstrapMedian(series.map(({ samples_ms }) => samples_ms))
      : bootstrapMedian(all, { method: 'sampled' });
  return {
    interval_ms: [low, high] as const,
    mean_ms: mean,
    min_ms: min,
    max_ms: max,
    stddev_ms: count > 1 ? standardDeviation : undefined,
  };
}
