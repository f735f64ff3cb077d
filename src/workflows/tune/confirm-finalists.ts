import { defined } from '../../model/defined.ts';
import { policyOf } from '../../judge/judge-policy.ts';
import { omit } from '../../model/omit.ts';
import type { Confirmation } from '../../model/tune/study-report.ts';
import type { MeasuredTrial } from '../../model/tune/measured-trials.ts';
import type { UntimedRecord } from '../../model/tune/study-record.ts';
import { variantText } from '../../model/problem/variant.ts';
import { finalists } from '../../tune/study/finalists.ts';
import type { StudyBudget } from '../../tune/study/study-budget.ts';
import type { TrialLedger } from '../../tune/study/trial-ledger.ts';
import type { HeldDevices } from '../../rig/hold-devices.ts';
import { compareSides } from '../runs/compare/compare-sides.ts';
import type { PreparedSide } from '../../rig/prepared-side.ts';
import type { OpenStudy } from '../../tune/study/open-study.ts';
import type { PreparedStudy } from '../../tune/study/study-subject.ts';
import type { RunContext } from '../../os/run-context.ts';

export interface ConfirmOptions extends RunContext {
  readonly study: PreparedStudy;
  readonly open: Pick<OpenStudy, 'records' | 'settings'> & {
    readonly ledger: Pick<TrialLedger, 'trials'>;
    /** Written down before the next one begins. */
    readonly journal: { add(record: UntimedRecord): unknown };
  };
  readonly budget: StudyBudget;
  readonly held: Pick<HeldDevices, 'names'>;
  readonly timeout_s: number;
}

/** Samples of each process: what the specification asks of a side. */
const SAMPLES = 100;

/**
 * Measures the finalists against the default in interleaved blocks of fresh processes, one after the other, and
 * writes each verdict down. What is found to be wrong under audit makes room for the next.
 */
export async function confirmFinalists(options: ConfirmOptions): Promise<Confirmation[]> {
  const { open, signal } = options;
  const done = open.records.flatMap((record) =>
    record.type === 'confirmation' ? [record.confirmation] : [],
  );
  const { confirm } = open.settings;
  for (;;) {
    if (signal.aborted) return done;
    const wrong = done.filter(({ verdict }) => verdict === 'incorrect').length;
    const trials = await open.ledger.trials();
    const chosen = finalists(trials, confirm === 0 ? 0 : confirm + wrong);
    const left = chosen.filter(({ trial }) => done.every((each) => each.trial !== trial.number));
    const [next] = left;
    if (next === undefined) return done;
    const budget_s = options.budget.confirmFor_s(trials, left.length);
    const confirmation = await confirmOne(next, budget_s, options).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    if (confirmation === undefined) return done;
    await open.journal.add({ type: 'confirmation', confirmation });
    done.push(confirmation);
  }
}

/** Undefined where it was interrupted. */
async function confirmOne(
  { trial }: MeasuredTrial,
  budget_s: number | undefined,
  options: ConfirmOptions,
): Promise<Confirmation | undefined> {
  const { study, open, signal, onProgress, now } = options;
  // Variants are ranked, and no baseline is kept.
  const policy = omit(policyOf(study.loaded.config.thresholds), 'caseRegressionPct');
  onProgress({ type: 'note', level: 'info', text: `confirming ${variantText(trial.variant)}` });
  const sides = [await side(study.plan.variant, options), await side(trial.variant, options)] as const;
  const outcome = await compareSides(...sides, {
    config: study.loaded.config,
    root: study.loaded.root,
    modes: [study.mode],
    samples: SAMPLES,
    stopping: 'fixed',
    timeout_s: options.timeout_s,
    policy: {
      ...policy,
      // Each finalist is a chance to err; together they may err no more often than one.
      falseAlarm: policy.falseAlarm / Math.max(1, open.settings.confirm),
    },
    held: options.held,
    ...defined({ budget_s }),
    started: now(),
    signal,
    onProgress,
    now,
  });
  if (signal.aborted) return undefined;
  const row = outcome.comparison.cases[0]!;
  return {
    trial: trial.number,
    variant: trial.variant,
    verdict: row.verdict,
    reason: row.reason,
    processes: row.processes,
    device_s: outcome.cost.device_s,
    ...(row.state === 'estimated'
      ? {
          default_ms: row.baseline_ms,
          variant_ms: row.candidate_ms,
          speedup: row.speedup,
          speedup_ci: [speedupOf(row.ci_pct[0]), speedupOf(row.ci_pct[1])],
        }
      : {}),
  };
}

async function side(
  variant: MeasuredTrial['trial']['variant'],
  { study, signal }: ConfirmOptions,
): Promise<PreparedSide> {
  const { gpu, git, builder } = study;
  const plan = builder.planOf(variant);
  const built = await builder.build(plan, signal);
  if ('status' in built) {
    // It was built before: whatever changed meanwhile, it cannot be measured.
    const skip = {
      kernel: plan.name,
      reason: 'build-failed',
      message: built.message,
      hint: undefined,
    } as const;
    return { plans: [plan], targets: [], skipped: [skip], gpu, git };
  }
  return { plans: [plan], targets: [built.target], skipped: [], gpu, git };
}

/** A change in percent of the default's time as a ratio of the two times. */
function speedupOf(change_pct: number): number {
  // Beyond 100 % nothing is left of the time: an interval may reach there, a ratio cannot.
  return 1 / Math.max(1e-6, 1 - change_pct / 100);
}
