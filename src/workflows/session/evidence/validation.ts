import { defined } from '../../../model/defined.ts';
import { judgeClaim } from '../../../judge/judge-claim.ts';
import { compareSamples } from '../../../judge/compare-measurements.ts';
import { policyOf } from '../../../judge/judge-policy.ts';
import { evidenceOf } from '../../../learn/gates/evidence-of.ts';
import { gateNames } from '../../../learn/gates/gate-names.ts';
import type { CaseComparison, Comparison } from '../../../model/judge/comparison.ts';
import type { FuzzReport } from '../../../model/correctness/fuzz-report.ts';
import type { Evidence } from '../../../model/learn/gate.ts';
import type { Samples } from '../../../model/measure/samples.ts';
import { VERDICT, type Result } from '../../../model/judge/verdict.ts';
import { COMPARE_PROCESSES } from '../../runs/compare/hold-sides.ts';
import { fuzz } from '../../runs/fuzz.ts';
import {
  hasReference,
  sharedCases,
  takenAt,
  workingOptions,
  type EvidenceContext,
} from './evidence-context.ts';
import { measurePair } from './measure-pair.ts';

/** Drawn besides the corpus, the matrix, the edges and the declared cases. */
const DRAWN_CASES = 50;

/** Correctness over the matrix, all cases against the reference with what it takes to judge, and whether that is a claim. */
export async function validationEvidence(context: EvidenceContext): Promise<Evidence> {
  const taken = takenAt(context);
  const { report, files } = await fuzz({
    ...workingOptions(context),
    ...defined({ judge: context.judge }),
    only: [context.kernel],
    count: context.fuzzCases ?? DRAWN_CASES,
  });
  const right = fuzzFacts(report);
  const compared = hasReference(context) ? await compareAll(context) : undefined;
  return evidenceOf('validation', taken, {
    facts: {
      has_reference: hasReference(context),
      target: context.target,
      ...right.facts,
      ...compared?.facts,
      device: compared?.device,
      device_s: (report.cost?.device_s ?? 0) + (compared?.device_s ?? 0),
    },
    sources: [
      { command: `pawl fuzz --only ${context.kernel}`, file: files.html },
      ...(compared?.sources ?? []),
    ],
    lines: [...right.lines, ...(compared?.lines ?? [])],
    missing: right.missing,
  });
}

function fuzzFacts(report: FuzzReport) {
  const [kernel] = report.kernels;
  const counts = Object.values(kernel?.counts ?? {});
  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  const [failure] = kernel?.failures ?? [];
  const why = kernel?.absence?.message ?? report.incomplete ?? 'nothing could run';
  const problem =
    failure === undefined ? why : `${failure.message} (${failure.detector}); again with: ${failure.replay}`;
  const next = `pawl fuzz --only ${kernel?.kernel ?? ''}`.trim();
  if (report.result === 'undecided') {
    const missing = [{ facts: ['fuzz_passed'], why: `Correctness is unknown: ${why}.`, next }];
    return { facts: { fuzz_cases: passed, fuzz_problem: problem }, lines: [problem], missing };
  }
  const isRight = report.result === 'passed';
  return {
    facts: { fuzz_passed: isRight, fuzz_cases: passed, fuzz_problem: isRight ? undefined : problem },
    lines: [isRight ? `${passed} cases were right` : problem],
    missing: [],
  };
}

async function compareAll(context: EvidenceContext) {
  const { loaded, reference } = context;
  const { measure, thresholds } = loaded.config;
  const pair = await measurePair(
    context,
    sharedCases(context).map(({ name }) => name),
    {
      processes:
        context.processes ?? (reference.kernel === undefined ? COMPARE_PROCESSES : measure.processes),
      isFull: true,
    },
  );
  const { base, head } = pair.samples;
  const common = { device: pair.device?.name, device_s: pair.device_s, sources: pair.sources };
  if (head.measurements.length === 0) {
    return { ...common, facts: {}, lines: pair.cases.map(({ kernel }) => kernel.problem ?? 'not measured') };
  }
  const comparison = pair.comparison ?? compareSamples(base, head, policyOf(thresholds));
  return {
    ...common,
    facts: { ...comparedFacts(comparison, context.case), ...claimFacts(context, comparison, head) },
    lines: comparison.cases.map((one) => lineOf(one, gateNames(context).reference)),
  };
}

function comparedFacts({ cases }: Comparison, goal: string) {
  const estimated = cases.filter((one) => one.state === 'estimated');
  const worst = estimated.toSorted((one, other) => one.speedup - other.speedup)[0];
  const count = (result: Result): number =>
    cases.filter(({ verdict }) => VERDICT[verdict].result === result).length;
  return {
    compared_cases: estimated.length,
    speedup_target: estimated.find((one) => one.case === goal)?.speedup,
    speedup_worst: worst?.speedup,
    worst_case: worst?.case,
    slower_cases: count('bad'),
    undecided_cases: count('undecided'),
  };
}

/** The claim that the measurement itself would make, held against the rules for claims. */
function claimFacts({ case: goal, loaded }: EvidenceContext, comparison: Comparison, candidate: Samples) {
  const cases = comparison.cases.filter((one) => one.case === goal);
  const [one] = cases;
  if (one?.state !== 'estimated') {
    return { claimable: false, claim_problem: one?.reason ?? `${goal} was not compared` };
  }
  const text = 'as measured';
  const read = <T>(value: T) => ({ state: 'read', value, text }) as const;
  const { findings, verdict } = judgeClaim(
    {
      shapes: read([{ kind: 'name', name: goal }]),
      hypothesis: read(text),
      evidence: read([]),
      change: read({ value: one.change_pct, rounding: 0 }),
      overlap: read(one.ci_overlap),
      delta: read({ value: one.cliffs_delta, rounding: 0 }),
      verdict: read('improved'),
    },
    { comparison: { ...comparison, cases }, candidate },
    { claimPct: loaded.config.thresholds.claim_pct },
  );
  return {
    claimable: verdict === 'proven',
    claim_change_pct: Number(one.change_pct.toFixed(1)),
    claim_problem: findings.find(({ state }) => state !== 'ok')?.message,
  };
}

function lineOf(one: CaseComparison, reference: string): string {
  if (one.state !== 'estimated') return `${one.case}: ${one.verdict} (${one.reason})`;
  return `${one.case}: ${one.speedup.toPrecision(3)}× of ${reference}, ${one.verdict}`;
}
