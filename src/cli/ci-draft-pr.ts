import { join, relative, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Command } from 'commander';

import { readPlainFile } from '../os/read-plain-file.ts';
import { PawlError } from '../model/pawl-error.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { runAction } from './run-action.ts';

interface CiDraftPrFlags {
  readonly base: string;
  readonly branch: string;
  readonly title: string;
  readonly bodyFile?: string;
  readonly remote: string;
  readonly ready?: boolean;
  readonly json?: boolean;
}

/** GitHub refuses longer ones. */
const BODY_MAX = 60_000;
/** Far above any file that a person reviews. */
const FILE_MAX_BYTES = 16 * 1024 * 1024;

export function ciDraftPrCommand(): Command {
  return new Command('draft-pr')
    .description('propose changed files as a draft pull request, or update the open one')
    .argument('<file...>', 'files of the work tree')
    .requiredOption('--base <branch>', 'the branch to merge into')
    .requiredOption('--branch <name>', "the pull request's own branch; commits of others on it are kept")
    .requiredOption('--title <text>', 'its title, and the message of its commit')
    .option('--body-file <file>', 'its description, in Markdown')
    .option('--remote <name>', 'the remote to push to', 'origin')
    .option('--ready', 'not a draft')
    .option('--json', 'print the outcome as JSON')
    .addHelpText(
      'after',
      `
In a GitHub workflow with \`contents: write\` and \`pull-requests: write\`. The token is read from $PAWL_GITHUB_TOKEN or
$GITHUB_TOKEN. GitHub does not start workflows for a pull request that a workflow's own token opened: close and reopen it
to have it measured, or use the token of an app.
${EXIT_CODE_HELP}`,
    )
    .action((files: string[], flags: CiDraftPrFlags) =>
      runAction(flags, async (door) => {
        const { proposePullRequest } = await import('../ci/draft-pull-request.ts');
        const { githubFrom } = await import('../ci/github/github-from.ts');
        const { GitRepository } = await import('../os/git/repository.ts');
        const { env } = process;
        const { github, token } = githubFrom(env, {
          now: () => new Date(),
          random: Math.random,
          sleep,
          signal: door.signal,
        });
        const repository = env['GITHUB_REPOSITORY'];
        if (github === undefined || token === undefined || repository === undefined) {
          throw new PawlError(
            'usage',
            'A pull request needs $GITHUB_REPOSITORY and a token in $GITHUB_TOKEN.',
            'Run it in a workflow, with `GITHUB_TOKEN: ${{ github.token }}` in the environment.',
          );
        }
        const host = env['GITHUB_SERVER_URL'] ?? 'https://github.com';
        const git = await GitRepository.open(process.cwd(), { env, credentials: { host, token } });
        const proposed = await proposePullRequest(github, git, {
          repository,
          base: flags.base,
          branch: branchName(flags.branch),
          title: flags.title,
          message: flags.title,
          body: await bodyOf(flags.bodyFile),
          files: await Promise.all(files.map((file) => committed(git.top, file))),
          draft: flags.ready !== true,
          remote: flags.remote,
        });
        await door.tell(proposed, () => `${proposed.state} ${proposed.url}`);
        return EXIT.good;
      }),
    );
}

/** Kernels and cases have names that a branch may not have. */
function branchName(text: string): string {
  const name = text.replaceAll(/[^\w./-]+/g, '-').replaceAll(/\.{2,}|\/{2,}/g, '-');
  return name.replace(/^[-./]+|[-./]+$/g, '').replace(/\.lock$/, '-lock');
}

async function bodyOf(file: string | undefined): Promise<string> {
  if (file === undefined) return '';
  const text = (await readPlainFile(file, FILE_MAX_BYTES))?.toString('utf8') ?? '';
  return text.length > BODY_MAX ? `${text.slice(0, BODY_MAX)}\n\n…` : text;
}

async function committed(top: string, file: string) {
  const path = relative(top, resolve(file)).split(sep).join('/');
  if (path.startsWith('../')) {
    throw new PawlError('usage', `${file} is not in the repository.`, 'Name files of the work tree.');
  }
  const bytes = await readPlainFile(join(top, path), FILE_MAX_BYTES);
  if (bytes === undefined)
    throw new PawlError('usage', `There is no ${file}.`, 'Name files of the work tree.');
  return { path, text: bytes.toString('utf8') };
}
