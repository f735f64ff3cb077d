import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { FetchGitHub, type FetchGitHubOptions } from '../../src/ci/github/fetch-github.ts';
import { GitHubError } from '../../src/ci/github/github.ts';
import { startStandIn, TOKEN, type StandIn } from '../contract/github/stand-in.ts';
import { plantChatter, plantPull } from './planted.ts';

const COMMENTS = '/repos/acme/kernels/issues/7/comments';
const NOW = new Date('2026-11-15T00:00:00Z');

describe('the GitHub client', () => {
  let standIn: StandIn;
  const slept_ms: number[] = [];

  beforeAll(async () => {
    standIn = await startStandIn();
  });
  afterAll(() => standIn.close());
  afterEach(() => {
    standIn.reset();
    slept_ms.length = 0;
  });

  function github(options: Partial<FetchGitHubOptions> = {}): FetchGitHub {
    return new FetchGitHub({
      token: TOKEN,
      apiUrl: standIn.url,
      now: () => NOW,
      random: () => 1,
      sleep: async (duration_ms) => {
        slept_ms.push(duration_ms);
      },
      ...options,
    });
  }

  async function list(client = github()): Promise<unknown[]> {
    const items: unknown[] = [];
    for await (const item of client.pages(COMMENTS)) items.push(item);
    return items;
  }

  it('reads every page of a list', async () => {
    plantPull(standIn);
    plantChatter(standIn, 250);
    expect(await list()).toHaveLength(250);
    expect(standIn.requests.map(({ query }) => query)).toEqual([
      '?per_page=100',
      '?per_page=100&page=2',
      '?per_page=100&page=3',
    ]);
  });

  it('tries again, later and later, while the host is in trouble', async () => {
    plantPull(standIn);
    standIn.fail({ status: 503, times: 2 });
    standIn.fail({ times: 1 });
    expect(await list()).toEqual([]);
    expect(slept_ms).toEqual([1000, 2000, 4000]);
  });

  it('gives up after five tries, with the status', async () => {
    plantPull(standIn);
    standIn.fail({ status: 502, times: 100 });
    await expect(list()).rejects.toMatchObject({ name: 'GitHubError', status: 502 });
    expect(standIn.requests).toHaveLength(5);
  });

  it('does not send a POST again that may have been done', async () => {
    plantPull(standIn);
    for (const failure of [{ status: 500 }, {}]) {
      standIn.fail({ method: 'POST', ...failure });
      await expect(github().request('POST', COMMENTS, { body: { body: 'x' } })).rejects.toThrow(GitHubError);
    }
    expect(standIn.requests).toHaveLength(2);
  });

  it('sends a POST again that never left', async () => {
    const closed = createServer();
    await new Promise<void>((done) => {
      closed.listen(0, '127.0.0.1', done);
    });
    const { port } = closed.address() as AddressInfo;
    await new Promise((done) => {
      closed.close(done);
    });
    const nowhere = github({ apiUrl: `http://127.0.0.1:${port}` });
    await expect(nowhere.request('POST', COMMENTS, { body: {} })).rejects.toMatchObject({ status: 0 });
    expect(slept_ms).toHaveLength(4);
  });

  it('waits until a rate limit is reset, and as long as it is told', async () => {
    plantPull(standIn);
    const reset = String(NOW.getTime() / 1000 + 90);
    standIn.fail({
      status: 403,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
      message: 'API rate limit exceeded',
    });
    standIn.fail({ status: 429, headers: { 'retry-after': '30' } });
    await list();
    expect(slept_ms).toEqual([91_000, 30_000]);
  });

  it('does not wait longer than it may', async () => {
    plantPull(standIn);
    standIn.fail({ status: 429, headers: { 'retry-after': '3600' } });
    await expect(list()).rejects.toThrow(/rate limit, for 3600 s/);
    expect(slept_ms).toEqual([]);
  });

  it('takes a plain 403 for an answer', async () => {
    plantPull(standIn);
    standIn.fail({ status: 403, message: 'Resource not accessible by integration' });
    await expect(list()).rejects.toThrow(/403 to GET .*: Resource not accessible by integration$/);
    expect(slept_ms).toEqual([]);
  });

  it('shows its token in no message', async () => {
    const messages: string[] = [];
    for (const token of ['', 'two words', 'ghp_verySecret\n']) {
      try {
        github({ token });
      } catch (error) {
        messages.push((error as Error).message);
      }
    }
    standIn.fail({ status: 500, times: 10 });
    await list().catch((error: unknown) => messages.push((error as Error).message));
    expect(messages).toHaveLength(4);
    expect(messages.join()).not.toMatch(/two words|verySecret|ghs_/);
  });

  it('follows a download elsewhere without its token, and stops at the limit', async () => {
    const zip = new Uint8Array(100_000).fill(7);
    standIn.state.artifacts.push({ id: 5, run: 1, name: 'pawl-ci', zip });
    const elsewhere = createServer((request, response) => {
      expect(request.headers.authorization).toBeUndefined();
      response.end(zip);
    });
    await new Promise<void>((done) => {
      elsewhere.listen(0, '127.0.0.1', done);
    });
    const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/blob`;
    const path = '/repos/acme/kernels/actions/artifacts/5/zip';
    standIn.fail({ path: /zip$/u, status: 302, headers: { location: url }, times: 2 });
    expect(await github().download(path, 100_000)).toHaveLength(100_000);
    await expect(github().download(path, 99_999)).rejects.toThrow(/more than 99999 bytes/);
    elsewhere.close();
  });

  it('sends nothing that it writes to another address', async () => {
    standIn.fail({ method: 'POST', status: 307, headers: { location: 'http://127.0.0.1:9/' } });
    await expect(github().request('POST', COMMENTS, { body: {} })).rejects.toThrow(/another address/);
  });

  it('does not take its token to a next page at another address', async () => {
    plantPull(standIn);
    standIn.publicUrl = 'http://127.0.0.1:9';
    plantChatter(standIn, 101);
    await expect(list()).rejects.toThrow(/another address/);
    standIn.publicUrl = standIn.url;
  });

  it('does not leave the API by a name with dots', async () => {
    const own = github({ apiUrl: `${standIn.url}/api/v3` });
    await expect(own.request('GET', '/repos/../../elsewhere')).rejects.toThrow(/leads out/);
  });
});
