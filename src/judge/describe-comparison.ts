import type { JudgePolicy } from './judge-policy.ts';
import type { Look } from './sequential.ts';
import { isSameUpToVariant } from '../model/judge/case-key.ts';
import type { CaseComparison, CaseKey, Comparison } from '../model/judge/comparison.ts';
import { COMPARISON_SCHEMA } from '../model/judge/comparison.ts';
import { faultOf, faultText, lostText } from '../model/measure/fault.ts';
import type { Mode } from '../model/problem/mode.ts';
import type { Measurement, Samples } from '../model/measure/samples.ts';
import { variantText } from '../model/problem/variant.ts';
import { worstVerdict } from '../model/judge/verdict.ts';
import type { Settlement } from './build-fault.ts';
import type { CaseName, SettledCases } from './settle-cases.ts';

/** Every case of the head in its order: judged where it was measured, and as it was settled before where not. */
export function describeComparison({
  cases,
  missing,
  modes,
  look,
  samples,
  policy,
}: SettledCases & {
  readonly modes: readonly Mode[];
  readonly look: Look | undefined;
  readonly samples: { readonly base: Samples; readonly head: Samples };
  readonly policy: JudgePolicy;
}): Comparison {
  const inModes = ({ kernel, case: name }: CaseName): CaseKey[] =>
    modes.map((mode) => ({ kernel, case: name, mode }));
  const rowOf = (key: CaseKey, known: SettledCases['cases'][number]['settled']): CaseComparison => {
    if (known !== undefined) return settled(key, known);
    return look?.comparison.cases.find((row) => isSameUpToVariant(row, key)) ?? unmeasured(key, samples);
  };
  const rows = cases.flatMap((one) =>
    inModes(one).map((key) => withVariant(rowOf(key, one.settled), sharedVariant(samples, key))),
  );
  return {
    schema: COMPARISON_SCHEMA,
    thresholds: { regression_pct: policy.regressionPct, improvement_pct: policy.improvementPct },
    correction: policy.correction,
    error_rates: { false_alarm: policy.falseAlarm, miss: policy.miss },
    ...look?.comparison,
    verdict: worstVerdict(rows),
    cases: rows,
    missing: missing.flatMap(inModes),
  };
}

function settled(key: CaseKey, settlement: Settlement): CaseComparison {
  return { state: 'not-estimated', ...key, ...settlement, processes: [0, 0] };
}

/** A case whose every series of the base was lost, or whose turn never came. */
function unmeasured(
  key: CaseKey,
  { base, head }: { readonly base: Samples; readonly head: Samples },
): CaseComparison {
  const before = find(base, key);
  const after = find(head, key);
  const processes: [number, number] = [before?.series.length ?? 0, after?.series.length ?? 0];
  const wrong = after && faultOf(after, head.environment?.seed);
  if (wrong !== undefined) {
    const reason = `${faultText(wrong)}.`;
    return { state: 'not-estimated', ...key, verdict: 'incorrect', reason, fault: wrong, processes };
  }
  const lost = before?.lost?.[0];
  const reason =
    lost === undefined
      ? 'measuring ended before this case had its turn.'
      : `every series of the baseline was lost: ${lostText(lost)}.`;
  return { state: 'not-estimated', ...key, verdict: 'undecided', reason, processes };
}

function withVariant(row: CaseComparison, variant: CaseKey['variant']): CaseComparison {
  return variant === undefined ? row : { ...row, variant };
}

/** The variant that both sides ran; nothing where they ran different ones. */
function sharedVariant(
  { base, head }: { readonly base: Samples; readonly head: Samples },
  key: CaseKey,
): CaseKey['variant'] {
  const before = find(base, key)?.variant;
  const after = find(head, key)?.variant;
  if (before === undefined || after === undefined) return after ?? before;
  return variantText(before) === variantText(after) ? after : undefined;
}

function find({ measurements }: Samples, key: CaseKey): Measurement | undefined {
  return measurements.find((one) => isSameUpToVariant(one, key));
}
