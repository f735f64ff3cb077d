import { isSecretName } from '../../model/text/secret-name.ts';
import { runCommand, type CommandResult, type RunCommandOptions } from '../run-command.ts';

export interface RunGitOptions extends Omit<RunCommandOptions, 'cwd'> {
  /** On top of `env`, and kept whatever it is: an index of one's own, a login. */
  readonly more?: NodeJS.ProcessEnv;
}

/**
 * By which a git hook or alias that runs Pawl would point our git at its own repository or index: those of
 * `git rev-parse --local-env-vars` that say where something lies.
 */
const INHERITED = new Set([
  'GIT_DIR',
  'GIT_COMMON_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_PREFIX',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_GRAFT_FILE',
  'GIT_SHALLOW_FILE',
]);

/**
 * Settings that would have git run a program for what we ask of it. Kernel code may have written them into the
 * repository's configuration, and they would run with our environment.
 */
const RUNS_NOTHING = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'log.showSignature=false'];

/** No `ext::`, which is a command line in the place of an address. */
const PROTOCOLS = 'file:git:http:https:ssh';

/** A checkout of a large repository on a slow disk, or a push over a slow line, takes minutes, not more. */
const TIMEOUT_MS = 10 * 60 * 1000;

/** Git in the repository that `folder` lies in. Its hooks do not run. */
export function runGit(
  folder: string,
  args: readonly string[],
  { env = process.env, more, ...options }: RunGitOptions = {},
): Promise<CommandResult> {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => isForGit(name)));
  const settings = RUNS_NOTHING.flatMap((setting) => ['-c', setting]);
  return runCommand('git', ['-C', folder, ...settings, ...args], {
    timeout_ms: TIMEOUT_MS,
    ...options,
    // Optional locks would make `status` write the index, and so disturb a git that works there meanwhile.
    env: { ...own, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_ALLOW_PROTOCOL: PROTOCOLS, ...more },
  });
}

/** Tokens and keys are not git's business, except those that it is given on purpose. */
function isForGit(name: string): boolean {
  return !INHERITED.has(name) && (/^(?:GIT|SSH|GPG)_/u.test(name) || !isSecretName(name));
}

/** What git prints, without the spaces around it; undefined where it has no answer. */
export async function askGit(
  folder: string,
  args: readonly string[],
  options: RunGitOptions = {},
): Promise<string | undefined> {
  const run = await runGit(folder, args, options);
  return run.status === 'exited' && run.code === 0 ? run.stdout.trim() : undefined;
}
