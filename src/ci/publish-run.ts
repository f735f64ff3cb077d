/** Shows the report of a run on a pull request whose code is not trusted (docs/security.md). */
import { defined } from '../model/defined.ts';
import type { CiRun } from '../model/reports/ci-run.ts';
import { PawlError, type FailureKind } from '../model/pawl-error.ts';
import type { CiLinks } from '../report/markdown/ci-comment.ts';
import { distrustRun, type Trust } from './artifact/distrust-run.ts';
import { downloadArtifact } from './artifact/download-artifact.ts';
import { parseCiRun } from './artifact/parse-ci-run.ts';
import { readZip } from './artifact/read-zip.ts';
import { GitHubError, type GitHub } from './github/github.ts';
import { checkRunName, postReport, type PostedReport } from './post-report.ts';
import { readFinishedRun, refusal, repositoryName, type FinishedRun } from './github/finished-run.ts';
import { findPullRequest } from './publish-target.ts';

const RATCHET_WORKFLOW = '.github/workflows/pawl.yml';
const REPORT_ARTIFACT = 'pawl-ci';

const REPORT_FILE = 'ci.json';

export interface PublishOptions {
  /** `owner/name`, of the repository whose workflow publishes. */
  readonly repo: string;
  /** The event of `workflow_run`, as GitHub gave it to this workflow. */
  readonly event: unknown;
  /** Path of the workflow whose runs are published. */
  readonly workflow?: string;
  readonly artifact?: string;
  readonly key: string;
  /** The gate that reports are held against; what is absent is taken from the report, where it is stricter. */
  readonly thresholds?: Trust['thresholds'];
  readonly undecided?: 'pass' | 'fail';
  /** Where people look at GitHub: `https://github.com`. */
  readonly server: string;
  /** The login that the token acts as, where it is known. */
  readonly login?: string;
}

export type PublishOutcome =
  | {
      readonly state: 'published';
      readonly run: CiRun;
      readonly links: CiLinks;
      readonly notice: string | undefined;
      readonly pull_request: number;
      readonly posted: PostedReport;
    }
  | { readonly state: 'stale' | 'closed'; readonly pull_request: number };

/** @throws {PawlError} where there is nothing that may be shown, after saying so on the commit */
export async function publishRun(github: GitHub, options: PublishOptions): Promise<PublishOutcome> {
  const { repo, event, workflow = RATCHET_WORKFLOW } = options;
  if (!repositoryName.test(repo)) throw refusal('the repository is not named as owner/name');
  const run = await orRefusal(() => readFinishedRun(github, { repo, event, workflow }));
  try {
    return await orRefusal(() => publishFinished(github, run, options));
  } catch (error) {
    if (error instanceof PawlError) await sayUnreadable(github, run, options, error);
    throw error;
  }
}

async function publishFinished(
  github: GitHub,
  run: FinishedRun,
  options: PublishOptions,
): Promise<PublishOutcome> {
  const { repo, key, server, thresholds = {}, undecided, artifact: name = REPORT_ARTIFACT } = options;
  const target = await findPullRequest(github, run);
  if (target.state !== 'open') return target;
  const artifact = await downloadArtifact(github, run, name);
  const file = readZip(artifact.bytes, [REPORT_FILE]).get(REPORT_FILE);
  if (file === undefined) throw refusal(`the artifact has no ${REPORT_FILE}`);
  const { run: shown, notices } = distrustRun(parseCiRun(file), {
    isFork: run.isFork,
    head_sha: run.head_sha,
    conclusion: run.conclusion,
    thresholds,
    ...defined({ undecided }),
  });
  const { pull_request } = target;
  const notice = notices.length === 0 ? undefined : notices.join(' ');
  const page = `${server}/${repo}/actions/runs/${run.id}`;
  const links = {
    run: page,
    artifacts: `${page}/artifacts/${artifact.id}`,
    files: `${server}/${repo}/blob`,
  };
  const posted = await postReport(github, { repo, pull_request, head_sha: run.head_sha, key }, shown, links, {
    ...defined({ notice, login: options.login }),
  });
  return { state: 'published', run: shown, links, notice, pull_request, posted };
}

/** A neutral check run: a report that is missing must not look like one that never was due. */
async function sayUnreadable(
  github: GitHub,
  run: FinishedRun,
  { key, server }: PublishOptions,
  { message }: PawlError,
): Promise<void> {
  try {
    await github.request('POST', `/repos/${run.repo}/check-runs`, {
      body: {
        name: checkRunName(key),
        head_sha: run.head_sha,
        status: 'completed',
        conclusion: 'neutral',
        external_id: `pawl:${key}`,
        details_url: `${server}/${run.repo}/actions/runs/${run.id}`,
        output: {
          title: "Pawl could not read this run's report",
          summary: `Nothing of it is shown: ${message}.`,
        },
      },
    });
  } catch (error) {
    // The exit code and the log still say it.
    if (!(error instanceof GitHubError)) throw error;
  }
}

/** What GitHub answers may hold text of the pull request: only its status is told. */
async function orRefusal<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    throw new PawlError(
      kindOf(error.status),
      `GitHub answered with status ${error.status}`,
      'The job needs pull-requests: write, checks: write and actions: read.',
    );
  }
}

function kindOf(status: number): FailureKind {
  if (status === 401 || status === 403) return 'permission';
  if (status === 404 || status === 410 || status === 413) return 'bad-data';
  return status === 0 || status === 429 || status >= 500 ? 'unavailable' : 'bad-data';
}
