import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { pushBaselineForEvent } from '../../src/ci/baseline-push.ts';
import { proposePullRequest, type PullRequestProposal } from '../../src/ci/draft-pull-request.ts';
import { FetchGitHub } from '../../src/ci/github/fetch-github.ts';
import { addFirst } from '../../src/ratchet/operations.ts';
import { GitRepository } from '../../src/os/git/repository.ts';
import { startContractProxy, type ContractProxy } from '../contract/github/contract-proxy.ts';
import { startStandIn, TOKEN, type StandIn } from '../contract/github/stand-in.ts';
import { acceptedOf, AUDIT, twoEntries } from '../ratchet/accepted-of.ts';
import { commitAll, git, MainBranch, measured } from './main-branch.ts';

const BASE = twoEntries();
const PROPOSAL: PullRequestProposal = {
  repository: 'acme/kernels',
  base: 'main',
  branch: 'pawl/tune-softmax-wide',
  title: 'perf: tune softmax for wide',
  message: 'perf: tune softmax for wide',
  body: 'BLOCK=256 won.',
  files: [{ path: 'perf/pawl.yaml', text: 'version: 1\n# BLOCK: 256\n' }],
};

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
afterEach(() => {
  expect(proxy.violations()).toEqual([]);
  standIn.reset();
});

function github(apiUrl = proxy.url): FetchGitHub {
  return new FetchGitHub({
    token: TOKEN,
    apiUrl,
    now: () => new Date(),
    random: () => 0.5,
    sleep: () => Promise.resolve(),
  });
}

describe('a proposed pull request', () => {
  async function propose(main: MainBranch, more: Partial<PullRequestProposal> = {}) {
    const repository = await GitRepository.open(await main.clone());
    return proposePullRequest(github(), repository, { ...PROPOSAL, ...more });
  }

  it('is a draft of one commit on a branch of its own', async () => {
    const main = await MainBranch.create(BASE);
    expect(await propose(main)).toMatchObject({ state: 'opened', draft: true, number: 1 });
    expect(standIn.state.pulls).toMatchObject([
      { title: PROPOSAL.title, draft: true, head: { ref: PROPOSAL.branch }, base: { ref: 'main' } },
    ]);
    expect(await main.log(PROPOSAL.branch)).toEqual([
      'github-actions[bot]: perf: tune softmax for wide',
      'Grace: first',
    ]);
    expect(await git(main.remote, 'diff', '--name-only', 'main', PROPOSAL.branch)).toBe('perf/pawl.yaml');
  });

  it('is brought up to date, not opened twice, and follows main', async () => {
    const main = await MainBranch.create(BASE);
    await propose(main);
    const other = await main.clone();
    await writeFile(join(other, 'README.md'), 'newer\n');
    await commitAll(other, 'newer');
    await git(other, 'push', '-q', 'origin', 'main');
    const files = [{ path: 'perf/pawl.yaml', text: 'version: 1\n# BLOCK: 512\n' }];
    expect(await propose(main, { files, body: 'BLOCK=512 won.' })).toMatchObject({
      state: 'updated',
      number: 1,
    });
    expect(standIn.state.pulls).toMatchObject([{ body: 'BLOCK=512 won.' }]);
    expect(await git(main.remote, 'show', `${PROPOSAL.branch}:README.md`)).toBe('newer');
    expect(await git(main.remote, 'show', `${PROPOSAL.branch}:perf/pawl.yaml`)).toContain('512');
  });

  it('leaves a branch alone that holds somebody else’s commits', async () => {
    const main = await MainBranch.create(BASE);
    await propose(main);
    const other = await main.clone();
    await git(other, 'checkout', '-q', PROPOSAL.branch);
    await writeFile(join(other, 'README.md'), 'a hint by a reviewer\n');
    await commitAll(other, 'by hand');
    await git(other, 'push', '-q', 'origin', PROPOSAL.branch);
    await expect(propose(main)).rejects.toMatchObject({ message: expect.stringContaining('Grace') });
    expect((await main.log(PROPOSAL.branch))[0]).toBe('Grace: by hand');
  });

  it('says how to go on where workflows may not open pull requests', async () => {
    const main = await MainBranch.create(BASE);
    standIn.permissions.pulls = false;
    await expect(propose(main)).rejects.toMatchObject({
      kind: 'permission',
      hint: expect.stringContaining('create and approve pull requests'),
    });
  });

  it('is no draft where there are none', async () => {
    const main = await MainBranch.create(BASE);
    standIn.fail({
      method: 'POST',
      path: /\/pulls$/,
      status: 422,
      message: 'Draft pull requests are not supported in this repository.',
    });
    const repository = await GitRepository.open(await main.clone());
    // Not through the proxy: the planted answer is shorter than the API's own.
    expect(await proposePullRequest(github(standIn.url), repository, PROPOSAL)).toMatchObject({
      state: 'opened',
      draft: false,
    });
  });

  it('is not made of nothing', async () => {
    const main = await MainBranch.create(BASE);
    const files = [{ path: 'perf/pawl.yaml', text: 'version: 1\n' }];
    await expect(propose(main, { files })).rejects.toThrow(/Nothing to propose/);
    await expect(propose(main, { branch: 'main' })).rejects.toMatchObject({ kind: 'usage' });
  });
});

describe('a baseline that a branch rule refuses', () => {
  const rule =
    'while read -r old new ref; do if [ "$ref" = refs/heads/main ]; then echo "error: GH006: Protected branch update failed for refs/heads/main."; exit 1; fi; done';

  async function push(main: MainBranch, name: string, withToken = true) {
    const clone = await main.cloneWith(addFirst(BASE, acceptedOf(3, 60, { case: name }), AUDIT));
    const env = await main.event(clone);
    return pushBaselineForEvent({
      env,
      cwd: clone,
      config: join(clone, 'perf'),
      from: measured(clone),
      ...(withToken ? { github: github(), token: TOKEN } : {}),
    });
  }

  it('is proposed instead, and the next run adds to the proposal', async () => {
    const main = await MainBranch.create(BASE);
    await main.hook('pre-receive', rule);
    expect(await push(main, 'one')).toMatchObject({
      state: 'proposed',
      why: expect.stringContaining('GH006'),
      pull_request: { state: 'opened', number: 1 },
    });
    expect(await push(main, 'two')).toMatchObject({ state: 'proposed', pull_request: { state: 'updated' } });
    const { entries } = await main.baseline('pawl/baseline');
    expect(entries.map(({ key }) => key.case).sort()).toEqual([
      'inference_1024',
      'one',
      'training_512',
      'two',
    ]);
    expect(await main.log()).toEqual(['Grace: first']);
    expect(standIn.state.pulls).toHaveLength(1);
  });

  it('is refused with a way out where there is no token', async () => {
    const main = await MainBranch.create(BASE);
    await main.hook('pre-receive', rule);
    await expect(push(main, 'one', false)).rejects.toMatchObject({
      kind: 'permission',
      hint: expect.stringContaining('artifacts'),
    });
  });
});
