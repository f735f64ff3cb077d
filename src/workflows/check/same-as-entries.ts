import { areIdentical, caseDifference, identicalText } from '../../judge/settle-cases.ts';
import { mergeSamples } from '../../judge/merge-comparisons.ts';
import { loadConfig } from '../../config/load-config.ts';
import { underJudge } from '../../config/under-judge.ts';
import { hostEnvironment } from '../../device/environment.ts';
import type { CaseComparison } from '../../model/judge/comparison.ts';
import type { JudgeChange } from '../../model/judge/judge-change.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Samples } from '../../model/measure/samples.ts';
import { runContext } from '../../os/run-context.ts';
import { ruleOnJudge } from '../../ratchet/base-judge/rule-on-judge.ts';
import type { CheckedCase } from '../../ratchet/match-entries.ts';
import { findCase, prepareSide, selectOnSides, type PreparedSide } from '../../rig/prepared-side.ts';
import { recordSide } from '../../rig/recorded-side.ts';
import { Worktrees, WORKTREE } from '../../rig/worktrees.ts';
import type { Target } from '../../runner/target.ts';
import { restricted } from '../runs/compare/compare-sides.ts';
import type { RevisionsOptions } from './compare-with-commits.ts';

/** Cases that need no device, settled, and those that do. */
export interface SameAsEntries {
  readonly rows: readonly CaseComparison[];
  /** Without series; absent if `rows` is empty. */
  readonly samples?: { readonly base: Samples; readonly head: Samples };
  readonly rest: readonly CheckedCase[];
}

/**
 * Finds the cases whose machine code is that of their entry's commit, which was checked and measured then, with this
 * compiler on this class of device, and judged as it would be judged now. All kernels are looked at together, without
 * holding a device, so that a change of two kernels in fifty costs what two kernels cost. In any doubt a case is left to
 * be compared in the usual way.
 */
export async function sameAsEntries(
  cases: readonly CheckedCase[],
  options: RevisionsOptions,
): Promise<SameAsEntries> {
  const found: { readonly rows: CaseComparison[]; readonly base: Samples; readonly head: Samples }[] = [];
  const isAsked = options.measureIdentical !== true && options.check !== false;
  // Under which clock a locked device would have run is known only while it is held.
  if (isAsked && (options.clocks ?? 'as-is') === 'as-is') {
    for (const [commit, group] of byCommit(cases)) {
      const outcome = await sameAsCommit(commit, group, options);
      if (outcome !== undefined && outcome.rows.length > 0) found.push(outcome);
    }
  }
  if (found.length === 0) return { rows: [], rest: cases };
  const rows = found.flatMap((one) => one.rows);
  const isSame = (one: CheckedCase) =>
    rows.some((row) => row.kernel === one.kernel && row.case === one.case && row.mode === one.mode);
  return {
    rows,
    samples: {
      base: mergeSamples(found.map(({ base }) => base)),
      head: mergeSamples(found.map(({ head }) => head)),
    },
    rest: cases.filter((one) => !isSame(one)),
  };
}

/** Only entries of a commit whose results were compared with the oracle. */
function byCommit(cases: readonly CheckedCase[]): Map<string, CheckedCase[]> {
  const groups = new Map<string, CheckedCase[]>();
  for (const one of cases) {
    const { commit, dirty, check } = one.entry?.provenance ?? {};
    if (commit === undefined || dirty === true || check !== 'passed') continue;
    groups.set(commit, [...(groups.get(commit) ?? []), one]);
  }
  return groups;
}

async function sameAsCommit(commit: string, cases: readonly CheckedCase[], options: RevisionsOptions) {
  const { signal, onProgress, now } = runContext(options);
  const main = await loadConfig(options.config);
  const only = [...new Set(cases.map(({ kernel }) => kernel))];
  const worktrees = new Worktrees(main, signal);
  try {
    const base = await worktrees.checkOut(commit);
    const head = await worktrees.checkOut(WORKTREE);
    const judge = options.judge?.by === 'ruled' ? options.judge.loaded : main;
    const gpuIndex = options.gpu ?? 0;
    const building = { signal, onProgress, main, gpuIndex };
    const since = await ruleOnJudge(base.loaded, judge, { ...building, only, now });
    if (since.judge_changes.some(isOfResults)) return undefined;
    const plans = selectOnSides(underJudge(base.loaded, judge), underJudge(head.loaded, judge), {
      only,
      cases: [...new Set(cases.map((one) => one.case))],
    });
    const sides = {
      base: await prepareSide(plans.base, { ...building, ...base }),
      head: await prepareSide(plans.head, { ...building, ...head }),
    };
    const rows = cases.flatMap((one) => rowOf(one, sides) ?? []);
    const clocks = { policy: 'as-is' as const };
    const environment = { ...(await hostEnvironment()), clocks, started_at: now().toISOString() };
    const recorded = async (label: 'base' | 'head'): Promise<Samples> => {
      const targets = restricted(
        sides[label],
        rows.map(({ kernel = '', case: name }) => ({ kernel, case: name })),
      );
      const modes = [...new Set(rows.flatMap(({ mode }) => mode ?? []))];
      const side = await recordSide(label, { ...sides[label], targets, skipped: [] }, { modes, environment });
      return side.builder.build();
    };
    return { rows, base: await recorded('base'), head: await recorded('head') };
  } catch (error) {
    // What is wrong with that commit is said where it is compared with.
    if (error instanceof PawlError && ['usage', 'configuration', 'bad-data'].includes(error.kind))
      return undefined;
    throw error;
  } finally {
    await worktrees.remove();
  }
}

/** What decides which results are right, or which work is done; a threshold decides neither. */
function isOfResults({ kind }: JudgeChange): boolean {
  return kind !== 'thresholds' && kind !== 'measure';
}

/** Nothing where the case must be checked or measured. */
function rowOf(
  { kernel, case: name, mode, entry }: CheckedCase,
  { base, head }: { readonly base: PreparedSide; readonly head: PreparedSide },
): CaseComparison | undefined {
  const [before, after] = [targetOf(base, kernel), targetOf(head, kernel)];
  if (entry === undefined || before?.binary === undefined) return;
  // What it is linked with is loaded beside it, and has code of its own.
  if ([before, after].some((one) => one !== undefined && one.plan.links.length > 0)) return;
  if (before.binary.compiler !== entry.key.toolchain.compiler) return;
  const { driver, clocks = 'as-is' } = entry.key.device;
  // Another class of device has not run it yet.
  if (clocks !== 'as-is' || (before.plan.device === 'cuda' && head.gpu?.info.driver !== driver)) return;
  if (caseDifference(findCase(base.plans, kernel, name), findCase(head.plans, kernel, name)) !== undefined)
    return;
  if (!areIdentical(before, after)) return;
  return {
    state: 'not-estimated',
    kernel,
    case: name,
    mode,
    variant: after!.plan.variant,
    verdict: 'maintained',
    reason: identicalText(before, after),
    processes: [0, 0],
  };
}

function targetOf({ targets }: PreparedSide, kernel: string): Target | undefined {
  return targets.find(({ plan }) => plan.name === kernel);
}
