import { blindTolerance } from '../model/correctness/blind-tolerance.ts';
import { caseKeyOf } from '../model/judge/case-key.ts';
import type { CaseComparison } from '../model/judge/comparison.ts';
import { detectorOf, faultOf, faultText, lostText } from '../model/measure/fault.ts';
import type { Measurement, Series } from '../model/measure/samples.ts';
import { median } from '../stats/quantile.ts';
import { shiftPValue } from '../stats/yuen.ts';
import type { Corrected } from './correct-for-cases.ts';
import { correctForCases } from './correct-for-cases.ts';
import { decide } from './decide.ts';
import type { EstimatedPair } from './describe-case.ts';
import { describeCase } from './describe-case.ts';
import { withoutLaunches } from './launch-latency.ts';
import { estimateCase } from './estimate-case.ts';
import { inTurns } from './in-turns.ts';
import type { JudgePolicy } from './judge-policy.ts';
import { limitsOf, policyForCase } from './judge-policy.ts';
import type { Match } from './match-measurements.ts';
import { onlySummarized, summaryLevel_ms } from './only-summarized.ts';
import { summarizeProcesses } from './process-summary.ts';
import {
  describeSummarized,
  isSummarizedPair,
  summarizedPair,
  type SummarizedPair,
} from './summarized-pair.ts';

/** A case of the candidate with what it is judged against, and what their runs say of both. */
export interface JudgedPair extends Match {
  /** Of the candidate's run. */
  readonly seed?: string | undefined;
  /** Where they were measured, for measurements that do not say it themselves. */
  readonly hosts?: { readonly baseline: string | undefined; readonly candidate: string | undefined };
}

/** Judges every pair, all of them as one family: that many cases are judged at once is allowed for. */
export function judgePairs(pairs: readonly JudgedPair[], policy: JudgePolicy): CaseComparison[] {
  return judgeDrafts(pairs, pairs.map(draftOf), policy);
}

/** How many are estimated before others get their turn: about 10 ms of work. */
const PAIRS_AT_A_TIME = 20;

/** The same for a server, which has other requests to answer while thousands of cases are judged. */
export async function judgePairsInTurns(
  pairs: readonly JudgedPair[],
  policy: JudgePolicy,
): Promise<CaseComparison[]> {
  const drafts: Draft[] = [];
  for (const pair of pairs) {
    if (drafts.length % PAIRS_AT_A_TIME === 0) await new Promise((resolve) => setImmediate(resolve));
    drafts.push(draftOf(pair));
  }
  return judgeDrafts(pairs, drafts, policy);
}

/** What is known of a pair before the others are: its estimate, or why there is none. */
type Draft = CaseComparison | EstimatedPair | SummarizedPair;

function draftOf(pair: JudgedPair): Draft {
  return withoutEstimate(pair, pair.seed) ?? estimatePair(pair);
}

function judgeDrafts(
  pairs: readonly JudgedPair[],
  drafts: readonly Draft[],
  policy: JudgePolicy,
): CaseComparison[] {
  const limits = limitsOf(policy);
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
  return judged.map((one, index) => withPrepared(withHosts(one, pairs[index]!), pairs[index]!));
}

function judgeDraft(
  draft: EstimatedPair | SummarizedPair,
  { level, tails }: { readonly level: Corrected; readonly tails: ReadonlyMap<EstimatedPair, Corrected> },
  policy: JudgePolicy,
  family: number,
): CaseComparison {
  const limits = limitsOf(policy);
  if (!('shifts' in draft)) return describeSummarized(draft, level, limits, policy);
  const decision = withoutLaunches(decide(draft.shifts, limits, level.alpha, family), draft, policy);
  return describeCase(draft, decision, { level, tail: tails.get(draft) }, limits, policy);
}

/** A case that was judged by a threshold of its own says by which. */
function withThreshold(one: CaseComparison, own: JudgePolicy, policy: JudgePolicy): CaseComparison {
  return own.regressionPct === policy.regressionPct ? one : { ...one, threshold_pct: own.regressionPct };
}

/** Where the two were measured, if that is not the same host. */
function withHosts(one: CaseComparison, pair: JudgedPair): CaseComparison {
  if (pair.baseline === undefined) return one;
  const baseline = pair.baseline.host ?? pair.hosts?.baseline;
  const candidate = pair.candidate.host ?? pair.hosts?.candidate;
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
    const reason = 'the result of the baseline was wrong, so its time cannot be compared with.';
    return { verdict: 'new', reason };
  }
  const caught = baseline.lost?.find(({ reason }) => detectorOf(reason) !== undefined);
  if (caught !== undefined) {
    const reason = `the baseline cheats or is wrong when it is timed, so it cannot be compared with: ${caught.reason}: ${lostText(caught)}.`;
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
export function levelOf<Name extends string>(
  name: Name,
  measurement: Measurement | undefined,
): Partial<Record<Name, number>> {
  if (measurement === undefined) return {};
  const { series, summaries } = measurement;
  const level_ms = series.length > 0 ? medianOfMedians(series) : summaryLevel_ms(summaries ?? []);
  return level_ms === undefined ? {} : ({ [name]: level_ms } as Record<Name, number>);
}

export function processesOf(measurement: Measurement | undefined): number {
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
