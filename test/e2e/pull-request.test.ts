/** The whole story of pull requests and of main, by the workflows that `pawl init --github` writes. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ciRunSchema } from '../../src/model/reports/ci-run.ts';
import { parseBaseline } from '../../src/ratchet/parse-baseline.ts';
import { verifyBaseline } from '../../src/ratchet/verify-baseline.ts';
import { kernel } from '../ci/ci-project.ts';
import { makeZip } from '../ci/publish/make-zip.ts';
import { startContractProxy, type ContractProxy } from '../contract/github/contract-proxy.ts';
import { startStandIn, TOKEN, type StandIn } from '../contract/github/stand-in.ts';
import { actionCheckout } from './play-runner/action-checkout.ts';
import { playWorkflow, type PlayedRun, type Surroundings } from './play-runner/play-workflow.ts';
import { ACTION_REF, config, SampleRepository } from './play-runner/sample-repository.ts';

const REPOSITORY = { id: 4242, full_name: 'acme/kernels', default_branch: 'main', fork: false };
const FORK = { id: 5151, full_name: 'mallory/kernels', default_branch: 'main', fork: true };
/** Each measures for seconds, on a machine that may be busy with other tests. */
const TIMEOUT_MS = 600_000;

let standIn: StandIn;
let proxy: ContractProxy;
let sample: SampleRepository;
let around: Surroundings;
let pulls = 0;

beforeAll(async () => {
  standIn = await startStandIn({ repository: REPOSITORY.full_name });
  proxy = await startContractProxy(standIn);
  sample = await SampleRepository.create();
  around = {
    repository: REPOSITORY.full_name,
    remote: sample.remote,
    action: { ref: ACTION_REF, folder: await actionCheckout() },
    apiUrl: proxy.url,
    token: TOKEN,
    folder: sample.folder,
    onPermissions: (permissions) => {
      const may = (scope: string) => permissions[scope] === 'write';
      Object.assign(standIn.permissions, {
        comments: may('pull-requests'),
        pulls: may('pull-requests'),
        checks: may('checks'),
        contents: may('contents'),
      });
    },
  };
}, TIMEOUT_MS);

afterAll(async () => {
  await proxy.close();
  await standIn.close();
  for (const folder of [sample.folder, around.action.folder])
    await rm(folder, { recursive: true, force: true });
});

interface PullOptions {
  readonly from?: typeof REPOSITORY;
  readonly action?: string;
  readonly label?: string;
}

/** Opens a pull request with a change, and plays the ratchet workflow for it. */
async function pullRequest(name: string, files: Readonly<Record<string, string>>, options: PullOptions = {}) {
  const number = (pulls += 1);
  const { head, base } = await sample.branch(`pull-${number}`, files);
  const { from = REPOSITORY, action = 'opened', label } = options;
  const ends = { head: { ref: name, sha: head, repo: from }, base: { ref: 'main', sha: base } };
  standIn.state.pulls.push({
    number,
    state: 'open',
    draft: false,
    title: name,
    body: '',
    user: { login: 'ada', type: 'User' },
    ...ends,
  });
  const payload = {
    action,
    number,
    ...(label === undefined ? {} : { label: { name: label } }),
    pull_request: { number, head: ends.head, base: { ...ends.base, repo: REPOSITORY } },
    repository: REPOSITORY,
  };
  const ref = `refs/pull/${number}/merge`;
  const event = { name: 'pull_request', payload, sha: head, ref };
  const run = await playWorkflow(await sample.workflow('pawl.yml'), event, around);
  return { number, head, run, comments: () => commentsOf(number), checks: () => checksOf(head) };
}

function commentsOf(number: number): string[] {
  return standIn.state.comments.filter(({ issue }) => issue === number).map(({ body }) => body);
}

function checksOf(head: string): (string | null)[] {
  return standIn.state.checkRuns
    .filter(({ head_sha }) => head_sha === head)
    .map(({ conclusion }) => conclusion);
}

/** Pushes a change to main, and plays the ratchet workflow for it. */
async function pushToMain(message: string, files: Readonly<Record<string, string>>): Promise<PlayedRun> {
  return playPush(await sample.push(message, files));
}

async function playPush(head: string): Promise<PlayedRun> {
  const payload = { ref: 'refs/heads/main', after: head, deleted: false, repository: REPOSITORY };
  const event = { name: 'push', payload, sha: head, ref: 'refs/heads/main' };
  return playWorkflow(await sample.workflow('pawl.yml'), event, around);
}

