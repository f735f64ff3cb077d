import { appendFile, readFile } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

import { Command, Option } from 'commander';

import type { PublishOptions, PublishOutcome } from '../ci/publish-run.ts';
import { PawlError } from '../model/pawl-error.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { defined, percent } from './options.ts';
import { runAction } from './run-action.ts';

interface PublishFlags {
  readonly workflow?: string;
  readonly artifact?: string;
  readonly key: string;
  readonly threshold?: number;
  readonly improvement?: number;
  readonly undecided?: 'pass' | 'fail';
  readonly json?: boolean;
}

export function ciPublishCommand(): Command {
  return new Command('publish')
    .description('show the report of a run whose code is not trusted, from a workflow of its own')
    .option(
      '--workflow <path>',
      'the workflow whose runs are published (default: .github/workflows/pawl.yml)',
    )
    .option('--artifact <name>', 'the artifact with its report (default: pawl-ci)')
    .option('--key <name>', 'tells several Pawl configurations in one repository apart', 'default')
    .option(
      '--threshold <percent>',
      "the gate's regression threshold: a looser report is held to it",
      percent,
    )
    .option('--improvement <percent>', "the gate's improvement threshold", percent)
    .addOption(new Option('--undecided <policy>', 'what undecided cases do').choices(['pass', 'fail']))
    .option('--json', 'print what came of it as JSON')
    .addHelpText(
      'after',
      `
For a workflow on: workflow_run, with pull-requests: write, checks: write and actions: read. It checks nothing out
and runs nothing of the pull request. Whose run it was comes from GitHub's API; the artifact is taken for hostile
(docs/security.md). What cannot be read safely is not shown: exit code 65, and a neutral check run that says so.
A run whose branch has moved on, or whose pull request is closed, is left alone.

Environment: GITHUB_TOKEN, GITHUB_EVENT_PATH, GITHUB_REPOSITORY; GITHUB_API_URL, GITHUB_SERVER_URL,
GITHUB_STEP_SUMMARY where they are set.

Examples:
  pawl ci publish
  pawl ci publish --workflow .github/workflows/gpu.yml --threshold 3 --undecided fail
${EXIT_CODE_HELP}`,
    )
    .action((flags: PublishFlags) =>
      runAction(flags, async (door) => {
        if (!/^[\w.-]{1,60}$/u.test(flags.key)) {
          throw new PawlError('usage', 'A key is made of letters, digits, dots, underscores and hyphens.');
        }
        const environment = publishEnvironment(process.env);
        const { FetchGitHub } = await import('../ci/github/fetch-github.ts');
        const { publishRun } = await import('../ci/publish-run.ts');
        const github = new FetchGitHub({
          token: environment.token,
          apiUrl: environment.apiUrl,
          now: () => new Date(),
          random: Math.random,
          sleep: (duration_ms) => sleep(duration_ms),
          signal: door.signal,
        });
        try {
          const outcome = await publishRun(github, {
            repo: environment.repo,
            server: environment.server,
            event: await readEvent(environment.eventPath),
            key: flags.key,
            ...defined({
              workflow: flags.workflow,
              artifact: flags.artifact,
              undecided: flags.undecided,
            }),
            thresholds: defined({ regression_pct: flags.threshold, improvement_pct: flags.improvement }),
          });
          await writeSummary(environment.summaryPath, await summaryText(outcome, flags.key));
          door.print(await outcomeText(outcome, flags.json));
          return EXIT.good;
        } catch (error) {
          if (error instanceof PawlError) {
            await writeSummary(environment.summaryPath, `**Pawl published nothing**: ${error.message}.\n`);
          }
          throw error;
        }
      }),
    );
}

interface PublishEnvironment extends Pick<PublishOptions, 'repo' | 'server'> {
  readonly token: string;
  readonly eventPath: string;
  readonly apiUrl: string;
  readonly summaryPath: string | undefined;
}

function publishEnvironment(env: Readonly<Record<string, string | undefined>>): PublishEnvironment {
  const needed = (name: string): string => {
    const value = env[name];
    if (value) return value;
    throw new PawlError(
      'usage',
      `${name} is not set.`,
      'pawl ci publish is for a workflow on: workflow_run.',
    );
  };
  return {
    token: needed('GITHUB_TOKEN'),
    eventPath: needed('GITHUB_EVENT_PATH'),
    repo: needed('GITHUB_REPOSITORY'),
    apiUrl: env['GITHUB_API_URL'] || 'https://api.github.com',
    server: env['GITHUB_SERVER_URL'] || 'https://github.com',
    summaryPath: env['GITHUB_STEP_SUMMARY'] || undefined,
  };
}

async function readEvent(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown;
  } catch {
    throw new PawlError('bad-data', 'The event that GITHUB_EVENT_PATH names cannot be read.');
  }
}

async function writeSummary(path: string | undefined, text: string): Promise<void> {
  if (path !== undefined) await appendFile(path, text);
}

async function summaryText(outcome: PublishOutcome, key: string): Promise<string> {
  if (outcome.state !== 'published') return `${await outcomeText(outcome)}\n`;
  const { renderCiComment } = await import('../report/ci-comment.ts');
  const { run, links, notice } = outcome;
  return `${renderCiComment(run, links, { key, ...defined({ notice }) })}\n`;
}

/** For the log, which a runner reads commands from: our own words and numbers. */
async function outcomeText(outcome: PublishOutcome, asJson = false): Promise<string> {
  const { logText } = await import('../report/plain-text.ts');
  const { state, pull_request } = outcome;
  if (asJson) {
    if (outcome.state !== 'published') return JSON.stringify({ state, pull_request });
    const { verdict, conclusion } = outcome.run;
    const { comment_id, check_run_id, fallbacks } = outcome.posted;
    return JSON.stringify({
      state,
      pull_request,
      verdict,
      conclusion,
      comment_id,
      check_run_id,
      fallbacks: fallbacks.map(logText),
    });
  }
  switch (outcome.state) {
    case 'stale':
      return `Nothing published: the branch of pull request ${pull_request} has moved on since this run.`;
    case 'closed':
      return `Nothing published: pull request ${pull_request} is closed.`;
    case 'published': {
      const { run, posted } = outcome;
      return [
        `Pull request ${pull_request}: ${run.verdict} (${run.conclusion}).`,
        ...posted.fallbacks.map(logText),
      ].join('\n');
    }
  }
}
