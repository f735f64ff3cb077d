/** The commit that a change starts from, and what its gate says there. */
import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

import type { LoadedConfig } from '../../config/load-config.ts';
import { runGit } from '../../os/git/run-git.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { readBaselineText } from '../../ratchet/update-baseline.ts';
import { Worktrees } from '../../rig/worktrees.ts';

export interface BaseSide {
  readonly commit: string;
  /** The project there, or why there is none. */
  readonly loaded: LoadedConfig | PawlError;
  readonly baselineText: string | undefined;
  /** Files of the workflows that the change touches: they run the gate. */
  readonly workflowFiles: readonly string[];
}

const SHALLOW_HINT =
  'A shallow clone does not have it: check out the whole history (actions/checkout: fetch-depth: 0).';

/**
 * Where the change and `base` part: what was merged into the base since is none of the change's doing. Of a trial
 * merge, as code hosts make it of a pull request, that is what the change was merged into.
 *
 * @param head the change's own last commit, where it is known
 * @throws {PawlError} where git does not know
 */
export async function mergeBase(
  root: string,
  { base, head, signal }: { readonly base: string; readonly head?: string; readonly signal: AbortSignal },
): Promise<string> {
  if (base === '' || base.startsWith('-')) {
    throw new PawlError('usage', `"${base}" is not a commit.`, 'Give one with --base.');
  }
  const parents = await answer(root, ['rev-list', '--parents', '--max-count=1', 'HEAD'], signal);
  const [, into, change, ...more] = parents?.split(' ') ?? [];
  if (into !== undefined && change !== undefined && change === head && more.length === 0) return into;
  const known = await answer(root, ['rev-parse', '--verify', '--quiet', `${base}^{commit}`], signal);
  if (known === undefined) {
    throw new PawlError('usage', `git has no commit "${base}", the base of this change.`, SHALLOW_HINT);
  }
  const found = await answer(root, ['merge-base', known, 'HEAD'], signal);
  if (found !== undefined) return found;
  throw new PawlError('usage', `${base} and this commit have no common ancestor.`, SHALLOW_HINT);
}

async function answer(
  root: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const result = await runGit(root, args, { signal });
  if (result.status === 'missing') {
    const hint = 'Install git: a change is judged against its base.';
    throw new PawlError('unavailable', 'git is not installed.', hint);
  }
  return result.status === 'exited' && result.code === 0 ? result.stdout.trim() : undefined;
}

/** Checks the base out, hands it over, and takes it away again. */
export async function withBaseSide<Result>(
  head: LoadedConfig,
  options: { readonly commit: string; readonly baseline: string; readonly signal: AbortSignal },
  use: (base: BaseSide) => Promise<Result>,
): Promise<Result> {
  const { commit, signal } = options;
  const worktrees = new Worktrees(head, signal);
  try {
    const workflowFiles = await changedWorkflows(head.root, commit, signal);
    const loaded = await projectAt(worktrees, commit);
    const path =
      loaded instanceof PawlError ? undefined : await pathAt(head, loaded, options.baseline, signal);
    const baselineText = path === undefined ? undefined : await readBaselineText(path);
    return await use({ commit, loaded, baselineText, workflowFiles });
  } finally {
    await worktrees.remove();
  }
}

async function projectAt(worktrees: Worktrees, commit: string): Promise<LoadedConfig | PawlError> {
  try {
    return (await worktrees.checkOut(commit)).loaded;
  } catch (error) {
    // No pawl.yaml there, or one that this version does not read: the change brings its own.
    if (error instanceof PawlError && error.kind === 'configuration') return error;
    throw error;
  }
}

/** A baseline inside the repository is the base's own; one that lies elsewhere is not part of the change. */
async function pathAt(
  head: LoadedConfig,
  base: LoadedConfig,
  path: string,
  signal: AbortSignal,
): Promise<string> {
  const top = await answer(head.root, ['rev-parse', '--show-toplevel'], signal);
  const root = await realpath(head.root);
  const inRoot = relative(head.root, path);
  const inTop = top === undefined ? inRoot : relative(top, join(root, inRoot));
  return inTop === '..' || inTop.startsWith(`..${sep}`) ? path : join(base.root, inRoot);
}

async function changedWorkflows(root: string, commit: string, signal: AbortSignal): Promise<string[]> {
  const changed = await answer(
    root,
    ['diff', '--name-only', '-z', commit, 'HEAD', '--', ':(top).github/workflows'],
    signal,
  );
  return changed?.split('\0').filter((name) => name !== '') ?? [];
}
