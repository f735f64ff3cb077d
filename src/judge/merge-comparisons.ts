import type { JudgePolicy } from './judge-policy.ts';
import { caseId, isSameCase } from '../model/judge/case-key.ts';
import { COMPARISON_SCHEMA, type CaseComparison, type Comparison } from '../model/judge/comparison.ts';
import { defined } from '../model/defined.ts';
import { commonProtections } from '../model/device/sandbox.ts';
import { worstLoad } from '../model/device/load.ts';
import type { Samples } from '../model/measure/samples.ts';
import { mergeSkipped } from '../model/measure/skipped-kernel.ts';
import { worstVerdict } from '../model/judge/verdict.ts';

/**
 * Several comparisons of different cases under one policy, as one. There is at least one. What one of them lacks is
 * missing, unless another has it.
 */
export function mergeComparisons(parts: readonly Comparison[]): Comparison {
  const [first] = parts;
  if (first === undefined) throw new Error('no comparison to merge');
  const { protections: _, ...rest } = first;
  const measured = parts.filter(({ cases }) =>
    cases.some(({ processes }) => processes[0] + processes[1] > 0),
  );
  const missing = parts.flatMap((part) =>
    part.missing.filter(
      (key) => !parts.some((other) => other !== part && other.cases.some((one) => isSameCase(one, key))),
    ),
  );
  return withCases(
    {
      ...rest,
      ...defined({ protections: commonProtections(measured) }),
      missing: [...new Map(missing.map((key) => [caseId(key), key])).values()],
    },
    parts.flatMap(({ cases }) => cases),
  );
}

/** A comparison with other verdicts on its cases. */
export function withCases(comparison: Comparison, cases: readonly CaseComparison[]): Comparison {
  return { ...comparison, verdict: worstVerdict(cases), cases: [...cases] };
}

/** Rows that were settled without measuring, as a comparison of their own. */
export function settledComparison(rows: readonly CaseComparison[], policy: JudgePolicy): Comparison {
  return {
    schema: COMPARISON_SCHEMA,
    verdict: worstVerdict(rows),
    thresholds: { regression_pct: policy.regressionPct, improvement_pct: policy.improvementPct },
    correction: policy.correction,
    error_rates: { false_alarm: policy.falseAlarm, miss: policy.miss },
    cases: [...rows],
    missing: [],
  };
}

export function mergeSamples(parts: readonly Samples[]): Samples {
  const [first] = parts;
  if (first === undefined) throw new Error('no samples to merge');
  const hostOfFirst = first.environment?.host;
  const measurements = parts.flatMap((part) =>
    part.measurements.map((one) => {
      const host = part.environment?.host;
      return { ...defined({ device: part.device, host: host === hostOfFirst ? undefined : host }), ...one };
    }),
  );
  const { device: _, skipped: __, ...rest } = first;
  const loads = parts.flatMap(({ environment }) => environment?.load ?? []);
  const environment =
    loads.length === 0 ? {} : { environment: { ...first.environment, load: worstLoad(loads) } };
  return { ...rest, ...environment, measurements, ...mergeSkipped(parts) };
}
