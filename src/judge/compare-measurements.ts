import { blindTolerance } from '../model/blind-tolerance.ts';
import { caseKeyOf, caseText } from '../model/case-key.ts';
import type { CaseComparison, Comparison } from '../model/comparison.ts';
import { COMPARISON_SCHEMA } from '../model/comparison.ts';
import { defined } from '../model/defined.ts';
import { detectorOf, faultOf, faultText, lostText } from '../model/fault.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Measurement, Samples, Series } from '../model/samples.ts';
import { commonProtections } from '../model/sandbox.ts';
import { worstVerdict } from '../model/verdict.ts';
import { isBroken, type SkippedKernel } from '../model/skipped-kernel.ts';
import { median } from '../stats/quantile.ts';
import { shiftPValue } from '../stats/yuen.ts';
import { buildFault } from './build-fault.ts';
import type { Corrected } from './correct-for-cases.ts';
import { correctForCases } from './correct-for-cases.ts';
import { decide } from './decide.ts';
import type { EstimatedPair } from './describe-case.ts';
import { describeCase } from './describe-case.ts';
import { estimateCase } from './estimate-case.ts';
import { inTurns } from './in-turns.ts';
import type { JudgePolicy } from './judge-policy.ts';
import { JUDGE_DEFAULTS, limitsOf, policyForCase } from './judge-policy.ts';
import type { Match } from './match-measurements.ts';
import { deviceMismatch, matchMeasurements } from './match-measurements.ts';
import { onlySummarized, summaryLevel_ms } from './only-summarized.ts';
import { summarizeProcesses } from './process-summary.ts';
import {
  describeSummarized,
  isSummarizedPair,
  summarizedPair,
  type SummarizedPair,
} from './summarized-pair.ts';

/**
 * Judges every case of the candidate against its baseline. Pure: the same two files give the same comparison.
 * Refuses, as bad data, a comparison across devices that the policy does not allow.
 */
