/** `pawl ci publish` in its surroundings: GitHub's environment in, the step's summary and outputs out. */
import { readFile } from 'node:fs/promises';

import { defined } from '../model/defined.ts';
import { PawlError } from '../model/pawl-error.ts';
import { renderCiComment } from '../report/markdown/ci-comment.ts';
import { markdownText } from '../report/markdown/markdown-text.ts';
import { FetchGitHub, type FetchGitHubOptions } from './github/fetch-github.ts';
import { publishRun, type PublishOptions, type PublishOutcome } from './publish-run.ts';
import { publishText } from './publish-text.ts';
import { writeOutputs, writeSummary } from './step-files.ts';

export interface PublishInCiOptions
  extends
    Omit<PublishOptions, 'repo' | 'event' | 'server' | 'login'>,
    Pick<FetchGitHubOptions, 'now' | 'random' | 'sleep' | 'signal'> {
  readonly env: NodeJS.ProcessEnv;
}

export async function publishInCi(options: PublishInCiOptions): Promise<PublishOutcome> {
  const { env, now, random, sleep, signal, ...publishing } = options;
  const github = new FetchGitHub({
    token: env['PAWL_GITHUB_TOKEN'] || needed(env, 'GITHUB_TOKEN'),
    apiUrl: env['GITHUB_API_URL'] || 'https://api.github.com',
    now,
    random,
    sleep,
    ...defined({ signal }),
  });
  const repo = needed(env, 'GITHUB_REPOSITORY');
  const login = env['PAWL_COMMENT_AUTHOR'];
  const summary = env['GITHUB_STEP_SUMMARY'];
  try {
    const outcome = await publishRun(github, {
      ...publishing,
      repo,
      event: await readEvent(needed(env, 'GITHUB_EVENT_PATH')),
      server: env['GITHUB_SERVER_URL'] || 'https://github.com',
      ...(login ? { login } : {}),
    });
    if (summary) await writeSummary(summary, summaryOf(outcome, options.key));
    const outputs = env['GITHUB_OUTPUT'];
    if (outputs && outcome.state === 'published') {
      const { verdict, conclusion } = outcome.run;
      await writeOutputs(outputs, { verdict, conclusion, 'comment-id': outcome.posted.comment_id });
    }
    return outcome;
  } catch (error) {
    if (summary && error instanceof PawlError) {
      await writeSummary(summary, `**Pawl published nothing**: ${error.message}.`);
    }
    throw error;
  }
}

function needed(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name];
  if (value) return value;
  throw new PawlError('usage', `${name} is not set.`, 'pawl ci publish is for a workflow on: workflow_run.');
}

async function readEvent(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown;
  } catch {
    throw new PawlError('bad-data', 'the event that GITHUB_EVENT_PATH names cannot be read');
  }
}

function summaryOf(outcome: PublishOutcome, key: string): string {
  if (outcome.state !== 'published') return publishText(outcome);
  const { run, links, notice, posted } = outcome;
  const report = renderCiComment(run, links, { key, ...defined({ notice }) });
  return [report, ...posted.fallbacks.map((text) => `> ${markdownText(text)}`)].join('\n\n');
}
