import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { startContractProxy, type ContractProxy } from './contract-proxy.ts';
import { startStandIn, TOKEN, type StandIn } from './stand-in.ts';

describe('the stand-in for GitHub', () => {
  let standIn: StandIn;
  let proxy: ContractProxy;

  beforeAll(async () => {
    standIn = await startStandIn();
    proxy = await startContractProxy(standIn);
  });
  afterAll(async () => {
    await proxy.close();
    await standIn.close();
  });
  afterEach(() => standIn.reset());

  async function ask(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${proxy.url}/repos/acme/kernels${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  function plantPull(): void {
    const sha = 'a'.repeat(40);
    standIn.state.pulls.push({
      number: 7,
      state: 'open',
      draft: false,
      title: 'Faster softmax',
      body: null,
      user: { login: 'someone', type: 'User' },
      head: { ref: 'softmax', sha, repo: { id: 77, full_name: 'someone/kernels', fork: true } },
      base: { ref: 'main', sha: 'b'.repeat(40) },
    });
    standIn.state.runs.push({
      id: 99,
      path: '.github/workflows/pawl.yml',
      event: 'pull_request',
      status: 'completed',
      conclusion: 'failure',
      head_sha: sha,
      head_branch: 'softmax',
      head_repository: { id: 77, full_name: 'someone/kernels', fork: true },
    });
    standIn.state.artifacts.push({ id: 5, run: 99, name: 'pawl-ci', zip: new Uint8Array([80, 75]) });
    standIn.state.refs.set('heads/main', 'b'.repeat(40));
    standIn.state.files.set('pawl.yaml', 'version: 1\n');
  }

  it.each([
    ['GET', ''],
    ['GET', '/issues/7/comments?per_page=100'],
    ['POST', '/issues/7/comments', { body: 'hello' }],
    ['POST', '/issues/7/labels', { labels: ['perf'] }],
    ['POST', '/check-runs', { name: 'Pawl', head_sha: 'a'.repeat(40), conclusion: 'success' }],
    ['GET', `/commits/${'a'.repeat(40)}/check-runs?check_name=Pawl`],
    ['GET', `/commits/${'a'.repeat(40)}/pulls`],
    ['GET', '/pulls?state=open&head=someone:softmax'],
    ['POST', '/pulls', { title: 'tune', head: 'tuned', base: 'main', draft: true }],
    ['GET', '/pulls/7'],
    ['PATCH', '/pulls/7', { title: 'other' }],
    ['GET', '/actions/runs/99'],
    ['GET', '/actions/runs/99/artifacts?name=pawl-ci'],
    ['GET', '/git/ref/heads%2Fmain'],
    ['POST', '/git/refs', { ref: 'refs/heads/tuned', sha: 'c'.repeat(40) }],
    ['GET', '/contents/pawl.yaml'],
  ])('answers %s %s as the description says', async (method, path, body?: unknown) => {
    plantPull();
    const response = await ask(method, path, body);
    const problem = response.ok ? undefined : await response.text();
    expect(problem).toBeUndefined();
    expect(proxy.violations()).toEqual([]);
  });

  it('is told of a request that GitHub would refuse', async () => {
    plantPull();
    const response = await ask('POST', '/issues/7/comments', { text: 'no body' });
    expect(response.status).toBe(422);
    expect(standIn.state.comments).toEqual([]);
  });
});
