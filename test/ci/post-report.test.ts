import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { FetchGitHub } from '../../src/ci/github/fetch-github.ts';
import { postReport, type ReportTarget } from '../../src/ci/post-report.ts';
import { commentMarker } from '../../src/report/markdown/ci-comment.ts';
import { startContractProxy, type ContractProxy } from '../contract/github/contract-proxy.ts';
import { startStandIn, TOKEN, type StandIn } from '../contract/github/stand-in.ts';
import { ciRun, failedRun } from './ci-runs.ts';
import { HEAD_SHA, plantChatter, plantPull, PULL } from './planted.ts';

const TARGET: ReportTarget = {
  repo: 'acme/kernels',
  pull_request: PULL,
  head_sha: HEAD_SHA,
  key: 'default',
};
const LINKS = { run: 'https://github.com/acme/kernels/actions/runs/99' };

describe('a report on a pull request', () => {
  let standIn: StandIn;
  let proxy: ContractProxy;
  const slept_ms: number[] = [];

  beforeAll(async () => {
    standIn = await startStandIn();
    proxy = await startContractProxy(standIn);
  });
  afterAll(async () => {
    await proxy.close();
    await standIn.close();
  });
  afterEach(() => {
    standIn.reset();
    slept_ms.length = 0;
  });

  function github(): FetchGitHub {
    return new FetchGitHub({
      token: TOKEN,
      apiUrl: proxy.url,
      now: () => new Date('2026-11-15T00:00:00Z'),
      random: () => 0.5,
      sleep: async (duration_ms) => {
        slept_ms.push(duration_ms);
      },
    });
  }

  const writes = () => standIn.requests.filter(({ method }) => method !== 'GET');

  it('is a first comment and a check run with the same content, as the API describes them', async () => {
    plantPull(standIn);
    const posted = await postReport(github(), TARGET, ciRun(), LINKS);
    expect(proxy.violations()).toEqual([]);
    expect(posted.fallbacks).toEqual([]);
    expect(standIn.state.comments).toMatchObject([
      { id: posted.comment_id, user: { login: 'github-actions[bot]' }, body: expect.stringMatching(/Pawl/) },
    ]);
    expect(standIn.state.checkRuns).toMatchObject([
      {
        id: posted.check_run_id,
        name: 'Pawl',
        head_sha: HEAD_SHA,
        status: 'completed',
        conclusion: 'failure',
        output: { title: expect.stringMatching(/^incorrect: /), summary: standIn.state.comments[0]?.body },
      },
    ]);
  });

  it('updates its comment in place', async () => {
    plantPull(standIn);
    const first = await postReport(github(), TARGET, failedRun(), LINKS);
    plantChatter(standIn, 3);
    const second = await postReport(github(), TARGET, ciRun(), LINKS);
    expect(second.comment_id).toBe(first.comment_id);
    expect(standIn.state.comments).toHaveLength(4);
    expect(standIn.state.comments[0]?.body).not.toMatch(/could not run/);
    expect(proxy.violations()).toEqual([]);
  });

  it('finds its comment among hundreds of others, and leaves one that forges its marker alone', async () => {
    plantPull(standIn);
    plantChatter(standIn, 130);
    const first = await postReport(github(), TARGET, failedRun(), LINKS);
    plantChatter(standIn, 210);
    plantChatter(standIn, 1, `mine now\n\n${commentMarker('default')}`);
    const second = await postReport(github(), TARGET, ciRun(), LINKS);
    expect(second.comment_id).toBe(first.comment_id);
    expect(standIn.state.comments.at(-1)?.body).toMatch(/^mine now/);
    expect(standIn.state.comments.filter(({ body }) => body.includes('Pawl'))).toHaveLength(1);
    expect(proxy.violations()).toEqual([]);
  });

  it('updates the newest of several comments of its own', async () => {
    plantPull(standIn);
    const marker = commentMarker('default');
    for (const id of [500, 700, 600]) {
      const user = { login: 'github-actions[bot]', type: 'Bot' as const };
      standIn.state.comments.push({
        id,
        issue: PULL,
        user,
        body: `old\n${marker}`,
        created_at: '2026-11-01T00:00:00Z',
      });
    }
    expect((await postReport(github(), TARGET, ciRun(), LINKS)).comment_id).toBe(700);
  });

  it('has a comment and a check of its own for every configuration', async () => {
    plantPull(standIn);
    await postReport(github(), TARGET, ciRun(), LINKS);
    await postReport(github(), { ...TARGET, key: 'h200' }, ciRun(), LINKS);
    expect(standIn.state.comments).toHaveLength(2);
    expect(standIn.state.checkRuns.map(({ name }) => name)).toEqual(['Pawl', 'Pawl (h200)']);
  });

  it('knows the comments of an app by the app of its check runs, and of a person by their token', async () => {
    plantPull(standIn);
    standIn.actor = { login: 'pawl-app[bot]', type: 'Bot' };
    const app = await postReport(github(), TARGET, failedRun(), LINKS);
    expect((await postReport(github(), TARGET, ciRun(), LINKS)).comment_id).toBe(app.comment_id);
    standIn.actor = { login: 'maintainer', type: 'User' };
    const person = await postReport(github(), TARGET, failedRun(), LINKS);
    expect(person.comment_id).not.toBe(app.comment_id);
    expect(person.fallbacks).toEqual([expect.stringMatching(/403[\s\S]*check run/)]);
    expect((await postReport(github(), TARGET, ciRun(), LINKS)).comment_id).toBe(person.comment_id);
    expect(proxy.violations()).toEqual([]);
  });

  it('says that a token may not write, and fails nothing', async () => {
    plantPull(standIn);
    standIn.permissions.comments = false;
    standIn.permissions.checks = false;
    const posted = await postReport(github(), TARGET, ciRun(), LINKS);
    expect(posted).toEqual({
      fallbacks: [
        expect.stringMatching(/403.*Resource not accessible.*may not write.*check run.*job summary/),
        expect.stringMatching(/403.*Resource not accessible.*may not write.*comment.*job summary/),
      ],
    });
    expect(slept_ms).toEqual([]);
  });

  it('falls back where the pull request is gone', async () => {
    const posted = await postReport(github(), TARGET, ciRun(), LINKS);
    expect(posted.comment_id).toBeUndefined();
    expect(posted.fallbacks).toEqual([expect.stringMatching(/404/)]);
  });

  it('makes a comment anew that was deleted while it was updated', async () => {
    plantPull(standIn);
    const first = await postReport(github(), TARGET, failedRun(), LINKS);
    standIn.fail({ method: 'PATCH', status: 404, message: 'Not Found' });
    const second = await postReport(github(), TARGET, ciRun(), LINKS);
    expect(second.comment_id).not.toBe(first.comment_id);
  });

  it('makes one comment where the answer to the first attempt was lost', async () => {
    plantPull(standIn);
    standIn.fail({ method: 'POST', path: /comments$/u, status: 502, when: 'after' });
    const posted = await postReport(github(), TARGET, ciRun(), LINKS);
    expect(standIn.state.comments.map(({ id }) => id)).toEqual([posted.comment_id]);
  });

  it('makes one comment where the first attempt did not arrive', async () => {
    plantPull(standIn);
    standIn.fail({ method: 'POST', path: /comments$/u, status: 500 });
    const posted = await postReport(github(), TARGET, ciRun(), LINKS);
    expect(standIn.state.comments.map(({ id }) => id)).toEqual([posted.comment_id]);
    expect(posted.fallbacks).toEqual([]);
  });

  it('waits for a rate limit and goes on', async () => {
    plantPull(standIn);
    standIn.fail({ method: 'POST', path: /check-runs$/u, status: 429, headers: { 'retry-after': '7' } });
    const message = 'You have exceeded a secondary rate limit.';
    standIn.fail({ method: 'POST', path: /comments$/u, status: 403, message });
    const posted = await postReport(github(), TARGET, ciRun(), LINKS);
    expect(posted.fallbacks).toEqual([]);
    expect(slept_ms).toEqual([7000, 60_000]);
    expect(writes().map(({ status }) => status)).toEqual([429, 201, 403, 201]);
  });

  it('comments nothing on a push, and has a check run all the same', async () => {
    const { pull_request: _, ...push } = TARGET;
    const posted = await postReport(github(), push, ciRun({ conclusion: 'success' }), LINKS);
    expect(posted).toEqual({ check_run_id: expect.any(Number), fallbacks: [] });
    expect(standIn.state.checkRuns).toMatchObject([{ conclusion: 'success' }]);
  });
});
