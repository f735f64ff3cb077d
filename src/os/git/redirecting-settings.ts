import { runGit, type RunGitOptions } from './run-git.ts';
import { PawlError } from '../../model/pawl-error.ts';

/**
 * Settings of a repository that have git run a program, talk to another host or through another one, or read further
 * settings, and that a command line cannot take back. https://git-scm.com/docs/git-config
 */
const REDIRECTING = [
  /^include(?:if)?\./u,
  /^core\.(?:sshcommand|gitproxy|askpass|alternaterefscommand|worktree)$/u,
  /^credential\./u,
  /^url\./u,
  /^http\.(?!(?:.*\.)?(?:extraheader|postbuffer|version|lowspeedlimit|lowspeedtime)$)/u,
  /^remote\..*\.(?:proxy|proxyauthmethod|vcs|uploadpack|receivepack|pushurl)$/u,
  /^(?:fetch\.bundleuri|bundle\..*)$/u,
];

/** Git in a clone that a token is used in, which knows no settings but the clone's own. */
export const CLONE_ONLY = {
  args: [
    // A container's checkout may belong to another user; that it is ours to use is for the job to know.
    'safe.directory=*',
    'credential.helper=',
    'maintenance.auto=false',
    'gc.auto=0',
    'push.gpgSign=false',
  ].flatMap((setting) => ['-c', setting]),
  env: {
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: '/dev/null',
    GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
  },
} as const;

/**
 * Refuses a clone whose settings somebody could have written to get hold of the token that git is about to be given.
 *
 * @throws {PawlError} of kind `permission`
 */
export async function refuseRedirects(folder: string, options: RunGitOptions): Promise<void> {
  const args = [...CLONE_ONLY.args, 'config', '--list', '--show-scope', '--name-only', '-z'];
  const run = await runGit(folder, args, { ...options, more: { ...CLONE_ONLY.env, ...options.more } });
  if (run.status !== 'exited' || run.code !== 0) {
    const said = run.status === 'missing' ? run.message : run.stderr.trim() || run.status;
    throw new PawlError(
      'unavailable',
      `git does not tell the clone's configuration: ${said}.`,
      'Install git 2.32 or later.',
    );
  }
  const words = run.stdout.split('\0');
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [scope, name = ''] = [words[at], words[at + 1]];
    if (scope !== 'local' && scope !== 'worktree') continue;
    if (!REDIRECTING.some((pattern) => pattern.test(name.toLowerCase()))) continue;
    throw new PawlError(
      'permission',
      `The clone's configuration sets ${name}, so it is not given a token.`,
      'Push from a fresh checkout (actions/checkout with persist-credentials: false), in a job that runs no kernel.',
    );
  }
}
