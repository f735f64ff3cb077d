import { mkdtemp, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { readContext } from '../../src/ci/context.ts';
import { PawlError } from '../../src/model/pawl-error.ts';
import { pullRequestEvent } from './ci-project.ts';

const require = createRequire(import.meta.url);
/** Payloads as GitHub documents them. */
const EXAMPLES = require('@octokit/webhooks-examples') as readonly {
  readonly name: string;
  readonly examples: readonly object[];
}[];

function examplesOf(name: string): readonly object[] {
  return EXAMPLES.find((each) => each.name === name)?.examples ?? [];
}

const SHA = 'a'.repeat(40);

async function environment(name: string, payload: object | string): Promise<NodeJS.ProcessEnv> {
  const path = join(await mkdtemp(join(tmpdir(), 'pawl-event-')), 'event.json');
  await writeFile(path, typeof payload === 'string' ? payload : JSON.stringify(payload));
  return {
    GITHUB_ACTIONS: 'true',
    GITHUB_EVENT_NAME: name,
    GITHUB_EVENT_PATH: path,
    GITHUB_REPOSITORY: 'acme/kernels',
    GITHUB_SHA: SHA,
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_API_URL: '',
    GITHUB_RUN_ID: '42',
  };
}

async function contextOf(name: string, payload: object | string) {
  return readContext(await environment(name, payload));
}

describe('what started a run', () => {
  it('is nothing in particular outside of GitHub', async () => {
    expect(await readContext({ GITHUB_TOKEN: 'x' })).toMatchObject({ event: 'none', is_fork: false });
  });

  it("is understood from every one of GitHub's example pull requests", async () => {
    const examples = examplesOf('pull_request');
    expect(examples.length).toBeGreaterThan(10);
    for (const payload of examples) {
      const context = await contextOf('pull_request', payload);
      expect(context).toMatchObject({ event: 'pull_request', pull_request: expect.any(Number) });
      expect(context.head_sha).not.toBe(SHA);
      expect(context.base).toMatch(/^[0-9a-f]{40}$/);
    }
  });

  it("is understood from every one of GitHub's example pushes and dispatches", async () => {
    for (const name of ['push', 'workflow_dispatch']) {
      for (const payload of examplesOf(name)) {
        const { ref, repository } = payload as { ref: string; repository: { default_branch: string } };
        expect(await contextOf(name, payload)).toMatchObject({
          event: name,
          head_sha: SHA,
          is_default_branch: ref === `refs/heads/${repository.default_branch}`,
        });
      }
    }
  });

  it('is a fork where the repositories differ, and where the fork is gone', async () => {
    const own = pullRequestEvent({ number: 7, head: SHA, base: 'b'.repeat(40) });
    const fork = pullRequestEvent({ number: 7, head: SHA, base: 'b'.repeat(40), fork: true }) as {
      pull_request: { head: { repo: object | null } };
    };
    expect(await contextOf('pull_request', own)).toMatchObject({ is_fork: false });
    expect(await contextOf('pull_request', fork)).toMatchObject({ is_fork: true });
    fork.pull_request.head.repo = null;
    expect(await contextOf('pull_request', fork)).toMatchObject({ is_fork: true });
  });

  it('moves the baseline on a deleted branch or a tag of its name no more than elsewhere', async () => {
    const repository = { default_branch: 'main' };
    const at = async (event: object) => (await contextOf('push', { repository, ...event })).is_default_branch;
    expect(await at({ ref: 'refs/heads/main' })).toBe(true);
    expect(await at({ ref: 'refs/heads/main', deleted: true })).toBe(false);
    expect(await at({ ref: 'refs/tags/main' })).toBe(false);
    expect(await at({ ref: 'refs/heads/x/refs/heads/main' })).toBe(false);
  });

  it('knows the address of the run, and the public API where none is named', async () => {
    expect(await contextOf('schedule', {})).toMatchObject({
      event: 'other',
      run_url: 'https://github.com/acme/kernels/actions/runs/42',
      api_url: 'https://api.github.com',
    });
  });

  it.each([
    ['no JSON', '{'],
    ['no pull request', '{}'],
    ['no number', JSON.stringify({ pull_request: { number: '7' } })],
  ])('is refused where the event has %s', async (_, payload) => {
    await expect(contextOf('pull_request', payload)).rejects.toThrow(PawlError);
  });

  it('is refused where a variable is not as GitHub makes it', async () => {
    for (const change of [
      { GITHUB_SHA: 'main; rm -rf' },
      { GITHUB_REPOSITORY: '../..' },
      { GITHUB_RUN_ID: 'x' },
    ]) {
      const env = { ...(await environment('schedule', {})), ...change };
      await expect(readContext(env)).rejects.toThrow(/environment is not valid/);
    }
  });
});
