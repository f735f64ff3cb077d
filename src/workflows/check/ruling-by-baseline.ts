import { defined } from '../../model/defined.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { GitState } from '../../device/environment.ts';
import { askGit } from '../../os/git/run-git.ts';
import type { Baseline } from '../../model/judge/baseline.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { ruleOnJudge, type Ruling } from '../../ratchet/base-judge/rule-on-judge.ts';
import type { CheckOptions } from './check-options.ts';
import { Worktrees } from '../../rig/worktrees.ts';
import { runContext } from '../../os/run-context.ts';

/** What a check knows of its project before it is judged. */
export interface KnownProject {
  readonly project: LoadedConfig;
  /** Of the baseline file. */
  readonly path: string;
  readonly baseline: Baseline;
  readonly isThere: boolean;
  readonly git: GitState | undefined;
}

export interface NotedRuling extends Ruling {
  /** What a reader must know of the judge besides. */
  readonly note?: string;
}

/**
 * Checks the commit out by whose judge the files are judged, hands the ruling over, and takes the commit away again.
 * That commit is the newest at which an entry of the baseline was written or a judge was accepted: entries are only
 * written where the judge was not altered, or a person accepted it. Without a baseline or git, there is no base.
 */
export async function withRulingByBaseline<Result>(
  known: KnownProject,
  options: CheckOptions,
  use: (ruling: NotedRuling) => Promise<Result>,
): Promise<Result> {
  const { project } = known;
  const context = runContext(options);
  const found = await judgeCommit(known);
  if (found === undefined) return use({ judge: project, judge_changes: [] });
  const worktrees = new Worktrees(project, context.signal);
  try {
    const base = await worktrees.checkOut(found.commit).catch(readable);
    if (base instanceof PawlError) {
      const note = `the judge of the baseline cannot be read, so the working tree's own judge is used: ${base.message}`;
      return await use({ judge: project, judge_changes: [], note });
    }
    const ruling = await ruleOnJudge(base.loaded, project, {
      ...context,
      main: project,
      accept: options.acceptJudgeChange === true,
      gpuIndex: options.gpu ?? 0,
      // What is written at this commit makes it the judge of every kernel, and not only of those that were asked for.
      ...(options.only === undefined || options.update === true ? {} : { only: options.only }),
    });
    return await use({ ...ruling, ...defined({ note: found.note }) });
  } finally {
    await worktrees.remove();
  }
}

/** A pawl.yaml that this version does not read cannot be a judge; anything else is a failure. */
function readable(error: unknown): PawlError {
  if (error instanceof PawlError && error.kind === 'configuration') return error;
  throw error;
}

async function judgeCommit({
  project: { root },
  path,
  baseline,
  git,
}: KnownProject): Promise<{ readonly commit: string; readonly note?: string } | undefined> {
  const written = [
    ...baseline.entries.flatMap(({ provenance: { commit, dirty, time } }) =>
      commit === undefined || dirty === true ? [] : [{ commit, time }],
    ),
    ...baseline.log.flatMap((record) =>
      record.type === 'judge' && record.commit !== undefined
        ? [{ commit: record.commit, time: record.time }]
        : [],
    ),
  ];
  if (git === undefined || written.length === 0) return undefined;
  const newestFirst = written.toSorted((a, b) => b.time.localeCompare(a.time));
  for (const commit of new Set(newestFirst.map((one) => one.commit))) {
    if (await isHere(root, commit)) return { commit };
  }
  // Commits of a branch that was squashed, or of a shallow clone.
  const last = await askGit(root, ['log', '-1', '--format=%H', '--', path]);
  const commit = last === undefined || last === '' ? git.commit : last;
  const note = `this clone has no commit of the baseline: the judge is that of ${commit.slice(0, 10)}, which last wrote the baseline`;
  return { commit, note };
}

async function isHere(root: string, commit: string): Promise<boolean> {
  if (!/^[0-9a-f]{4,64}$/u.test(commit)) return false;
  return (await askGit(root, ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`])) !== undefined;
}
