import { isCaseOf } from '../model/judge/case-key.ts';
import type { CheckReport } from '../model/reports/check-report.ts';
import type { CaseComparison, CaseKey, Comparison } from '../model/judge/comparison.ts';
import type { Measurement, Samples } from '../model/measure/samples.ts';
import { entryKey } from './entry-key.ts';
import { advanceBaseline, type AdvanceOptions, type LoadedEntry } from './advance-baseline.ts';
import { withCases } from '../judge/merge-comparisons.ts';

/** A confirmed improvement, and the independent measurement that confirmed it. */
export interface ConfirmedGain {
  readonly verdict: Extract<CaseComparison, { state: 'estimated' }>;
  readonly comparison: Comparison;
  readonly samples: Samples;
}

export interface RatchetOutcome {
  readonly advanced: CheckReport['advanced'];
  readonly newCases: CheckReport['new_cases'];
  /** What was measured under load, and whether it was written anyway. */
  readonly loaded: NonNullable<CheckReport['loaded']>;
}

/** Moves the baseline file forward: confirmed improvements for what is faster, first entries for what is new. */
export async function updateRatchet(
  gains: readonly ConfirmedGain[],
  first: readonly Samples[],
  options: Omit<AdvanceOptions, 'samples' | 'confirmation' | 'accept'>,
): Promise<RatchetOutcome> {
  const advanced: CheckReport['advanced'] = [];
  const loaded: NonNullable<CheckReport['loaded']> = [];
  const note = (entries: readonly LoadedEntry[]) =>
    loaded.push(...entries.map(({ key, load, isKept: kept }) => ({ key, load, kept })));
  for (const { verdict, comparison, samples } of gains) {
    const confirmation = withCases(comparison, [verdict]);
    const moved = await advanceBaseline({ ...options, samples: onlyCase(samples, verdict), confirmation });
    note(moved.loaded);
    // A variant that the baseline did not have enters as a first entry; the one before it keeps its own.
    if (moved.advanced.length + moved.first.length === 0) continue;
    advanced.push({
      key: verdict,
      old_ms: verdict.baseline_ms,
      new_ms: verdict.candidate_ms,
      change_pct: verdict.change_pct,
    });
  }
  const newCases: CheckReport['new_cases'] = [];
  for (const samples of first) {
    const added = await advanceBaseline({ ...options, samples });
    note(added.loaded);
    newCases.push(...added.first.map(({ key }) => key));
  }
  return { advanced, newCases, loaded };
}

function onlyCase(samples: Samples, key: CaseKey): Samples {
  return { ...samples, measurements: measurementsOf(samples, key) };
}

/** What was measured of a case. Its key may name no variant: a comparison of revisions whose variants differ. */
export function measurementsOf(samples: Samples, key: CaseKey): Measurement[] {
  return samples.measurements.filter((one) => one.series.length > 0 && isCaseOf(entryKey(one, samples), key));
}
