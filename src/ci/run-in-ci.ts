/** One run of `pawl ci` in its surroundings: what started it in, what it tells people and the next steps. */
import { writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';

import { defined } from '../model/defined.ts';
import type { CiRun } from '../model/reports/ci-run.ts';
import type { CiLinks } from '../report/markdown/ci-comment.ts';
import { renderCiComment } from '../report/markdown/ci-comment.ts';
import { ciSentence } from '../report/markdown/ci-sentence.ts';
import { runCi, type CiOptions, type CiOutcome } from '../workflows/ci.ts';
import { NO_CONTEXT, readContext, type CiContext } from './context.ts';
import { FetchGitHub } from './github/fetch-github.ts';
import { postReport, type PostedReport } from './post-report.ts';
import { slowerLines } from './slower-lines.ts';
import { annotation, writeOutputs, writeSummary } from './step-files.ts';
import { omit } from '../model/omit.ts';
import type { ProcessContext } from '../os/run-context.ts';

export interface RunInCiOptions
  extends Omit<CiOptions, 'trusted' | 'whyNotUpdate' | 'head' | 'now'>, Pick<ProcessContext, 'now' | 'env'> {
  /** `none`: whatever the environment says, this is not GitHub. */
  readonly event: 'auto' | 'none';
  /** Whether to show the report on the pull request and as a check run. */
  readonly comment: boolean;
  readonly key: string;
  readonly rules: 'base' | 'head';
  /** Where a team's history can be looked at. */
  readonly dashboard?: string;
  /** The log of the job; GitHub reads annotations from it. */
  readonly print: (line: string) => void;
  readonly random: () => number;
  readonly sleep: (duration_ms: number) => Promise<void>;
}

export interface CiEnd {
  readonly run: CiRun;
  readonly posted: PostedReport;
  readonly bug?: unknown;
}

export async function runInCi(options: RunInCiOptions): Promise<CiEnd> {
  const context = options.event === 'none' ? NO_CONTEXT : await readContext(options.env);
  const outcome = await measured(options, context);
  const posted = await showReport(outcome.run, context, options);
  const exposed = EXPOSED.filter((name) => options.env[name]);
  if (context.event !== 'none' && exposed.length > 0) {
    options.print(annotation('warning', 'Pawl: kernels ran in a step with a secret', exposedText(exposed)));
  }
  return { ...outcome, posted };
}

/** Not handed on to kernels; but processes of one user can look at each other where no sandbox keeps them apart. */
const EXPOSED = ['GITHUB_TOKEN', 'PAWL_GITHUB_TOKEN', 'PAWL_BASELINE_KEY', 'ACTIONS_RUNTIME_TOKEN'] as const;

function exposedText(names: readonly string[]): string {
  return `This step has ${names.join(', ')}. Measure in a step without secrets; report with \`pawl ci post\` and update the baseline with \`pawl ci baseline\`, each in a separate job (docs/ci-workflows.md).`;
}

async function measured(options: RunInCiOptions, context: CiContext): Promise<CiOutcome> {
  const { rules, base: named, ...rest } = omit(options, 'event', 'comment', 'key', 'env');
  const wanted = options.update === true || options.propose === true;
  const base = rules === 'head' ? undefined : (named ?? context.base);
  const whyNot = whyNotUpdate(context);
  return runCi({
    ...rest,
    ...defined({ base, head: context.head_sha }),
    trusted: !context.is_fork,
    update: wanted && whyNot === undefined,
    ...defined({ whyNotUpdate: whyNot }),
  });
}

/** Where there is a code host, the baseline moves on its default branch and nowhere else. */
function whyNotUpdate({ event, is_default_branch }: CiContext): string | undefined {
  if (event === 'pull_request') return 'a pull request never updates the baseline';
  if (event === 'none' || is_default_branch) return undefined;
  return 'the baseline is updated only on the default branch';
}

type ShowOptions = Pick<
  RunInCiOptions,
  'key' | 'comment' | 'env' | 'print' | 'random' | 'sleep' | 'now' | 'dashboard' | 'signal'
> & {
  /** Where the comment is written as a file and the report lies; absent: nothing is written. */
  readonly out?: string;
  /** A sentence below the verdict. */
  readonly notice?: string;
};

/** Shows a run everywhere that people and later steps look. */
export async function showReport(
  run: CiRun,
  context: CiContext,
  options: ShowOptions,
): Promise<PostedReport> {
  const { out, key, print, notice } = options;
  const links = linksOf(context, options);
  const posted = await post(run, context, links, options);
  const body = renderCiComment(run, links, { key, ...defined({ notice }) });
  if (out !== undefined) await writeFile(join(out, 'comment.md'), `${body}\n`);
  const notes = posted.fallbacks.map((text) => `> ${text.replaceAll(/[\r\n]+/gu, ' ')}`);
  if (context.summary_file !== undefined) {
    await writeSummary(context.summary_file, [body, ...notes].join('\n\n'));
  }
  if (context.output_file !== undefined) {
    await writeOutputs(context.output_file, {
      verdict: run.verdict,
      conclusion: run.conclusion,
      report: out === undefined ? undefined : relative('.', resolve(out)) || '.',
      'comment-id': posted.comment_id,
    });
  }
  if (context.event !== 'none') {
    for (const line of annotations(run, posted)) print(line);
  }
  return posted;
}

function linksOf({ run_url, files_url }: CiContext, { dashboard }: ShowOptions): CiLinks {
  return {
    ...(run_url === undefined ? {} : { run: run_url, artifacts: `${run_url}#artifacts` }),
    ...defined({ dashboard, files: files_url }),
  };
}

/** A fork's token may not write, and asking would only get a refusal: its report is published by another workflow. */
async function post(
  run: CiRun,
  context: CiContext,
  links: CiLinks,
  options: ShowOptions,
): Promise<PostedReport> {
  const { repository, head_sha, pull_request, is_fork, api_url } = context;
  if (!options.comment || repository === undefined || head_sha === undefined) return { fallbacks: [] };
  if (is_fork) {
    return { fallbacks: ['This code comes from a fork: its report is shown by the publishing workflow.'] };
  }
  const token = options.env['PAWL_GITHUB_TOKEN'] || options.env['GITHUB_TOKEN'];
  if (!token) return { fallbacks: ['There is no token in GITHUB_TOKEN: the report is in the job summary.'] };
  const { now, random, sleep, signal, key } = options;
  const github = new FetchGitHub({
    token,
    apiUrl: api_url,
    now,
    random,
    sleep,
    ...defined({ signal }),
  });
  const { notice } = options;
  const login = options.env['PAWL_COMMENT_AUTHOR'];
  return postReport(github, { repo: repository, head_sha, key, ...defined({ pull_request }) }, run, links, {
    ...(login ? { login } : {}),
    ...defined({ notice }),
  });
}

const LEVEL = { failure: 'error', neutral: 'warning', success: 'notice' } as const;

function annotations(run: CiRun, { fallbacks }: PostedReport): string[] {
  const { word, text } = ciSentence(run);
  return [
    annotation(LEVEL[run.conclusion], `Pawl: ${word}`, text),
    ...slowerLines(run).map(({ title, text: message, ...at }) =>
      annotation(LEVEL[run.conclusion], title, message, at),
    ),
    ...run.judge_changes.map(({ text: change }) =>
      annotation('warning', 'Pawl: this change alters its own judge', change),
    ),
    ...fallbacks.map((fallback) => annotation('warning', 'Pawl', fallback)),
  ];
}
