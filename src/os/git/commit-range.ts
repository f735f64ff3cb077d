import { askGit, runGit } from './run-git.ts';
import type { BisectCommit } from '../../model/reports/bisect-report.ts';
import { PawlError } from '../../model/pawl-error.ts';

export interface CommitRange {
  readonly good: string;
  readonly bad: string;
  /** After GOOD up to BAD along first parents, oldest first. */
  readonly commits: readonly BisectCommit[];
  /** What a reader should know about how they were chosen. */
  readonly notes: readonly string[];
}

const FIELDS = ['%H', '%P', '%cI', '%an', '%s'];

/**
 * The commits to search. Along first parents, so that a merge is one step: the commits of a branch were never
 * what everybody had, and need not even build.
 */
export async function commitRange(
  root: string,
  goodName: string,
  badName: string,
  signal: AbortSignal,
): Promise<CommitRange> {
  const ask = (args: readonly string[], otherwise: string) => askOrThrow(root, args, otherwise, signal);
  const good = await commitOf(root, goodName, signal);
  const bad = await commitOf(root, badName, signal);
  if (good === bad) {
    throw new PawlError(
      'usage',
      `"${goodName}" and "${badName}" are the same commit.`,
      'Give a commit that was fast, and a later one that is slow.',
    );
  }
  const common = (await askGit(root, ['merge-base', good, bad], { signal })) ?? '';
  if (common !== good) {
    const hint =
      common === bad
        ? 'Swap them: the good commit comes first.'
        : common === ''
          ? 'Bisecting needs a good commit that the bad one descends from.'
          : `They diverge at ${common.slice(0, 10)}: start from there if it is good.`;
    throw new PawlError('usage', `"${goodName}" is not an ancestor of "${badName}".`, hint);
  }
  const log = await ask(
    ['log', '-z', '--first-parent', '--reverse', `--format=${FIELDS.join('%x1f')}`, bad, `^${good}`],
    'the commits cannot be listed',
  );
  const commits = log
    .split('\0')
    .filter((line) => line !== '')
    .map(commitFrom);
  const notes =
    commits[0]?.parents[0] === good
      ? []
      : [
          `${good.slice(0, 10)} came in by a merge: the search runs along the commits that have it, from ${commits[0]!.sha.slice(0, 10)} on.`,
        ];
  return { good, bad, commits, notes };
}

function commitFrom(line: string): BisectCommit {
  const [sha = '', parents = '', time = '', author = '', subject = ''] = line
    .replace(/^\n/, '')
    .split('\u001f');
  return { sha, parents: parents.split(' ').filter((one) => one !== ''), time, author, subject };
}

async function commitOf(root: string, revision: string, signal: AbortSignal): Promise<string> {
  const hint = 'Give a commit, branch or tag that `git rev-parse` knows; a shallow clone may not have it.';
  if (revision.startsWith('-') || revision === '') {
    throw new PawlError('usage', `"${revision}" is not a revision.`, hint);
  }
  const found = await runGit(root, ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`], { signal });
  if (found.status === 'exited' && found.code === 0) return found.stdout.trim();
  if (found.status === 'missing') {
    throw new PawlError('unavailable', 'git is not installed.', 'Install git to bisect.');
  }
  if (found.status === 'cancelled') throw new PawlError('try-again', 'Interrupted.');
  throw new PawlError('usage', `git has no commit "${revision}".`, hint);
}

async function askOrThrow(
  root: string,
  args: readonly string[],
  otherwise: string,
  signal: AbortSignal,
): Promise<string> {
  const result = await runGit(root, args, { signal });
  if (result.status === 'exited' && result.code === 0) return result.stdout;
  if (result.status === 'cancelled') throw new PawlError('try-again', 'Interrupted.');
  const said = result.status === 'missing' ? result.message : result.stderr.trim();
  throw new PawlError('usage', `${otherwise}: ${said || result.status}.`);
}

/** How to look into a merge: its own commits, from where the branch began. */
export async function branchOf(
  root: string,
  { parents }: BisectCommit,
  signal: AbortSignal,
): Promise<{ readonly from: string; readonly to: string } | undefined> {
  const [first, second] = parents;
  if (first === undefined || second === undefined) return undefined;
  const from = await askGit(root, ['merge-base', first, second], { signal });
  return from === undefined || from === second ? undefined : { from, to: second };
}
