import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';

import { readIfThere } from '../os/read-if-there.ts';
import { runGit } from '../os/git/run-git.ts';
import type { LogRecord } from '../model/judge/baseline.ts';
import { caseLabel } from '../model/judge/case-key.ts';
import { PawlError } from '../model/pawl-error.ts';
import { canonicalJson } from '../os/canonical-json.ts';
import { parseBaseline } from './parse-baseline.ts';

/** A commit after which the log is not the one before it with more at its end. */
interface HistoryBreak {
  /** `worktree` for what is not committed. */
  readonly commit: string;
  readonly time?: string | undefined;
  readonly author?: string | undefined;
  readonly message: string;
}

export type HistoryReport =
  | { readonly state: 'no-repository' | 'not-committed' }
  | {
      readonly state: 'checked';
      readonly commits: number;
      /** The clone does not hold the whole history: what is older was not seen. */
      readonly shallow: boolean;
      readonly breaks: readonly HistoryBreak[];
    };

const WORKTREE = 'worktree';
const MAX_BLOB_BYTES = 256 * 1024 * 1024;

/** One version of the file; `parents` are the versions before it. */
interface Version {
  readonly commit: string;
  readonly parents: readonly string[];
  readonly time?: string | undefined;
  readonly author?: string | undefined;
}

type Log = readonly LogRecord[];

/**
 * Walks git's history of a baseline file and reports every version whose log does not continue the one before it:
 * a reset, or a forgery whose hashes were recomputed. Along every parent of a merge, since a merge that takes the
 * older file is the quietest way to lose an entry.
 */
export async function verifyHistory(root: string, path: string): Promise<HistoryReport> {
  const top = (await git(root, ['rev-parse', '--show-toplevel']))?.trim();
  if (top === undefined) return { state: 'no-repository' };
  const absolute = resolve(root, path);
  // Git names its folder without links; the file itself may be one.
  const file = relative(top, join(await realpath(dirname(absolute)), basename(absolute)));
  const versions = await versionsOf(top, file);
  if (versions.length === 0) return { state: 'not-committed' };
  const shallow = (await git(top, ['rev-parse', '--is-shallow-repository']))?.trim() === 'true';

  const breaks: HistoryBreak[] = [];
  // The log each version leaves behind. One that cannot be read, or is gone, leaves that of its parent: coming back
  // with another log is a reset too.
  const logs = new Map<string, Log>();
  const read = await reader(top, file, versions);
  for (const version of versions) {
    const log = await read(version.commit);
    const known = version.parents.map((parent) => logs.get(parent)).filter((each) => each !== undefined);
    const messages =
      typeof log === 'string'
        ? known.some((each) => each.length > 0)
          ? [log]
          : []
        : known.flatMap((each) => lostRecords(each, log, known.length > 1) ?? []);
    const { commit, time, author } = version;
    for (const message of messages) breaks.push({ commit, time, author, message });
    logs.set(version.commit, typeof log === 'string' ? longest(known) : log);
  }
  return {
    state: 'checked',
    commits: versions.filter(({ commit }) => commit !== WORKTREE).length,
    shallow,
    breaks,
  };
}

/** Oldest first, the work tree last. */
async function versionsOf(top: string, file: string): Promise<Version[]> {
  const format = '--format=%x01%H%x00%P%x00%aI%x00%an';
  const args = [
    'log',
    '--full-history',
    '--parents',
    '--topo-order',
    '--reverse',
    format,
    'HEAD',
    '--',
    file,
  ];
  const text = await git(top, args);
  if (text === undefined) return [];
  const committed = text
    .split('\u0001')
    .slice(1)
    .map((line): Version => {
      const [commit = '', parents = '', time = '', author = ''] = line.trimEnd().split('\0');
      return { commit, parents: parents.split(' ').filter((each) => each !== ''), time, author };
    });
  const last = committed.at(-1);
  return last === undefined ? [] : [...committed, { commit: WORKTREE, parents: [last.commit] }];
}

/** Reads the log of a version. Most versions of a long history share their contents, so each is read once. */
async function reader(
  top: string,
  file: string,
  versions: readonly Version[],
): Promise<(commit: string) => Promise<Log | string>> {
  const commits = versions.map(({ commit }) => commit).filter((commit) => commit !== WORKTREE);
  const input = commits.map((commit) => `${commit}:${file}\n`).join('');
  const lines = (await git(top, ['cat-file', '--batch-check=%(objectname)'], input))?.split('\n') ?? [];
  const blobs = new Map(commits.map((commit, index) => [commit, lines[index] ?? '']));
  const logs = new Map<string, Log | string>();
  return async (commit) => {
    if (commit === WORKTREE) return logOf(await readIfThere(resolve(top, file)), basename(file));
    const blob = blobs.get(commit) ?? '';
    let log = logs.get(blob);
    if (log === undefined) {
      // A version without the file is answered by `<name> missing`.
      const text = /^[0-9a-f]+$/.test(blob) ? await git(top, ['cat-file', 'blob', blob]) : undefined;
      log = logOf(text, basename(file));
      logs.set(blob, log);
    }
    return log;
  };
}

/** The log, or a sentence that says why there is none. */
function logOf(text: string | undefined, label: string): Log | string {
  if (text === undefined) return 'the baseline was removed';
  try {
    return parseBaseline(text, label).log;
  } catch (error) {
    if (error instanceof PawlError) return error.message;
    throw error;
  }
}

/** What `after` does not continue of `before`; undefined where it does. */
function lostRecords(before: Log, after: Log, isMerge: boolean): string | undefined {
  const shared = before.findIndex((record, index) => after[index]?.hash !== record.hash);
  if (shared === -1) return undefined;
  const lost = before.slice(shared);
  // Two branches that both wrote cannot both be continued: one side's records are made again after the other's.
  const again = new Set(after.slice(shared).map(contentsOf));
  if (isMerge && lost.every((record) => again.has(contentsOf(record)))) return undefined;
  const first = lost[0]!;
  const range = lost.length === 1 ? `record ${first.n}` : `records ${first.n} to ${lost.at(-1)!.n}`;
  return `the log was not continued: ${range} of it (${lost.slice(0, 3).map(nameOf).join('; ')}${lost.length > 3 ? '; …' : ''}) ${lost.length === 1 ? 'is' : 'are'} gone`;
}

/** What a record says, apart from its place, its time and who made it. */
function contentsOf(record: LogRecord): string {
  const {
    n: _n,
    time: _time,
    author: _author,
    commit: _commit,
    prev: _prev,
    hash: _hash,
    ...contents
  } = record;
  return canonicalJson(contents);
}

function nameOf(record: LogRecord): string {
  if ('key' in record) return `${record.type} of ${caseLabel(record.key)}`;
  return record.type === 'waive' ? `waive of ${record.pattern}` : record.type;
}

function longest(logs: readonly Log[]): Log {
  return logs.reduce<Log>((most, log) => (log.length > most.length ? log : most), []);
}

/** What git prints, or undefined where it has no answer. */
async function git(root: string, args: readonly string[], input = ''): Promise<string | undefined> {
  const run = await runGit(root, ['--literal-pathspecs', ...args], {
    input,
    timeout_ms: 60_000,
    maxOutputBytes: MAX_BLOB_BYTES,
  });
  if (run.status === 'missing') {
    throw new PawlError(
      'unavailable',
      'git is not on the PATH.',
      'Install git; history is verified with it.',
    );
  }
  if (run.status !== 'exited') {
    throw new PawlError('try-again', `git ${args[0]} did not end.`, 'Try again.');
  }
  return run.code === 0 ? run.stdout : undefined;
}
