import { caseLabel, caseText, isSameCase } from '../model/judge/case-key.ts';
import { changeText, intervalText } from '../model/text/change-text.ts';
import type {
  Claim,
  ClaimedShape,
  ClaimField,
  ClaimFinding,
  ClaimReport,
  Stated,
} from '../model/judge/claim.ts';
import { CLAIM_SCHEMA } from '../model/judge/claim.ts';
import { blindTolerance } from '../model/correctness/blind-tolerance.ts';
import type { CaseComparison, Comparison } from '../model/judge/comparison.ts';
import type { Samples } from '../model/measure/samples.ts';
import { clip } from './parse-claim.ts';

/** What a claim is held against. */
export interface Measured {
  readonly comparison: Comparison;
  /** The candidate's samples: without them neither dimensions nor the correctness check are known. */
  readonly candidate?: Samples;
}

export interface ClaimPolicy {
  /** A gain that may be claimed. */
  readonly claimPct: number;
  /** Which of the evidence named is there; absent: not looked for. */
  readonly isThere?: (evidence: string) => boolean;
}

/** The smallest effect that may be claimed, in magnitude. */
const CLAIM_DELTA = 0.3;

type Estimated = Extract<CaseComparison, { state: 'estimated' }>;

/** Holds every field of a claim against the measurement. */
export function judgeClaim(claim: Claim, measured: Measured, policy: ClaimPolicy): ClaimReport {
  const { cases, finding } = targetsOf(claim.shapes, measured);
  const findings: ClaimFinding[] = [
    finding,
    checkHypothesis(claim.hypothesis),
    checkEvidence(claim.evidence, policy),
    ...resultFindings(claim, cases, policy),
    checkCorrectness(cases, measured.candidate),
  ];
  const has = (state: ClaimFinding['state']): boolean => findings.some((each) => each.state === state);
  return {
    schema: CLAIM_SCHEMA,
    verdict: has('wrong') ? 'not-proven' : has('missing') ? 'incomplete' : 'proven',
    claim_pct: policy.claimPct,
    findings,
    cases: cases.map(({ kernel, case: name, variant, mode }) => ({ kernel, case: name, variant, mode })),
  };
}

const ok = (field: ClaimField, message: string): ClaimFinding => ({ field, state: 'ok', message });
const wrong = (field: ClaimField, message: string): ClaimFinding => ({ field, state: 'wrong', message });
const missing = (field: ClaimField, message: string): ClaimFinding => ({ field, state: 'missing', message });

/** The finding for a field that cannot be held against anything; undefined where it can. */
function unusable(
  field: ClaimField,
  label: string,
  stated: Stated<unknown> | undefined,
): ClaimFinding | undefined {
  if (stated === undefined) return missing(field, `"${label}" is not filled in`);
  if (stated.state === 'read') return undefined;
  return wrong(field, `"${label}" cannot be read (${clip(stated.text)}): ${stated.why}`);
}

interface Targets {
  readonly cases: readonly CaseComparison[];
  readonly finding: ClaimFinding;
}

/** A shape may mean several measured cases, such as one for each mode: the claim is about all of them. */
function targetsOf(stated: Claim['shapes'], measured: Measured): Targets {
  const field = 'target-shapes';
  const refused = unusable(field, 'Target Shape(s)', stated);
  if (refused !== undefined || stated?.state !== 'read') {
    return { cases: [], finding: refused ?? missing(field, 'no target shape') };
  }
  const found = new Set<CaseComparison>();
  for (const shape of stated.value) {
    if (shape.kind === 'dims' && measured.candidate === undefined) {
      const message = `the dimensions of the cases are unknown: give the candidate’s samples, or name the case`;
      return { cases: [], finding: missing(field, message) };
    }
    const cases = measured.comparison.cases.filter((each) => isMeant(shape, each, measured.candidate));
    if (cases.length === 0) {
      const known = measured.comparison.cases.map(caseText).join(', ');
      const message = `${shapeText(shape)} was not measured; measured: ${known}`;
      return { cases: [], finding: wrong(field, message) };
    }
    for (const each of cases) found.add(each);
  }
  const cases = [...found];
  return { cases, finding: ok(field, `measured: ${cases.map(caseText).join(', ')}`) };
}

function isMeant(shape: ClaimedShape, one: CaseComparison, candidate: Samples | undefined): boolean {
  if (shape.kind === 'name') {
    return one.case === shape.name || caseLabel(one) === shape.name;
  }
  const dims = measurementsOf(one, candidate)[0]?.dims;
  return dims !== undefined && Object.entries(shape.dims).every(([name, value]) => dims[name] === value);
}

function measurementsOf(one: CaseComparison, candidate: Samples | undefined): Samples['measurements'] {
  return candidate?.measurements.filter((each) => isSameCase(each, one)) ?? [];
}

function shapeText(shape: ClaimedShape): string {
  if (shape.kind === 'name') return `"${clip(shape.name)}"`;
  return clip(
    Object.entries(shape.dims)
      .map(([name, value]) => `${name}=${value}`)
      .join(', '),
  );
}

function checkHypothesis(stated: Claim['hypothesis']): ClaimFinding {
  return unusable('hypothesis', 'Hypothesis', stated) ?? ok('hypothesis', 'stated');
}

