import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { defined } from '../../model/defined.ts';
import type { CommandResult } from '../run-command.ts';
import { runGit } from './run-git.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { pushOutcome, type PushOutcome } from './push-outcome.ts';
import { CLONE_ONLY, refuseRedirects } from './redirecting-settings.ts';
import type { ProcessContext } from '../run-context.ts';

export interface RepositoryOptions extends Partial<Pick<ProcessContext, 'signal' | 'env'>> {
  /** Sent to `host` only, and only in git's environment: an argument could be read by other users. */
  readonly credentials?: { readonly host: string; readonly token: string };
}

/** A file of a commit, its path below the repository's top with slashes. */
export interface CommittedFile {
  readonly path: string;
  readonly text: string;
}

export interface NewCommit {
  readonly parents: readonly string[];
  /** Its files are those of this commit, but for `files`. */
  readonly tree: string;
  readonly files: readonly CommittedFile[];
  readonly message: string;
  readonly author: GitAuthor;
}

export interface GitAuthor {
  readonly name: string;
  readonly email: string;
}

/** How GitHub names commits made with a workflow's own token. */
export const ACTIONS_BOT: GitAuthor = {
  name: 'github-actions[bot]',
  email: '41898282+github-actions[bot]@users.noreply.github.com',
};

/** git knows no repository at the folder. */
export class NoRepository extends PawlError {
  constructor(message: string) {
    super('unavailable', message);
  }
}

/**
 * A clone that commits are made in and pushed from, without touching its work tree or its index. Of settings, only its
 * own are read, and none that could lead a token elsewhere.
 */
export class GitRepository {
  readonly top: string;
  readonly #options: RepositoryOptions;

  private constructor(top: string, options: RepositoryOptions) {
    this.top = top;
    this.#options = options;
  }

  static async open(folder: string, options: RepositoryOptions = {}): Promise<GitRepository> {
    const { env, signal } = options;
    await refuseRedirects(folder, { ...(env && { env }), ...(signal && { signal }) });
    const repository = new GitRepository(folder, options);
    const run = await repository.#run(['rev-parse', '--show-toplevel']);
    const otherwise = `${folder} is not in a git repository`;
    if (run.status === 'exited' && run.code !== 0) throw new NoRepository(failureText(otherwise, run));
    return new GitRepository(answerOf(run, otherwise), options);
  }

  /** The commit that a name stands for; undefined where it stands for none. */
  async commitOf(revision: string): Promise<string | undefined> {
    const run = await this.#run(['rev-parse', '--verify', '--quiet', `${revision}^{commit}`]);
    return run.status === 'exited' && run.code === 0 ? run.stdout.trim() : undefined;
  }

  /** The text of a file at a commit; undefined where it is not there. */
  async textAt(commit: string, path: string): Promise<string | undefined> {
    const run = await this.#run(['cat-file', 'blob', `${commit}:${path}`]);
    return run.status === 'exited' && run.code === 0 ? run.stdout : undefined;
  }

  async isAncestor(older: string, newer: string): Promise<boolean> {
    const run = await this.#run(['merge-base', '--is-ancestor', older, newer]);
    return run.status === 'exited' && run.code === 0;
  }

  /** Who made a commit, as `name <email>`. */
  async committerOf(commit: string): Promise<string> {
    return this.ask(['show', '--no-patch', '--format=%cn <%ce>', commit], `${commit} cannot be read`);
  }

  /** Where a branch of the remote stands now; undefined where it has no such branch. */
  async fetchTip(remote: string, branch: string): Promise<string | undefined> {
    const listed = await this.ask(['ls-remote', remote, `refs/heads/${branch}`], `${remote} does not answer`);
    if (listed === '') return undefined;
    const kept = `refs/pawl/${branch}`;
    await this.ask(
      ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', remote, `+refs/heads/${branch}:${kept}`],
      `${branch} cannot be fetched from ${remote}`,
    );
    return this.commitOf(kept);
  }

  /** Makes a commit in an index of its own. Returns its name, or that of its only parent where nothing would change. */
  async commit({ parents, tree, files, message, author }: NewCommit): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'pawl-index-'));
    const env = {
      GIT_INDEX_FILE: join(folder, 'index'),
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_COMMITTER_NAME: author.name,
      GIT_COMMITTER_EMAIL: author.email,
    };
    const ask = (args: readonly string[], input?: string) =>
      this.ask(args, 'the commit cannot be made', { env, ...defined({ input }) });
    try {
      await ask(['read-tree', tree]);
      for (const { path, text } of files) {
        const blob = await ask(['hash-object', '-w', '--stdin'], text);
        const [mode] = (await ask(['ls-files', '--stage', '--', `:(top,literal)${path}`])).split(' ');
        await ask(['update-index', '--add', '--cacheinfo', `${mode || '100644'},${blob},${path}`]);
      }
      const made = await ask(['write-tree']);
      const [parent, ...others] = parents;
      const isKnown = others.length === 0 && made === (await ask(['rev-parse', `${parent}^{tree}`]));
      if (isKnown && parent !== undefined) return parent;
      const parentArgs = parents.flatMap((each) => ['-p', each]);
      return await ask(['commit-tree', '--no-gpg-sign', made, ...parentArgs], `${message}\n`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Moves a branch of the remote forward to a commit; never by force. */
  async push(remote: string, commit: string, branch: string): Promise<PushOutcome> {
    return pushOutcome(
      await this.#run([
        'push',
        '--porcelain',
        '--no-verify',
        '--recurse-submodules=no',
        remote,
        `${commit}:refs/heads/${branch}`,
      ]),
    );
  }

  /** What git prints, without the last line's end. */
  async ask(
    args: readonly string[],
    otherwise: string,
    more: { readonly env?: NodeJS.ProcessEnv; readonly input?: string } = {},
  ): Promise<string> {
    return answerOf(await this.#run(args, more), otherwise);
  }

  #run(
    args: readonly string[],
    more: { readonly env?: NodeJS.ProcessEnv; readonly input?: string } = {},
  ): Promise<CommandResult> {
    const { signal, env = process.env } = this.#options;
    return runGit(this.top, [...CLONE_ONLY.args, ...args], {
      env,
      more: { ...CLONE_ONLY.env, ...this.#login(env), ...more.env },
      maxOutputBytes: 256 * 1024 * 1024,
      ...defined({ input: more.input, signal }),
    });
  }

  #login(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    const { credentials } = this.#options;
    if (credentials === undefined) return {};
    const given = Number(env['GIT_CONFIG_COUNT'] ?? 0);
    const basic = Buffer.from(`x-access-token:${credentials.token}`).toString('base64');
    return {
      GIT_CONFIG_COUNT: String(given + 1),
      [`GIT_CONFIG_KEY_${given}`]: `http.${credentials.host}/.extraheader`,
      [`GIT_CONFIG_VALUE_${given}`]: `AUTHORIZATION: basic ${basic}`,
    };
  }
}

/** What git printed, without the last line's end. */
function answerOf(run: CommandResult, otherwise: string): string {
  if (run.status === 'exited' && run.code === 0) return run.stdout.trimEnd();
  if (run.status === 'missing') {
    throw new PawlError('unavailable', 'git is not installed.', 'Install git.');
  }
  if (run.status === 'cancelled') throw new PawlError('try-again', 'Interrupted.');
  throw new PawlError('unavailable', failureText(otherwise, run));
}

function failureText(otherwise: string, run: Exclude<CommandResult, { readonly status: 'missing' }>): string {
  return `${otherwise}: ${run.stderr.trim() || run.status}.`;
}