/** Plays the publishing workflow, as GitHub starts it after a fork's run. */
async function publish(head: string, run: PlayedRun): Promise<PlayedRun> {
  const folder = join(run.artifacts, 'pawl-ci');
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  const entries = await Promise.all(
    paths.map(async (path) => ({ name: relative(folder, path), data: await readFile(path) })),
  );
  const workflow_run = {
    id: 991,
    path: '.github/workflows/pawl.yml',
    event: 'pull_request',
    status: 'completed',
    conclusion: 'success',
    head_sha: head,
    head_branch: 'fork',
    head_repository: FORK,
  };
  standIn.state.runs.push(workflow_run);
  standIn.state.artifacts.push({ id: 55, run: workflow_run.id, name: 'pawl-ci', zip: makeZip(entries) });
  const payload = { action: 'completed', workflow_run, repository: REPOSITORY };
  const sha = await sample.git('rev-parse', 'origin/main');
  const event = { name: 'workflow_run', payload, sha, ref: 'refs/heads/main' };
  // The proxy reads every body as text, and an artifact is none.
  return playWorkflow(await sample.workflow('pawl-publish.yml'), event, { ...around, apiUrl: standIn.url });
}

function colours(run: PlayedRun): Record<string, string> {
  return Object.fromEntries(Object.entries(run.jobs).map(([name, { result }]) => [name, result]));
}

const MEASURED = { benchmark: 'success', report: 'success', remeasure: 'skipped', baseline: 'skipped' };
const RED = { ...MEASURED, benchmark: 'failure' };

async function resultOf({ artifacts }: PlayedRun, name = 'pawl-ci') {
  const path = join(artifacts, name, 'ci.json');
  return ciRunSchema.parse(JSON.parse(await readFile(path, 'utf8')));
}

async function baseline() {
  const text = `${await sample.onMain('perf/pawl-baseline.json')}\n`;
  expect(verifyBaseline(text)).toEqual([]);
  return parseBaseline(text, 'main');
}