function checkEvidence(stated: Claim['evidence'], { isThere }: ClaimPolicy): ClaimFinding {
  const refused = unusable('evidence', 'Nsight Evidence', stated);
  if (refused !== undefined || stated?.state !== 'read') return refused ?? missing('evidence', 'no evidence');
  const files = stated.value.filter((each) => !/^https?:\/\//.test(each));
  if (files.length === 0) return ok('evidence', 'a link, which was not followed');
  const named = files.map((file) => clip(file)).join(', ');
  if (isThere === undefined) return ok('evidence', `named, not checked: ${named}`);
  const gone = files.find((file) => !isThere(file));
  return gone === undefined
    ? ok('evidence', `there: ${named}`)
    : wrong('evidence', `${clip(gone)} is not a file of this project`);
}

/** The result's four lines against every case that the claim is about. */
function resultFindings(claim: Claim, cases: readonly CaseComparison[], policy: ClaimPolicy): ClaimFinding[] {
  const checks = [
    ['median-change', 'Median Δ', claim.change, (one: Estimated) => changeProblem(claim, one, policy)],
    ['ci-overlap', 'CI Overlap', claim.overlap, (one: Estimated) => overlapProblem(claim, one)],
    ['cliffs-delta', 'Cliff’s δ', claim.delta, (one: Estimated) => deltaProblem(claim, one)],
    ['verdict', 'Verdict', claim.verdict, (one: Estimated) => verdictProblem(claim, one)],
  ] as const;
  return checks.map(([field, label, stated, problemOf]) => {
    const refused = unusable(field, label, stated);
    if (refused !== undefined) return refused;
    if (cases.length === 0) return missing(field, `"${label}" has no measured case to compare with`);
    for (const one of cases) {
      const problem =
        one.state === 'estimated' ? problemOf(one) : `no change was measured (${one.verdict}: ${one.reason})`;
      if (problem !== undefined) return wrong(field, `${caseText(one)}: ${problem}`);
    }
    return ok(field, `${clip(stated?.text ?? '')}: as measured`);
  });
}

function changeProblem({ change }: Claim, one: Estimated, { claimPct }: ClaimPolicy): string | undefined {
  const measured = `measured ${changeText(one)}`;
  if (one.ci_pct[0] <= 0) return `the interval includes zero: ${measured}`;
  if (one.change_pct < claimPct) return `below the ${claimPct} % that may be claimed: ${measured}`;
  if (change?.state !== 'read') return undefined;
  const { value, rounding } = change.value;
  // The report's change is of the fastest samples where it can be; the template asks for the median's. Either is true.
  const isWithin = [one.ci_pct, one.median.ci_pct].some(
    ([low, high]) => value >= low - rounding && value <= high + rounding,
  );
  if (isWithin) return undefined;
  return `claimed ${changeText({ change_pct: value })}; ${measured}, of the median ${intervalText(one.median.ci_pct)} %`;
}

function overlapProblem({ overlap }: Claim, one: Estimated): string | undefined {
  if (overlap?.state !== 'read') return undefined;
  if (overlap.value !== one.ci_overlap) {
    return `claimed ${overlap.value ? 'yes' : 'no'}, but the intervals ${one.ci_overlap ? 'overlap' : 'do not overlap'}`;
  }
  return one.ci_overlap ? 'the intervals of the medians overlap' : undefined;
}

/** An understated δ does not make a claim false; an overstated one does. */
function deltaProblem({ delta }: Claim, one: Estimated): string | undefined {
  const measured = one.cliffs_delta.toFixed(2);
  if (one.cliffs_delta < CLAIM_DELTA) return `measured δ = ${measured}, and a claim needs ${CLAIM_DELTA}`;
  if (delta?.state !== 'read') return undefined;
  const { value, rounding } = delta.value;
  if (value < 0) return `claimed ${value}, which means slower: δ is positive when the candidate is faster`;
  if (value + rounding < CLAIM_DELTA) return `claimed ${value}, and a claim needs ${CLAIM_DELTA}`;
  return value - rounding > one.cliffs_delta ? `claimed ${value}, measured ${measured}` : undefined;
}

function verdictProblem({ verdict }: Claim, one: Estimated): string | undefined {
  if (one.verdict !== 'improved') return `measured: ${one.verdict} (${one.reason})`;
  if (verdict?.state !== 'read' || verdict.value === 'improved') return undefined;
  return `claimed ${verdict.value}, measured improved`;
}

function checkCorrectness(cases: readonly CaseComparison[], candidate: Samples | undefined): ClaimFinding {
  const field = 'correctness';
  if (cases.length === 0) return missing(field, 'no measured case to look at');
  for (const one of cases) {
    const checks = measurementsOf(one, candidate).map(({ check }) => check);
    if (one.verdict === 'incorrect' || checks.some((check) => check?.passed === false)) {
      return wrong(field, `${caseText(one)}: the result is wrong`);
    }
    const blind = checks.map(blindTolerance).find((found) => found !== undefined);
    if (blind !== undefined) return wrong(field, `${caseText(one)}: ${blind.message}`);
    if (checks.length === 0 || checks.includes(undefined)) {
      const why = candidate === undefined ? ': give the candidate’s samples' : '';
      return missing(field, `${caseText(one)}: it is unknown whether the result is correct${why}`);
    }
  }
  return ok(field, 'the results were right');
}
