import type { CaseComparison, Comparison } from '../model/judge/comparison.ts';
import { defined } from '../model/defined.ts';
import { detectorOf, failureWhileTimed, faultOf, faultText, isKernelsOwn } from '../model/measure/fault.ts';
import {
  JUDGEMENT_SCHEMA,
  type JudgedCase,
  type Judgement,
  type JudgementFinding,
} from '../model/queue/judgement.ts';
import type { Measurement, Samples } from '../model/measure/samples.ts';
import { byUrgency, worstVerdict, type Verdict } from '../model/judge/verdict.ts';
import { gainOf, meanGain } from './reward.ts';

/** What the generated cases that were tried came to. */
export interface Fuzzed {
  /** In a case that the reference gets right. */
  readonly finding?: JudgementFinding;
  /** Cases in which the candidate was right. */
  readonly right: number;
  /** It has to be right in so many: in all of few, and in the first of many where time is up. */
  readonly needed: number;
}

/** What the judge found out about a candidate. */
export interface Heard {
  readonly comparison: Comparison;
  /** Of the candidate: its checks, series and losses. */
  readonly samples: Samples;
  /** In drawn cases, where it is right in the declared ones. */
  readonly fuzzed?: Fuzzed;
  readonly protections: readonly string[];
}

/** A judgement, but for what it is of and what it cost. */
export type Described = Omit<Judgement, 'cost' | 'problem' | 'reference' | 'sources_sha256'>;

/** A judgement of what was built and looked at. */
export function describeJudgement({ comparison, samples, fuzzed, protections }: Heard): Described {
  const findings = [
    ...samples.measurements.flatMap(findingsOf),
    ...(fuzzed?.finding ? [fuzzed.finding] : []),
  ];
  const rows = comparison.cases.map((row) => rowOf(row, samples, comparison));
  const isUnproven = fuzzed !== undefined && fuzzed.right < fuzzed.needed;
  const measured = worstVerdict([...rows, ...(isUnproven ? [{ verdict: 'undecided' } as const] : [])]);
  const verdict = fuzzed?.finding === undefined ? measured : 'incorrect';
  const isChecked = samples.measurements.every(({ check }) => check === undefined || check.passed);
  const isLooked = samples.measurements.every(
    ({ check, series }) => check !== undefined || series.length > 0,
  );
  const correct = verdict !== 'incorrect' && isChecked && isLooked && findings.length === 0;
  const gains = comparison.cases.map(gainOf);
  const gain =
    gains.every((one) => one !== undefined) && verdict !== 'incorrect' ? meanGain(gains) : undefined;
  const output = samples.measurements.flatMap(({ lost = [] }) => lost.flatMap((one) => one.output ?? []))[0];
  return {
    schema: JUDGEMENT_SCHEMA,
    verdict,
    correct,
    reason: fuzzedReason(fuzzed, verdict) ?? reasonOf(rows),
    ...defined({ speedup: gain?.speedup, output, generated_cases: fuzzed?.right }),
    reward: correct && !isUnproven ? (gain?.reward ?? 0) : 0,
    cases: rows,
    findings,
    protections: [...protections],
  };
}

/** Where generated cases decide. */
function fuzzedReason(fuzzed: Fuzzed | undefined, verdict: Verdict): string | undefined {
  if (fuzzed?.finding !== undefined) return `${fuzzed.finding.detector}: ${fuzzed.finding.evidence}.`;
  if (verdict !== 'undecided' || fuzzed === undefined || fuzzed.right >= fuzzed.needed) return undefined;
  const { right, needed } = fuzzed;
  return `It was right in ${right} generated cases, and ${needed} are needed: in the others it could not run where the reference can, or time was up (--fuzz sets how many are drawn).`;
}

function reasonOf(rows: readonly JudgedCase[]): string {
  return rows.toSorted(byUrgency)[0]?.reason ?? 'there was no case to judge.';
}

/** A candidate that does not build, or that Pawl cannot make a kernel of. */
export function describeBroken(message: string, log: string): Described {
  return {
    schema: JUDGEMENT_SCHEMA,
    verdict: 'incorrect',
    correct: false,
    reason: `${message}.`.replace(/\.\.$/u, '.'),
    reward: 0,
    cases: [],
    findings: [{ detector: 'build-failed', evidence: message }],
    protections: [],
    build_log: log,
  };
}

function rowOf(row: CaseComparison, samples: Samples, { cases }: Comparison): JudgedCase {
  const measurement = samples.measurements.find(
    (one) => one.case === row.case && (row.mode === undefined || one.mode === row.mode),
  );
  const failed = measurement && failureWhileTimed(measurement);
  const { case: name, mode, processes } = row;
  const fault = row.verdict === 'incorrect' || failed === undefined ? undefined : failed;
  const times = { reference_ms: row.baseline_ms, candidate_ms: row.candidate_ms };
  return {
    case: name,
    ...defined({ mode }),
    verdict: fault === undefined ? row.verdict : 'incorrect',
    reason: fault === undefined ? row.reason : `${fault.reason}: ${fault.message} (in a timed series).`,
    ...defined(times),
    ...defined({ speedup: cases.length > 1 ? gainOf(row)?.speedup : undefined }),
    processes,
  };
}

function findingsOf(measurement: Measurement): JudgementFinding[] {
  const { case: name, check, lost = [] } = measurement;
  const tampering = (check?.tampering ?? []).map(({ detector, message }) => ({
    detector,
    evidence: message,
  }));
  const losses = lost
    .filter(({ reason }) => detectorOf(reason) !== undefined || isKernelsOwn(reason))
    .map(({ reason, message }) => ({ detector: detectorOf(reason) ?? reason, evidence: message }));
  const found = [...tampering, ...losses];
  const fault = faultOf(measurement);
  const all =
    found.length === 0 && fault !== undefined
      ? [
          {
            detector: fault.detector,
            evidence: fault.tensor === undefined ? faultText(fault) : fault.message,
          },
        ]
      : found;
  const once = new Map(all.map((one) => [one.detector, one]));
  return [...once.values()].map(({ detector, evidence }) => ({ detector, evidence, case: name }));
}
