import { defined } from '../../model/defined.ts';
import { judgeTry, shareOfPredicted, type JudgedTry } from '../../learn/session/judge-try.ts';
import type { CheckReport } from '../../model/reports/check-report.ts';
import type { CaseComparison } from '../../model/judge/comparison.ts';
import type { RunCost } from '../../model/device/cost.ts';
import { failureWhileTimed } from '../../model/measure/fault.ts';
import { PawlError, type FailureKind } from '../../model/pawl-error.ts';
import type { Samples } from '../../model/measure/samples.ts';
import type { Session, Try } from '../../model/learn/session.ts';
import { compare } from '../runs/compare.ts';
import type { JudgeOptions } from '../../learn/session/session-judge.ts';
import { runContext } from '../../os/run-context.ts';

export interface MeasuredTry {
  readonly measured: NonNullable<Try['measured']>;
  readonly outcome: NonNullable<Try['outcome']>;
  readonly share_of_predicted?: number;
  readonly cost?: RunCost;
}

/** These are about the machine or the moment: the try is as good as it was, and is measured another time. */
const NOT_THE_TRYS: readonly FailureKind[] = ['try-again', 'unavailable', 'permission', 'internal'];

/**
 * Builds a try and the state before it, checks both and measures them side by side. A try that does not build or is
 * wrong has come out, like any other.
 */
export async function measureTry(
  session: Pick<Session, 'kernel' | 'goal'>,
  { change, predicted_change_pct }: Pick<Try, 'change' | 'predicted_change_pct'>,
  options: JudgeOptions & {
    readonly config?: string;
    /** The state by whose judge it is judged. */
    readonly judge: string;
  },
): Promise<MeasuredTry> {
  const { now } = runContext(options);
  const { kernel, goal } = session;
  const { base, head, variant } = change;
  if (base === undefined || head === undefined) throw new Error('a try has its two states');
  const { env: _, judge, ...working } = options;
  try {
    const { report, samples } = await compare({
      what: 'revisions',
      ...working,
      base,
      head,
      judge: { by: 'revision', revision: judge },
      only: [kernel],
      // A gain in one case that another pays for with wrong results is none.
      timedCases: [goal.case],
      ...(variant === undefined ? {} : { variants: { head: variant } }),
      keptAs: 'session',
    });
    // Half a comparison would be told as an undecided one.
    if (options.signal?.aborted === true) {
      throw new PawlError('try-again', 'Interrupted.', 'Run the same command to continue this try.');
    }
    // A case that was renamed is asked for under its old name, and answers under its new one.
    const cases = report.comparison.cases.map((row) => withFailureWhileTimed(row, samples.head));
    const [timed = goal.case] = report.comparison.cases.filter(isTimed).map(({ case: name }) => name);
    const judged = judgeTry(cases, cases.some(isOf(goal.case)) ? goal.case : timed);
    if (judged === undefined) throw new PawlError('bad-data', `${kernel} no longer has case ${goal.case}.`);
    return described(judged, predicted_change_pct, report, now());
  } catch (error) {
    if (!(error instanceof PawlError) || NOT_THE_TRYS.includes(error.kind)) throw error;
    const measured = {
      at: now().toISOString(),
      case: goal.case,
      verdict: 'incorrect',
      reason: error.message,
    } as const;
    return { measured, outcome: 'failed' };
  }
}

function isTimed({ state }: CaseComparison): boolean {
  return state === 'estimated';
}

function isOf(name: string): (row: CaseComparison) => boolean {
  return (row) => row.case === name;
}

/** A try that was right in its check and crashed or hung when it was timed is wrong. */
function withFailureWhileTimed(row: CaseComparison, { measurements }: Samples): CaseComparison {
  const measured = measurements.find((one) => one.case === row.case && one.mode === row.mode);
  const failed = measured && failureWhileTimed(measured);
  if (failed === undefined || row.verdict === 'incorrect') return row;
  const { case: name, kernel, mode, processes } = row;
  return {
    state: 'not-estimated',
    case: name,
    ...defined({ kernel, mode }),
    verdict: 'incorrect',
    reason: `${failed.reason}: ${failed.message} (in a timed series).`,
    processes,
  };
}

function described(
  { row, outcome, reason }: JudgedTry,
  predicted_pct: number | undefined,
  { cost, comparison: { judge_changes, judge_accepted } }: CheckReport,
  at: Date,
): MeasuredTry {
  const estimate = row.state === 'estimated' ? row : undefined;
  const share = shareOfPredicted(predicted_pct, estimate?.change_pct);
  return {
    measured: {
      at: at.toISOString(),
      case: row.case,
      verdict: row.verdict,
      ...defined({
        change_pct: estimate?.change_pct,
        ci_pct: estimate?.ci_pct,
        before_ms: estimate?.baseline_ms,
        after_ms: estimate?.candidate_ms,
      }),
      reason,
      ...defined({ cost, judge_changes, judge_accepted }),
    },
    outcome,
    ...defined({ share_of_predicted: share, cost }),
  };
}
