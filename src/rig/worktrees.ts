import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';

import { loadConfig, type LoadedConfig } from '../config/load-config.ts';
import { gitState, type GitState } from '../device/environment.ts';
import { askGit, runGit } from '../os/git/run-git.ts';
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
    const folder = await mkdtemp(join(await realpath(tmpdir()), 'pawl-compare-'));
    this.#folders.push(folder);
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
    const hint = 'Name a commit, a branch or a tag that `git rev-parse` knows; a shallow clone may lack it.';
    if (revision.startsWith('-') || revision === '') {
      throw new PawlError('usage', `«${revision}» is not a revision.`, hint);
    }
    const found = await askGit(
      this.#main.root,
      ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`],
      { signal: this.#signal },
    );
    if (found !== undefined) return found;
    throw new PawlError('usage', `git knows no commit «${revision}».`, hint);
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
