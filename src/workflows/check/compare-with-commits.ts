import { PawlError } from '../../model/pawl-error.ts';
import { WORKTREE } from '../../rig/worktrees.ts';
import { compareRevisions, type CompareRevisionsOptions } from '../runs/compare/compare-builds.ts';
import type { CompareOutcome } from '../runs/compare/compare-sides.ts';
import type { BaseCommit } from './check-options.ts';
import type { CheckedCase } from '../../ratchet/match-entries.ts';

export interface RevisionsOptions extends Omit<
  CompareRevisionsOptions,
  'base' | 'head' | 'only' | 'cases' | 'modes'
> {
  readonly baseCommit?: BaseCommit;
}

export interface ComparedWithCommits {
  readonly outcomes: readonly CompareOutcome[];
  /** Cases whose baseline cannot be measured here again, and why. */
  readonly left: readonly { readonly case: CheckedCase; readonly why: string }[];
}

/**
 * Measures the commits that the baseline's entries come from against the files as they are, interleaved on this
 * device: what another day's device did to a stored series is then on both sides.
 */
export async function compareWithCommits(
  cases: readonly CheckedCase[],
  options: RevisionsOptions,
): Promise<ComparedWithCommits> {
  const outcomes: CompareOutcome[] = [];
  const left: { case: CheckedCase; why: string }[] = [];
  for (const group of groups(cases)) {
    const { commit, dirty = false } = group.cases[0]?.entry?.provenance ?? {
      commit: options.baseCommit?.commit,
    };
    if (commit === undefined || dirty) {
      const why =
        commit === undefined
          ? 'its entry names no commit'
          : 'its entry was measured with uncommitted changes';
      left.push(...group.cases.map((each) => ({ case: each, why })));
      continue;
    }
    try {
      const outcome = await compareRevisions({
        ...options,
        base: commit,
        baseIsVerified: group.cases.every(({ entry }) => entry?.provenance.verified === true),
        head: WORKTREE,
        only: [group.kernel],
        cases: group.cases.map((each) => each.case),
        modes: [...new Set(group.cases.map((each) => each.mode))],
      });
      if (outcome.skipped.base.length === 0) outcomes.push(outcome);
      else
        left.push(
          ...group.cases.map((each) => ({ case: each, why: `${commit.slice(0, 10)} does not build here` })),
        );
    } catch (error) {
      // A commit that is gone, or whose pawl.yaml does not load, does not fail the check; other errors do.
      if (!(error instanceof PawlError) || !['usage', 'configuration', 'bad-data'].includes(error.kind))
        throw error;
      left.push(...group.cases.map((each) => ({ case: each, why: error.message })));
    }
  }
  return { outcomes, left };
}

/** Cases of one kernel whose entries come from one commit are measured together. */
function groups(cases: readonly CheckedCase[]): { readonly kernel: string; readonly cases: CheckedCase[] }[] {
  const byName = new Map<string, { readonly kernel: string; readonly cases: CheckedCase[] }>();
  for (const each of cases) {
    const name = JSON.stringify([each.kernel, each.entry?.provenance.commit, each.entry?.provenance.dirty]);
    const group = byName.get(name) ?? { kernel: each.kernel, cases: [] };
    group.cases.push(each);
    byName.set(name, group);
  }
  return [...byName.values()];
}
