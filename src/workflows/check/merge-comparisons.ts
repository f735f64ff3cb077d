import { worstVerdict } from '../../judge/worst-verdict.ts';
import type { CaseComparison, Comparison } from '../../model/comparison.ts';
import type { Samples } from '../../model/samples.ts';

/** Several comparisons of different cases under one policy, as one. There is at least one. */
export function mergeComparisons(parts: readonly Comparison[]): Comparison {
  const [first] = parts;
  if (first === undefined) throw new Error('no comparison to merge');
  return withCases(
    first,
    parts.flatMap(({ cases }) => cases),
  );
}

/** A comparison with other verdicts on its cases. */
export function withCases(comparison: Comparison, cases: readonly CaseComparison[]): Comparison {
  return { ...comparison, verdict: worstVerdict(cases), cases: [...cases], missing: [] };
}

export function mergeSamples(parts: readonly Samples[]): Samples {
  const [first] = parts;
  if (first === undefined) throw new Error('no samples to merge');
  const measurements = parts.flatMap((part) =>
    part.measurements.map((one) => (part.device === undefined ? one : { device: part.device, ...one })),
  );
  const { device: _, ...rest } = first;
  return { ...rest, measurements };
}
