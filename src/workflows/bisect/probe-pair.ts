import { defined } from '../../model/defined.ts';
import { CHECK_SCHEMA, type CheckReport } from '../../model/reports/check-report.ts';
import type { BisectAnswer, BisectProbe } from '../../model/reports/bisect-report.ts';
import type { CaseComparison } from '../../model/judge/comparison.ts';
import { TELL_APART } from '../../judge/judge-policy.ts';
import { PawlError, type FailureKind } from '../../model/pawl-error.ts';
import type { Verdict } from '../../model/judge/verdict.ts';
import { compareRevisions } from '../runs/compare/compare-builds.ts';
import type { CompareOutcome } from '../runs/compare/compare-sides.ts';
import type { CompareOptions } from '../runs/compare/hold-sides.ts';
import type { DeviceTime } from '../../rig/cost-of-run.ts';
import { recordRun } from '../../history/store/record-run.ts';
import { comparisonRun } from '../../history/stored-runs.ts';
import { provenance } from '../runs/compare/write-comparison.ts';

export interface ProbeOptions extends CompareOptions {
  readonly config?: string;
  readonly kernel: string;
  readonly case: string;
  /** How much slower counts; absent: by pawl.yaml. */
  readonly threshold_pct?: number;
  /** Keep what is measured in history. Default: as pawl.yaml says. */
  readonly history?: boolean;
  readonly now: () => Date;
}

export interface Probed {
  readonly probe: BisectProbe;
  readonly verdict: Verdict;
  readonly stopped_by?: CompareOutcome['stopped_by'];
  readonly times: readonly DeviceTime[];
}

/** What is wrong with the commit, and not with this machine or the question. */
const OF_THE_COMMIT: readonly FailureKind[] = ['configuration', 'bad-data', 'does-not-build'];

/** Of a case's modes, the first of these is what it comes to. */
const ANSWERS: Readonly<Record<Verdict, BisectAnswer>> = {
  incorrect: 'skipped',
  // Without the case, or with another problem under its name.
  new: 'skipped',
  regressed: 'bad',
  undecided: 'undecided',
  maintained: 'good',
  improved: 'good',
};

/** Measures a commit against another, side by side. */
export async function probePair(base: string, commit: string, options: ProbeOptions): Promise<Probed> {
  const { threshold_pct: slower, now } = options;
  const at = now();
  const common = { base, commit, at: at.toISOString() };
  const wall_s = (): number => Math.max(0, (now().getTime() - at.getTime()) / 1000);
  let outcome: CompareOutcome;
  try {
    outcome = await compareRevisions({
      ...options,
      base,
      head: commit,
      only: [options.kernel],
      cases: [options.case],
      // History is asked when it got slower, not whether it may be merged.
      judge: { by: 'head' },
      policy: {
        ...options.policy,
        ...TELL_APART,
        // The gain that the same ratio is the other way round.
        ...(slower === undefined
          ? {}
          : { regressionPct: slower, improvementPct: (100 * slower) / (100 + slower) }),
      },
    });
  } catch (error) {
    if (!(error instanceof PawlError) || !OF_THE_COMMIT.includes(error.kind)) throw error;
    const reason = error.message;
    return {
      probe: { ...common, answer: 'skipped', reason, processes: [0, 0], wall_s: wall_s() },
      verdict: 'incorrect',
      times: [],
    };
  }
  await recordRun(comparisonRun(reportOf(outcome), outcome.samples, at), options);
  const row = worstMode(outcome.comparison.cases);
  const { device_s, devices } = outcome.cost;
  return {
    probe: {
      ...common,
      answer: ANSWERS[row.verdict],
      reason: row.reason,
      ...(row.state === 'estimated' ? { change_pct: row.change_pct, ci_pct: row.ci_pct } : {}),
      processes: row.processes,
      wall_s: wall_s(),
    },
    verdict: row.verdict,
    ...defined({ stopped_by: outcome.stopped_by }),
    times: devices.map((device) => ({ device, device_s })),
  };
}

/** A probe is a comparison like any other: its levels belong to the case's trend. */
function reportOf({ comparison, control, samples, cost }: CompareOutcome): CheckReport {
  return {
    schema: CHECK_SCHEMA,
    verdict: comparison.verdict,
    comparison,
    ...defined({ control }),
    notes: [],
    waived: [],
    advanced: [],
    new_cases: comparison.cases.filter(({ verdict }) => verdict === 'new'),
    ...provenance(samples),
    cost: { wall_s: cost.wall_s, device_s: cost.device_s },
    files: {},
  };
}

/** A case that is measured in several modes is as slow as its slowest. */
function worstMode(rows: readonly CaseComparison[]): CaseComparison {
  const order = Object.keys(ANSWERS);
  return rows.reduce((worst, row) =>
    order.indexOf(row.verdict) < order.indexOf(worst.verdict) ? row : worst,
  );
}
