import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';

import { z } from 'zod';

import { loadConfig, type LoadedConfig } from '../config/load-config.ts';
import { gitState, type GitState } from '../device/environment.ts';
import { askGit, runGit } from '../os/git/run-git.ts';
import { parseRecord } from '../os/append-only-journal.ts';
import { isAlive, thisProcess } from '../os/process-identity.ts';
import { PawlError } from '../model/pawl-error.ts';

/** The work tree as it is, with changes that no commit holds. */
export const WORKTREE = 'worktree';

/** A project at one revision. */
export interface CheckedOut {
  readonly loaded: LoadedConfig;
  readonly git: GitState | undefined;
}

/** Checks revisions of one project out into folders of their own, and takes them away again. */
export class Worktrees {
  readonly #main: LoadedConfig;
  readonly #signal: AbortSignal;
  readonly #folders: string[] = [];

  constructor(main: LoadedConfig, signal: AbortSignal) {
    this.#main = main;
    this.#signal = signal;
  }

  async checkOut(revision: string): Promise<CheckedOut> {
    const { root, path } = this.#main;
    if (revision === WORKTREE) return { loaded: this.#main, git: await gitState(root) };
    const top = await this.#ask(['rev-parse', '--show-toplevel'], `${root} is not in a git repository`);
    const commit = await this.#commitOf(revision);
    await removeAbandoned(root);
    const folder = await mkdtemp(join(await realpath(tmpdir()), PREFIX));
    this.#folders.push(folder);
    // Written before git lists the folder, so that another run can always tell whether its owner is still alive.
    await writeFile(join(folder, OWNER), JSON.stringify(await thisProcess()));
    const tree = join(folder, 'tree');
    await this.#ask(
      ['worktree', 'add', '--detach', '--force', tree, commit],
      `${revision} cannot be checked out`,
    );
    const config = join(tree, relative(top, await realpath(root)), basename(path));
    try {
      return { loaded: await loadConfig(config, tree), git: { commit, dirty: false } };
    } catch (error) {
      if (!(error instanceof PawlError)) throw error;
      const message = error.message.replaceAll(`${tree}/`, '');
      throw new PawlError(error.kind, `At ${revision} (${commit.slice(0, 10)}): ${message}`, error.hint);
    }
  }

  /** Never cut short by Ctrl-C: what was checked out is gone afterwards. */
  async remove(): Promise<void> {
    for (const folder of this.#folders.splice(0)) {
      await rm(folder, { recursive: true, force: true });
    }
    // Git forgets worktrees whose folder is gone.
    await runGit(this.#main.root, ['worktree', 'prune']);
  }

  async #commitOf(revision: string): Promise<string> {
    const hint = 'Give a commit, branch or tag that `git rev-parse` knows; a shallow clone may not have it.';
    if (revision.startsWith('-') || revision === '') {
      throw new PawlError('usage', `"${revision}" is not a revision.`, hint);
    }
    const found = await askGit(
      this.#main.root,
      ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`],
      { signal: this.#signal },
    );
    if (found !== undefined) return found;
    throw new PawlError('usage', `git has no commit "${revision}".`, hint);
  }

  async #ask(args: readonly string[], otherwise: string): Promise<string> {
    const result = await runGit(this.#main.root, args, { signal: this.#signal });
    if (result.status === 'exited' && result.code === 0) return result.stdout.trim();
    if (result.status === 'missing') {
      throw new PawlError('unavailable', 'git is not installed.', 'Install git to compare revisions.');
    }
    if (result.status === 'cancelled') throw new PawlError('try-again', 'Interrupted.');
    throw new PawlError('usage', `${otherwise}: ${result.stderr.trim() || result.status}.`);
  }
}

const PREFIX = 'pawl-compare-';
const OWNER = 'owner.json';
const ownerSchema = z.object({ pid: z.int(), start_ticks: z.string(), boot_id: z.string() });

/** Takes away what a killed Pawl had checked out of this repository. */
async function removeAbandoned(root: string): Promise<void> {
  const listed = await askGit(root, ['worktree', 'list', '--porcelain']);
  const trees = (listed ?? '').split('\n').flatMap((line) => /^worktree (.+)$/u.exec(line)?.[1] ?? []);
  const temporary = await realpath(tmpdir());
  for (const folder of trees.map((tree) => dirname(tree))) {
    if (dirname(folder) !== temporary || !basename(folder).startsWith(PREFIX)) continue;
    const owner = await readFile(join(folder, OWNER), 'utf8').catch(() => undefined);
    const parsed = owner === undefined ? undefined : parseRecord(owner, ownerSchema);
    // Without a word about its owner it may be anybody's, and at work.
    if (parsed === undefined || (await isAlive(parsed))) continue;
    await rm(folder, { recursive: true, force: true });
  }
}
