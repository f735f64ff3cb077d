/** The commit that a change starts from, and what its gate says there. */
import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

import type { LoadedConfig } from '../../config/load-config.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { readBaselineText } from '../../ratchet/update-baseline.ts';
import { git, Worktrees } from '../compare/worktrees.ts';

export interface BaseSide {
  readonly commit: string;
  /** The project there, or why there is none. */
  readonly loaded: LoadedConfig | PawlError;
  readonly baselineText: string | undefined;
  /** Files of the workflows that the change touches: they run the gate. */
  readonly workflowFiles: readonly string[];
}

const SHALLOW_HINT =
  'A shallow clone lacks it: check out the whole history (actions/checkout: fetch-depth: 0).';

/**
 * Where the change and `base` part: what was merged into the base since is none of the change's doing.
 *
 * @throws {PawlError} where git does not know
 */
export async function mergeBase(root: string, base: string, signal: AbortSignal): Promise<string> {
  if (base === '' || base.startsWith('-')) {
    throw new PawlError('usage', `«${base}» is no commit.`, 'Name one with --base.');
  }
  const known = await git(root, ['rev-parse', '--verify', '--quiet', `${base}^{commit}`], signal);
  if (known.status === 'missing') {
    throw new PawlError(
      'unavailable',
      'git is not installed.',
      'Install git: a change is judged against its base.',
    );
  }
  if (known.status !== 'exited' || known.code !== 0) {
    throw new PawlError('usage', `git knows no commit «${base}», the base of this change.`, SHALLOW_HINT);
  }
  const found = await git(root, ['merge-base', known.stdout.trim(), 'HEAD'], signal);
  if (found.status === 'exited' && found.code === 0) return found.stdout.trim();
  throw new PawlError(
    'usage',
    `git finds nothing that ${base} and this commit have in common.`,
    SHALLOW_HINT,
  );
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

/** A baseline inside the repository is the base's own; one that lies elsewhere is no part of the change. */
async function pathAt(
  head: LoadedConfig,
  base: LoadedConfig,
  path: string,
  signal: AbortSignal,
): Promise<string> {
  const top = await git(head.root, ['rev-parse', '--show-toplevel'], signal);
  const root = await realpath(head.root);
  const inRoot = relative(head.root, path);
  const inTop = top.status === 'exited' ? relative(top.stdout.trim(), join(root, inRoot)) : inRoot;
  return inTop === '..' || inTop.startsWith(`..${sep}`) ? path : join(base.root, inRoot);
}

async function changedWorkflows(root: string, commit: string, signal: AbortSignal): Promise<string[]> {
  const changed = await git(
    root,
    ['diff', '--name-only', '-z', commit, 'HEAD', '--', ':(top).github/workflows'],
    signal,
  );
  return changed.status === 'exited' && changed.code === 0
    ? changed.stdout.split('\0').filter((name) => name !== '')
    : [];
}
