import { copyFile, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

import { defined } from '../../model/defined.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { GitRepository, NoRepository } from '../../os/git/repository.ts';

const AUTHOR = { name: 'Pawl', email: 'pawl@localhost' };
const IDENTITY = {
  GIT_AUTHOR_NAME: AUTHOR.name,
  GIT_AUTHOR_EMAIL: AUTHOR.email,
  GIT_COMMITTER_NAME: AUTHOR.name,
  GIT_COMMITTER_EMAIL: AUTHOR.email,
};

/** Ways of the user's git that would make a diff unreadable for us. */
const PLAIN_DIFF = [
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-renames',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

/**
 * States of the work tree as commits that no branch has. They are made in an index of their own: the user's index,
 * branch and files stay as they are. What git ignores is in no state, and neither is `.pawl`.
 */
export class Snapshots {
  readonly #repository: GitRepository;
  /** Files that Pawl itself writes beside the sources: no try is made of them, and none takes them back. */
  readonly #records: readonly string[];

  private constructor(repository: GitRepository, records: readonly string[]) {
    this.#repository = repository;
    this.#records = records;
  }

  static async open(root: string, records: readonly string[], signal?: AbortSignal): Promise<Snapshots> {
    try {
      const repository = await GitRepository.open(root, defined({ signal }));
      const real = await realpath(root);
      // git's top is a real path, and the project's may go through a link.
      const place = (path: string) => relative(root, resolve(root, path));
      return new Snapshots(
        repository,
        records.map((path) => relative(repository.top, resolve(real, place(path)))),
      );
    } catch (error) {
      if (!(error instanceof NoRepository)) throw error;
      throw new PawlError(
        'configuration',
        `${root} is not in a git repository, which a session needs.`,
        'Create one: git init && git add --all && git commit --message "before the session"',
      );
    }
  }

  get top(): string {
    return this.#repository.top;
  }

  /** The work tree as a commit. */
  async take(message: string): Promise<string> {
    return this.#withIndex(async (ask, index) => {
      const own = resolve(this.top, await this.#ask(['rev-parse', '--git-path', 'index']));
      // With what git knows of unchanged files: else all of them are read.
      await copyFile(own, index).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
      await ask(['add', '--all', '--', ':/', ':(exclude,top,glob)**/.pawl/**']);
      const tree = await ask(['write-tree']);
      const head = await this.#repository.commitOf('HEAD');
      const parents = head === undefined ? [] : ['-p', head];
      return ask(['commit-tree', '--no-gpg-sign', tree, ...parents], `${message}\n`);
    });
  }

  /** Keeps a state from git's housekeeping. */
  async keep(ref: string, commit: string): Promise<void> {
    await this.#ask(['update-ref', ref, commit]);
  }

  async isSame(one: string, other: string): Promise<boolean> {
    const trees = await this.#ask(['rev-parse', `${one}^{tree}`, `${other}^{tree}`]);
    const [first, second] = trees.split('\n');
    return first === second;
  }

  /** Unified, with three lines of context, and the files that it is about. */
  async diff(
    base: string,
    head: string,
  ): Promise<{ readonly text: string; readonly files: readonly string[] }> {
    const places = ['--', ':/', ...this.#records.map((path) => `:(exclude,top,literal)${path}`)];
    const text = await this.#ask(['diff', ...PLAIN_DIFF, base, head, ...places]);
    const names = await this.#ask(['diff', '--no-renames', '--name-only', '-z', base, head, ...places]);
    return { text: text === '' ? '' : `${text}\n`, files: names.split('\0').filter((name) => name !== '') };
  }

  /** The text of a file in a state; empty where it is not there. */
  async text(commit: string, path: string): Promise<string> {
    return (await this.#repository.textAt(commit, path)) ?? '';
  }

  /** Makes files what they are in a state; those that it does not have are removed. */
  async restore(commit: string, files: readonly string[]): Promise<void> {
    await this.#withIndex(async (ask) => {
      await ask(['read-tree', commit]);
      const listed = await ask(['ls-files', '-z', '--', ...files.map((path) => `:(top,literal)${path}`)]);
      const there = new Set(listed.split('\0'));
      const known = files.filter((path) => there.has(path));
      if (known.length > 0) {
        await ask(['checkout-index', '--force', '-z', '--stdin'], known.map((path) => `${path}\0`).join(''));
      }
      for (const path of files) {
        if (!there.has(path)) await rm(join(this.top, path), { force: true });
      }
    });
  }

  async #withIndex<T>(
    work: (ask: (args: readonly string[], input?: string) => Promise<string>, index: string) => Promise<T>,
  ): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), 'pawl-index-'));
    const index = join(folder, 'index');
    try {
      return await work(
        (args, input) => this.#ask(args, { ...IDENTITY, GIT_INDEX_FILE: index }, input),
        index,
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  #ask(args: readonly string[], env: NodeJS.ProcessEnv = {}, input?: string): Promise<string> {
    return this.#repository.ask(args, 'the state of the files cannot be kept', {
      env,
      ...defined({ input }),
    });
  }
}