export function compareSamples(
  baseline: Samples,
  candidate: Samples,
  policy: JudgePolicy = JUDGE_DEFAULTS,
): Comparison {
  const limits = limitsOf(policy);
  const { pairs, missing: unmatched } = matchMeasurements(baseline, candidate);
  const { broken, missing } = splitBroken(unmatched, candidate.skipped ?? []);
  if (pairs.length + broken.length === 0) throw nothingMeasured(candidate);
  const mismatch = firstMismatch(pairs, baseline, candidate);
  if (mismatch !== undefined && !policy.allowDeviceMismatch) {
    throw new PawlError(
      'bad-data',
      `${mismatch}: their times do not compare`,
      'Measure both on one device, or allow the mismatch if you know what you are doing.',
    );
  }

  const seed = candidate.environment?.seed;
  const drafts = pairs.map((pair) => withoutEstimate(pair, seed) ?? estimatePair(pair));
  const judgedByTest = drafts.filter((draft) => 'before' in draft);
  const estimated = judgedByTest.filter((draft) => 'shifts' in draft);
  const byLevel = correctForCases(
    judgedByTest.map(({ p }) => p),
    limits.alpha,
    policy.correction,
  );
  const tails = correctTails(estimated, limits.alpha, policy);
  const family = policy.correction === 'none' ? 1 : judgedByTest.length;
  let next = 0;
  const judged = drafts.map((draft): CaseComparison => {
    if (!('before' in draft)) return draft;
    const level = byLevel[next++]!;
    const own = policyForCase(policy, draft.candidate);
    return withThreshold(judgeDraft(draft, { level, tails }, own, family), own, policy);
  });
  const measured = judged.map((one, index) =>
    withPrepared(withHosts(one, pairs[index]!, { baseline, candidate }), pairs[index]!),
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

function judgeDraft(
  draft: EstimatedPair | SummarizedPair,
  { level, tails }: { readonly level: Corrected; readonly tails: ReadonlyMap<EstimatedPair, Corrected> },
  policy: JudgePolicy,
  family: number,
): CaseComparison {
  const limits = limitsOf(policy);
  if (!('shifts' in draft)) return describeSummarized(draft, level, limits, policy);
  const decision = decide(draft.shifts, limits, level.alpha, family);
  return describeCase(draft, decision, { level, tail: tails.get(draft) }, limits, policy);
}

/** A case that was judged by a threshold of its own says by which. */
function withThreshold(one: CaseComparison, own: JudgePolicy, policy: JudgePolicy): CaseComparison {
  return own.regressionPct === policy.regressionPct ? one : { ...one, threshold_pct: own.regressionPct };
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
    'the candidate holds no measurements',
    'Measure it with `pawl bench`, or name another file.',
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

/** Where the two were measured, if that is not the same host. */
function withHosts(
  one: CaseComparison,
  pair: Match,
  samples: { readonly baseline: Samples; readonly candidate: Samples },
): CaseComparison {
  if (pair.baseline === undefined) return one;
  const baseline = pair.baseline.host ?? samples.baseline.environment?.host;
  const candidate = pair.candidate.host ?? samples.candidate.environment?.host;
  if (baseline === undefined || candidate === undefined || baseline === candidate) return one;
  return { ...one, hosts: { baseline, candidate } };
}

/** What the two prepare outside of their times, if that is not the same. */
function withPrepared(one: CaseComparison, { baseline, candidate }: Match): CaseComparison {
  if (baseline === undefined) return one;
  const [before, after] = [[...(baseline.prepared_of ?? [])], [...(candidate.prepared_of ?? [])]];
  const names = new Set([...before, ...after]);
  if (names.size === before.length && names.size === after.length) return one;
  return { ...one, prepared: { baseline: before, candidate: after } };
}

/** The cases in which there is nothing to estimate: a wrong result, nothing to compare with, no series. */
function withoutEstimate(
  { baseline, candidate }: Match,
  seed: string | undefined,
): CaseComparison | undefined {
  const found = whyNot(baseline, candidate, seed);
  if (found === undefined) return undefined;
  return {
    state: 'not-estimated',
    ...caseKeyOf(candidate),
    ...found,
    processes: [processesOf(baseline), processesOf(candidate)],
    ...levelOf('baseline_ms', baseline),
    ...levelOf('candidate_ms', candidate),
  };
}

function whyNot(
  baseline: Measurement | undefined,
  candidate: Measurement,
  seed: string | undefined,
): Pick<CaseComparison, 'verdict' | 'reason' | 'fault' | 'blind'> | undefined {
  const fault = faultOf(candidate, seed);
  if (fault !== undefined) {
    return { verdict: 'incorrect', reason: `${faultText(fault)}, so its time does not count.`, fault };
  }
  const blind = blindTolerance(candidate.check);
  if (blind !== undefined) {
    const reason = `${blind.message}, so its time does not count. ${blind.remedy}`;
    return { verdict: 'undecided', reason, blind: candidate.check?.blind };
  }
  if (baseline === undefined) return { verdict: 'new', reason: 'the baseline does not have this case.' };
  if (baseline.check?.passed === false) {
    const reason = 'the result of the baseline was wrong, so its time is nothing to compare with.';
    return { verdict: 'new', reason };
  }
  const caught = baseline.lost?.find(({ reason }) => detectorOf(reason) !== undefined);
  if (caught !== undefined) {
    const reason = `the baseline cheats or is wrong when it is timed, so it is nothing to compare with: ${caught.reason}: ${lostText(caught)}.`;
    return { verdict: 'undecided', reason };
  }
  if (isSummarizedPair(baseline, candidate)) return undefined;
  const summary = onlySummarized(baseline, candidate);
  if (summary !== undefined) return { verdict: 'undecided', reason: summary };
  if (baseline.series.length === 0) {
    return { verdict: 'new', reason: 'the baseline has no series of this case.' };
  }
  if (candidate.series.length === 0) {
    const lost = candidate.lost?.[0];
    const reason = `the candidate has no series of this case${lost === undefined ? '' : `: ${lostText(lost)}`}.`;
    return { verdict: 'undecided', reason };
  }
  return undefined;
}

/** What a case without an estimate shows of a side: its median, or the figure that stands in its summary. */
function levelOf<Name extends string>(
  name: Name,
  measurement: Measurement | undefined,
): Partial<Record<Name, number>> {
  if (measurement === undefined) return {};
  const { series, summaries } = measurement;
  const level_ms = series.length > 0 ? medianOfMedians(series) : summaryLevel_ms(summaries ?? []);
  return level_ms === undefined ? {} : ({ [name]: level_ms } as Record<Name, number>);
}

function processesOf(measurement: Measurement | undefined): number {
  if (measurement === undefined) return 0;
  return measurement.series.length > 0 ? measurement.series.length : (measurement.summaries?.length ?? 0);
}

function medianOfMedians(series: readonly Series[]): number {
  return median(series.map(({ samples_ms }) => median(samples_ms)));
}

function estimatePair(match: Match): EstimatedPair | SummarizedPair {
  const baseline = match.baseline!;
  const { candidate } = match;
  const summarized = summarizedPair(baseline, candidate);
  if (summarized !== undefined) return summarized;
  const before = summarizeProcesses(baseline.series);
  const after = summarizeProcesses(candidate.series);
  const shifts = estimateCase(before, after, inTurns(baseline.series, candidate.series));
  return { baseline, candidate, before, after, shifts, p: shiftPValue(shifts.shift) };
}

/** Tails are a question of their own, so they are a family of their own. */
function correctTails(
  pairs: readonly EstimatedPair[],
  alpha: number,
  { correction }: JudgePolicy,
): Map<EstimatedPair, Corrected> {
  const withTail = pairs.filter(({ shifts }) => shifts.tail !== undefined);
  const corrected = correctForCases(
    withTail.map(({ shifts }) => shiftPValue(shifts.tail!)),
    alpha,
    correction,
  );
  return new Map(withTail.map((pair, index) => [pair, corrected[index]!]));
}
