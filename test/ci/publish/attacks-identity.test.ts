import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import {
  eventOf,
  FORK,
  goodRun,
  HEAD_SHA,
  plant,
  publish,
  PULL,
  REPO,
  reportZip,
  RUN,
} from './hostile-runs.ts';
import { Stage } from './stage.ts';

const OTHER_SHA = 'd'.repeat(40);
const GOOD = reportZip(goodRun());

describe('attacks with identity', () => {
  const stage = new Stage();

  it('pull request number in the artifact is ignored', async () => {
    const { outcome } = await stage.shown({
      ...goodRun(),
      pull_request: 1,
      repository: 'acme/other',
      head_sha: OTHER_SHA,
    });
    expect(outcome.pull_request).toBe(PULL);
    expect(stage.standIn.state.comments).toMatchObject([{ issue: PULL }]);
    expect(stage.standIn.state.checkRuns).toMatchObject([{ head_sha: HEAD_SHA }]);
  });

  it('commit in the artifact is replaced by the one that ran', async () => {
    const run = goodRun();
    const { comment, outcome } = await stage.shown({ ...run, check: { ...run.check!, commit: OTHER_SHA } });
    expect(outcome.run.check?.commit).toBe(HEAD_SHA);
    expect(comment).not.toContain(OTHER_SHA.slice(0, 12));
  });

  it('run of another repository is ignored', async () => {
    plant(stage.standIn, GOOD, { run: { repository: { id: 9, full_name: 'acme/other' } } });
    await stage.expectIgnored(/from another repository/u);
  });

  it('event of another repository is ignored', async () => {
    plant(stage.standIn, GOOD);
    const event = eventOf(stage.standIn, { repository: { id: 9, full_name: 'mallory/kernels' } });
    await stage.expectIgnored(/from another repository/u, { event });
  });

  it('repository of the same name with another id is ignored', async () => {
    plant(stage.standIn, GOOD, { run: { repository: { id: 9, full_name: REPO } } });
    await stage.expectIgnored(/from another repository/u);
  });

  it('event that is no workflow run is ignored', async () => {
    plant(stage.standIn, GOOD);
    await stage.expectIgnored(/not a completed workflow run/u, {
      event: { action: 'opened', pull_request: { number: PULL }, repository: { id: 4242, full_name: REPO } },
    });
  });

  it('event with a path instead of a run id is ignored', async () => {
    plant(stage.standIn, GOOD);
    const workflow_run = { id: '1/../../issues/1/comments', head_sha: HEAD_SHA };
    await stage.expectIgnored(/not a completed/u, {
      event: eventOf(stage.standIn, { workflow_run }),
    });
  });

  it('event whose commit is not that of its run is ignored', async () => {
    plant(stage.standIn, GOOD);
    const workflow_run = { id: RUN, head_sha: OTHER_SHA };
    await stage.expectIgnored(/different runs/u, { event: eventOf(stage.standIn, { workflow_run }) });
  });

  it('workflow of the same name at another path is ignored', async () => {
    plant(stage.standIn, GOOD, { run: { path: '.github/workflows/evil.yml' } });
    await stage.expectIgnored(/another workflow/u);
  });

  it('workflow whose path only begins with the right one is ignored', async () => {
    plant(stage.standIn, GOOD, { run: { path: '.github/workflows/pawl.yml.evil.yml@refs/heads/x' } });
    await stage.expectIgnored(/another workflow/u);
  });

  it('run on a push is ignored: its report is the ratchet workflow’s own business', async () => {
    plant(stage.standIn, GOOD, { run: { event: 'push' } });
    await stage.expectIgnored(/not on a pull request/u);
  });

  it('run that was cancelled is ignored', async () => {
    plant(stage.standIn, GOOD, { run: { conclusion: 'cancelled' } });
    await stage.expectIgnored(/did not finish/u);
  });

  it('fork with a branch called main is a fork: it is labelled, and writes to no baseline', async () => {
    const { comment, outcome } = await stage.shown(
      goodRun(),
      {},
      {
        run: { head_branch: 'main' },
        pull: { head: { ref: 'main', sha: HEAD_SHA, repo: FORK } },
      },
    );
    expect(outcome.pull_request).toBe(PULL);
    expect(comment).toContain('Measured by code of this pull request; not used for the baseline.');
    const writes = stage.standIn.requests.filter(({ method }) => method !== 'GET').map(({ path }) => path);
    expect(writes).toEqual([`/repos/${REPO}/check-runs`, `/repos/${REPO}/issues/${PULL}/comments`]);
  });

  it('head commit of somebody else’s pull request does not reach that pull request', async () => {
    // Mallory pushed the commit of an open pull request of the repository's own to a branch of her fork.
    plant(stage.standIn, GOOD, {
      pull: { head: { ref: 'feature', sha: HEAD_SHA, repo: stage.standIn.state.repository } },
    });
    await stage.expectRefused(/no pull request of this repository/u);
  });

  it('pull request from another fork with the same branch name is not taken', async () => {
    plant(stage.standIn, GOOD, {
      pull: { head: { ref: 'gift', sha: HEAD_SHA, repo: { id: 31, full_name: 'mallory/other' } } },
    });
    await stage.expectRefused(/no pull request of this repository/u);
  });

  it('two open pull requests with the commit: neither is guessed', async () => {
    plant(stage.standIn, GOOD);
    stage.standIn.state.pulls.push({ ...stage.standIn.state.pulls[0]!, number: 13 });
    await stage.expectRefused(/several open pull requests/u);
  });

  it('commit that this repository does not know: its pull request is found by the branch', async () => {
    plant(stage.standIn, GOOD);
    stage.standIn.fail({ path: /commits\/\w+\/pulls/u, status: 422, message: 'No commit found for SHA' });
    expect(await publish(stage.standIn)).toMatchObject({ state: 'published', pull_request: PULL });
  });

  it('stale head: a run whose branch has moved on shows nothing', async () => {
    plant(stage.standIn, GOOD, { pull: { head: { ref: 'gift', sha: OTHER_SHA, repo: FORK } } });
    expect(await publish(stage.standIn)).toEqual({ state: 'stale', pull_request: PULL });
    stage.expectUntouched();
  });

  it('closed pull request: nothing is shown', async () => {
    plant(stage.standIn, GOOD, { pull: { state: 'closed' } });
    expect(await publish(stage.standIn)).toEqual({ state: 'closed', pull_request: PULL });
    stage.expectUntouched();
  });

  it('two artifacts of the same name are refused', async () => {
    plant(stage.standIn, GOOD);
    stage.standIn.state.artifacts.push({ id: 56, run: RUN, name: 'pawl-ci', zip: GOOD });
    await stage.expectRefused(/several artifacts of the same name/u);
  });

  it('artifact of an earlier attempt is not taken for this one’s', async () => {
    plant(stage.standIn, reportZip('{'), {
      run: { run_attempt: 2, run_started_at: '2026-11-15T10:00:00Z' },
      artifact: { created_at: '2026-11-15T09:00:00Z' },
    });
    const created_at = '2026-11-15T10:05:00Z';
    stage.standIn.state.artifacts.push({ id: 56, run: RUN, name: 'pawl-ci', zip: GOOD, created_at });
    expect(await publish(stage.standIn)).toMatchObject({ state: 'published' });
  });

  it('artifact of another run is refused', () =>
    stage.expectZipRefused(GOOD, /belongs to another run/u, { artifact: { claimed_run: 17 } }));

  it('artifact of another name is not read', () =>
    stage.expectZipRefused(GOOD, /has no artifact/u, { artifact: { name: 'pawl-ci-2' } }));

  it('expired artifact is refused', () =>
    stage.expectZipRefused(GOOD, /expired/u, { artifact: { expired: true } }));

  it('repository name with a path in it is ignored', async () => {
    plant(stage.standIn, GOOD);
    await stage.expectIgnored(/not named as owner\/name/u, { repo: 'acme/../../user' });
    await stage.expectIgnored(/not named as owner\/name/u, { repo: 'acme/..' });
    expect(stage.standIn.requests).toEqual([]);
  });

  it('a token that may not comment or check leaves the report to the summary', async () => {
    Object.assign(stage.standIn.permissions, { comments: false, checks: false });
    plant(stage.standIn, GOOD);
    const outcome = await publish(stage.standIn);
    expect(outcome).toMatchObject({ state: 'published' });
    expect(outcome.state === 'published' && outcome.posted.fallbacks).toHaveLength(2);
  });

  it('a token that may not read artifacts is a question of permission, not of the report', async () => {
    stage.standIn.permissions.actions = false;
    plant(stage.standIn, GOOD);
    await expect(publish(stage.standIn)).rejects.toMatchObject({ kind: 'permission' });
  });

  it("understands GitHub's own example of the event", async () => {
    const folder = dirname(createRequire(import.meta.url).resolve('@octokit/webhooks-examples/package.json'));
    const path = join(folder, 'api.github.com/index.json');
    const events = JSON.parse(readFileSync(path, 'utf8')) as { name: string; examples: Example[] }[];
    const example = events
      .find(({ name }) => name === 'workflow_run')!
      .examples.find(({ action }) => action === 'completed')!;
    stage.standIn.state.repository = {
      id: example.repository.id,
      full_name: example.repository.full_name,
      default_branch: 'main',
    };
    const { id, head_sha } = example.workflow_run;
    plant(stage.standIn, GOOD, {
      run: { id, head_sha },
      pull: { head: { ref: 'gift', sha: head_sha, repo: FORK } },
      artifact: { run: id },
    });
    const outcome = await publish(stage.standIn, { repo: example.repository.full_name, event: example });
    expect(outcome).toMatchObject({ state: 'published', pull_request: PULL });
    stage.standIn.state.repository = { id: 4242, full_name: REPO, default_branch: 'main' };
  });
});

interface Example {
  readonly action: string;
  readonly repository: { readonly id: number; readonly full_name: string };
  readonly workflow_run: { readonly id: number; readonly head_sha: string };
}
