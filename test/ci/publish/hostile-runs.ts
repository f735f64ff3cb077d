import type { CheckReport } from '../../../src/model/reports/check-report.ts';
import type { CiRun } from '../../../src/model/reports/ci-run.ts';
import { FetchGitHub } from '../../../src/ci/github/fetch-github.ts';
import { publishRun, type PublishOptions, type PublishOutcome } from '../../../src/ci/publish-run.ts';
import { PawlError } from '../../../src/model/pawl-error.ts';
import {
  TOKEN,
  type Artifact,
  type Pull,
  type StandIn,
  type WorkflowRun,
} from '../../contract/github/stand-in.ts';
import { checkedRun, comparedRun, only } from '../../report/comparison-run.ts';
import { ciRun } from '../ci-runs.ts';
import { makeZip } from './make-zip.ts';

export const REPO = 'acme/kernels';
export const HEAD_SHA = 'c'.repeat(40);
export const RUN = 991;
export const PULL = 12;
export const FORK = { id: 777, full_name: 'mallory/kernels', fork: true };

/** A case that keeps its speed and one that is faster. */
function goodCheck(): CheckReport {
  const check = checkedRun(only(comparedRun(), 'same', 'faster'));
  return { ...check, waived: [], advanced: [], new_cases: [] };
}

/** The same with one that is slower. */
export function slowCheck(): CheckReport {
  const check = checkedRun(only(comparedRun(), 'same', 'slower'));
  return { ...check, waived: [], advanced: [], new_cases: [] };
}

/** What a good run reports. */
export function goodRun(changes: Partial<CiRun> = {}): CiRun {
  return ciRun({ verdict: 'improved', conclusion: 'success', check: goodCheck(), ...changes });
}

export interface Planted {
  readonly run?: Partial<WorkflowRun>;
  readonly pull?: Partial<Pull>;
  readonly artifact?: Partial<Artifact>;
}

/** A fork's pull request, the run of its code, and what that run left behind. */
export function plant(standIn: StandIn, zip: Uint8Array, { run, pull, artifact }: Planted = {}): void {
  standIn.state.pulls.push({
    number: PULL,
    state: 'open',
    draft: false,
    title: 'A gift',
    body: null,
    user: { login: 'mallory', type: 'User' },
    head: { ref: 'gift', sha: HEAD_SHA, repo: FORK },
    base: { ref: 'main', sha: 'b'.repeat(40) },
    ...pull,
  });
  standIn.state.runs.push({
    id: RUN,
    path: '.github/workflows/pawl.yml',
    event: 'pull_request',
    status: 'completed',
    conclusion: 'success',
    head_sha: HEAD_SHA,
    head_branch: 'gift',
    head_repository: FORK,
    ...run,
  });
  standIn.state.artifacts.push({ id: 55, run: RUN, name: 'pawl-ci', zip, ...artifact });
}

/** An artifact with this report in it; text goes in as it is. Stored: what is hostile here is not the archive. */
export function reportZip(report: unknown): Buffer {
  const data = typeof report === 'string' ? report : JSON.stringify(report);
  return makeZip([{ name: 'ci.json', data, method: 0 }]);
}

export function eventOf(standIn: StandIn, changes: Readonly<Record<string, unknown>> = {}): unknown {
  return {
    action: 'completed',
    workflow_run: { id: RUN, head_sha: HEAD_SHA },
    repository: { id: standIn.state.repository.id, full_name: REPO },
    ...changes,
  };
}

export function publish(
  standIn: StandIn,
  options: Partial<PublishOptions> = {},
  apiUrl = standIn.url,
): Promise<PublishOutcome> {
  const github = new FetchGitHub({
    token: TOKEN,
    apiUrl,
    now: () => new Date('2026-11-15T00:00:00Z'),
    random: () => 0.5,
    sleep: async () => undefined,
  });
  return publishRun(github, {
    repo: REPO,
    event: eventOf(standIn),
    key: 'default',
    server: 'https://github.com',
    ...options,
  });
}

/** Publishes what is planted and returns the refusal. */
export async function refused(standIn: StandIn, options: Partial<PublishOptions> = {}): Promise<PawlError> {
  try {
    await publish(standIn, options);
  } catch (error) {
    if (error instanceof PawlError) return error;
    throw error;
  }
  throw new Error('it was published');
}