describe('the workflows of a project', () => {
  it(
    'enter the first measurement of main into the baseline, in a commit of their own',
    async () => {
      const run = await playPush(await sample.git('rev-parse', 'HEAD'));
      expect(colours(run), run.jobs['baseline']?.log).toEqual({
        benchmark: 'skipped',
        report: 'skipped',
        remeasure: 'success',
        baseline: 'success',
      });
      expect(await resultOf(run, 'pawl-baseline')).toMatchObject({ verdict: 'new', conclusion: 'success' });
      expect(await sample.mainLog()).toEqual([
        'github-actions[bot]: perf: ratchet baseline forward [skip ci]',
        'Ada: first',
      ]);
      expect((await baseline()).log).toMatchObject([{ type: 'first' }]);
    },
    TIMEOUT_MS,
  );

  it(
    'pass a pull request that changes nothing',
    async () => {
      const { run, comments, checks } = await pullRequest('a remark', {
        'kernels/busy.cpp': `// A remark.\n${kernel(40)}`,
      });
      expect(colours(run), run.jobs['benchmark']?.log).toEqual(MEASURED);
      expect(await resultOf(run)).toMatchObject({ verdict: 'maintained', conclusion: 'success' });
      expect(comments()).toHaveLength(1);
      expect(checks()).toEqual(['success']);
    },
    TIMEOUT_MS,
  );

  it(
    'fail one that is slower, and say so in one comment that a second run updates',
    async () => {
      const { run, number, head, comments, checks } = await pullRequest('slower', {
        'kernels/busy.cpp': kernel(200),
      });
      expect(colours(run), run.jobs['benchmark']?.log).toEqual(RED);
      expect(await resultOf(run)).toMatchObject({ verdict: 'regressed', conclusion: 'failure' });
      expect(comments()).toEqual([expect.stringMatching(/busy is .*slower on small/)]);
      expect(checks()).toEqual(['failure']);
      expect(run.jobs['benchmark']?.summary).toMatch(/busy .*slower on/);
      expect(run.jobs['benchmark']?.log).toMatch(/^::error title=Pawl/m);

      // The same again, as after a second push.
      const pull = standIn.state.pulls.find((each) => each.number === number)!;
      const payload = {
        action: 'synchronize',
        number,
        pull_request: { number, head: pull.head, base: { ...pull.base, repo: REPOSITORY } },
        repository: REPOSITORY,
      };
      const event = { name: 'pull_request', payload, sha: head, ref: `refs/pull/${number}/merge` };
      await playWorkflow(await sample.workflow('pawl.yml'), event, around);
      expect(comments()).toHaveLength(1);
    },
    TIMEOUT_MS,
  );

  it(
    'pass one that is faster, and leave the baseline of main alone',
    async () => {
      const before = await sample.mainLog();
      const { run, comments } = await pullRequest('faster', { 'kernels/busy.cpp': kernel(8) });
      expect(colours(run), run.jobs['benchmark']?.log).toEqual(MEASURED);
      expect(await resultOf(run)).toMatchObject({ verdict: 'improved', conclusion: 'success' });
      expect(comments()).toEqual([expect.stringMatching(/improve|faster/i)]);
      expect(await sample.mainLog()).toEqual(before);
    },
    TIMEOUT_MS,
  );

  it(
    'fail one that computes something else, however fast',
    async () => {
      const { run, comments } = await pullRequest('wrong', { 'kernels/busy.cpp': kernel(8, 3) });
      expect(colours(run), run.jobs['benchmark']?.log).toEqual(RED);
      expect(await resultOf(run)).toMatchObject({ verdict: 'incorrect', conclusion: 'failure' });
      expect(comments()).toEqual([expect.stringMatching(/wrong|incorrect/i)]);
    },
    TIMEOUT_MS,
  );

  it(
    'call a case new that the baseline does not know',
    async () => {
      const { run, comments } = await pullRequest('another case', {
        'pawl.yaml': config('{ small: { N: 1000 }, large: { N: 4000 } }'),
      });
      expect(colours(run), run.jobs['benchmark']?.log).toEqual(MEASURED);
      const { verdict, check } = await resultOf(run);
      expect(['new', 'maintained']).toContain(verdict);
      expect(check?.new_cases).toMatchObject([{ case: 'large' }]);
      expect(comments()).toEqual([expect.stringMatching(/large/)]);
    },
    TIMEOUT_MS,
  );

  it(
    'fail one that does not build, with what the compiler said',
    async () => {
      const { run, comments } = await pullRequest('broken', {
        'kernels/busy.cpp': kernel(40).replace('return 0;', 'retrun 0;'),
      });
      expect(colours(run), run.jobs['benchmark']?.log).toEqual(RED);
      expect(await resultOf(run)).toMatchObject({ conclusion: 'failure' });
      expect(comments()).toEqual([expect.stringMatching(/retrun/)]);
    },
    TIMEOUT_MS,
  );

  it(
    'give a fork no runner before a maintainer sets the label, and report on it from a workflow of their own',
    async () => {
      const files = { 'kernels/busy.cpp': `// From a fork.\n${kernel(40)}` };
      const skipped = {
        benchmark: 'skipped',
        report: 'skipped',
        remeasure: 'skipped',
        baseline: 'skipped',
      };
      for (const options of [
        { action: 'opened' },
        { action: 'labeled', label: 'bug' },
        { action: 'synchronize' },
      ]) {
        expect(colours((await pullRequest('fork', files, { from: FORK, ...options })).run)).toEqual(skipped);
      }
      const approved = { from: FORK, action: 'labeled', label: 'pawl-approved' };
      const pull = await pullRequest('fork', files, approved);
      expect(colours(pull.run), pull.run.jobs['benchmark']?.log).toEqual({
        ...skipped,
        benchmark: 'success',
      });
      expect(await resultOf(pull.run)).toMatchObject({ verdict: 'maintained' });
      expect(pull.comments()).toEqual([]);
      expect(pull.checks()).toEqual([]);

      const published = await publish(pull.head, pull.run);
      expect(colours(published), published.jobs['publish']?.log).toEqual({ publish: 'success' });
      expect(pull.comments()).toEqual([expect.stringMatching(/code of this pull request/i)]);
      expect(pull.checks()).toEqual(['neutral']);
    },
    TIMEOUT_MS,
  );

  it(
    'move the baseline of main to a confirmed improvement',
    async () => {
      const run = await pushToMain('five times as fast', { 'kernels/busy.cpp': kernel(8) });
      expect(colours(run), run.jobs['remeasure']?.log).toMatchObject({
        remeasure: 'success',
        baseline: 'success',
      });
      expect(await resultOf(run, 'pawl-baseline')).toMatchObject({ verdict: 'improved' });
      expect((await baseline()).log.map(({ type }) => type)).toEqual(['first', 'advance']);
      expect((await sample.mainLog())[0]).toMatch(/ratchet baseline forward \[skip ci\]$/);
    },
    TIMEOUT_MS,
  );

  it(
    'turn main red on a regression, and hold the baseline',
    async () => {
      const run = await pushToMain('slow again', { 'kernels/busy.cpp': kernel(40) });
      // The job that measured is red; the one that pushes has nothing to push.
      expect(colours(run), run.jobs['remeasure']?.log).toMatchObject({
        remeasure: 'failure',
        baseline: 'success',
      });
      expect(await resultOf(run, 'pawl-baseline')).toMatchObject({ verdict: 'regressed' });
      expect((await baseline()).log).toHaveLength(2);
      expect((await sample.mainLog())[0]).toBe('Ada: slow again');
    },
    TIMEOUT_MS,
  );

  it('asked GitHub for nothing that its description does not know', () => {
    expect(proxy.violations()).toEqual([]);
  });
});
