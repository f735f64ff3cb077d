import { caseKeyOf, caseText } from '../model/judge/case-key.ts';
import type { CaseComparison, Comparison } from '../model/judge/comparison.ts';
import { COMPARISON_SCHEMA } from '../model/judge/comparison.ts';
import { defined } from '../model/defined.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Measurement, Samples, Series } from '../model/measure/samples.ts';
import { commonProtections } from '../model/device/sandbox.ts';
import { worstVerdict } from '../model/judge/verdict.ts';
import { isBroken, type SkippedKernel } from '../model/measure/skipped-kernel.ts';
import { buildFault } from './build-fault.ts';
import type { JudgePolicy } from './judge-policy.ts';
import { JUDGE_DEFAULTS, limitsOf } from './judge-policy.ts';
import { judgePairs, levelOf, processesOf } from './judge-pairs.ts';
import type { Match } from './match-measurements.ts';
import { deviceMismatch, matchMeasurements } from './match-measurements.ts';

/**
 * Judges every case of the candidate against its baseline. Pure: the same two files give the same comparison.
 * Refuses, as bad data, a comparison across devices that the policy does not allow.
 */
export function compareSamples(
  baseline: Samples,
  candidate: Samples,
  policy: JudgePolicy = JUDGE_DEFAULTS,
): Comparison {
  // A policy that cannot be kept to is refused before anything else.
  limitsOf(policy);
  const { pairs, missing: unmatched } = matchMeasurements(baseline, candidate);
  const { broken, missing } = splitBroken(unmatched, candidate.skipped ?? []);
  if (pairs.length + broken.length === 0) throw nothingMeasured(candidate);
  const mismatch = firstMismatch(pairs, baseline, candidate);
  if (mismatch !== undefined && !policy.allowDeviceMismatch) {
    throw new PawlError(
      'bad-data',
      `${mismatch}: the times cannot be compared`,
      'Measure both on one device, or allow the mismatch if you know what you are doing.',
    );
  }

  const seed = candidate.environment?.seed;
  const hosts = { baseline: baseline.environment?.host, candidate: candidate.environment?.host };
  const measured = judgePairs(
    pairs.map((pair) => ({ ...pair, seed, hosts })),
    policy,
  );
  const cases = [...measured, ...broken];
  return {
    schema: COMPARISON_SCHEMA,
    verdict: worstVerdict(cases),
    thresholds: { regression_pct: policy.regressionPct, improvement_pct: policy.improvementPct },
    correction: policy.correction,
    error_rates: { false_alarm: policy.falseAlarm, miss: policy.miss },
    cases,
    missing: missing.map(caseKeyOf),
    ...defined({ device_mismatch: mismatch, protections: commonProtections(pairs.flatMap(seriesOf)) }),
  };
}

/** Cases of the baseline whose kernel the candidate could not build: they are not missing, they are broken. */
function splitBroken(
  unmatched: readonly Measurement[],
  skipped: readonly SkippedKernel[],
): { readonly broken: CaseComparison[]; readonly missing: Measurement[] } {
  const broken: CaseComparison[] = [];
  const missing: Measurement[] = [];
  for (const one of unmatched) {
    const why = skipped.find((each) => isBroken(each) && each.kernel === one.kernel);
    if (why === undefined) missing.push(one);
    else {
      const settled = buildFault(why.kernel, why.message);
      const processes: [number, number] = [processesOf(one), 0];
      broken.push({
        state: 'not-estimated',
        ...caseKeyOf(one),
        ...settled,
        processes,
        ...levelOf('baseline_ms', one),
      });
    }
  }
  return { broken, missing };
}

function nothingMeasured({ skipped = [] }: Samples): PawlError {
  const broken = skipped.filter(isBroken);
  if (broken.length > 0) {
    const lines = broken.map(({ kernel, message }) => `${kernel}: ${message}`);
    return new PawlError(
      'does-not-build',
      `the candidate does not build\n${lines.join('\n')}`,
      broken[0]?.hint,
    );
  }
  return new PawlError(
    'bad-data',
    'the candidate has no measurements',
    'Measure it with `pawl bench`, or give another file.',
  );
}

function seriesOf({ baseline, candidate }: Match): readonly Series[] {
  return [...(baseline?.series ?? []), ...candidate.series];
}

function firstMismatch(pairs: readonly Match[], baseline: Samples, candidate: Samples): string | undefined {
  for (const { baseline: before, candidate: after } of pairs) {
    if (before === undefined) continue;
    const mismatch = deviceMismatch(
      { ...baseline.device, ...before.device },
      { ...candidate.device, ...after.device },
    );
    if (mismatch !== undefined) return `${caseText(after)}: ${mismatch}`;
  }
  return undefined;
}
