/** Inside a git hook GIT_DIR and others name the repository of the hook; every answer is about the project's own. */
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { gitState } from '../../src/device/environment.ts';
import { runGit } from '../../src/os/git/run-git.ts';
import { findAuthor } from '../../src/ratchet/author.ts';
import { verifyHistory } from '../../src/ratchet/verify-history.ts';
import type { DoctorContext } from '../../src/device/doctor/probe.ts';
import { PROJECT_PROBES } from '../../src/device/doctor/project-probes.ts';
import { GitRepository } from '../../src/os/git/repository.ts';
import { branchFacts, commitFacts } from '../../src/history/commit-facts.ts';
import { initGitHub } from '../../src/workflows/init-github.ts';
import { initProject } from '../../src/workflows/init.ts';
import { storedRunOf } from '../history/stored-run-of.ts';
import { GitProject } from '../ratchet/git-project.ts';

let project: GitProject;
let commit = '';

beforeEach(async () => {
  project = await GitProject.create();
  await project.git('checkout', '-q', '-b', 'ours');
  await initProject({ directory: project.root, device: 'cpu', force: false });
  commit = await project.commit('baseline.json', '{}');
  const hook = await GitProject.create();
  await hook.git('config', 'user.name', 'Somebody Else');
  await hook.commit('theirs.txt', 'theirs');
  vi.stubEnv('GIT_DIR', join(hook.root, '.git'));
  vi.stubEnv('GIT_WORK_TREE', hook.root);
  vi.stubEnv('GIT_INDEX_FILE', join(hook.root, '.git/index'));
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test('git itself', async () => {
  expect(await runGit(project.root, ['rev-parse', 'HEAD'])).toMatchObject({ code: 0, stdout: `${commit}\n` });
  expect((await GitRepository.open(project.root)).top).toBe(project.root);
});

test('the commit that a measurement names', async () => {
  expect(await gitState(project.root)).toEqual({ commit, dirty: false });
});

test('who is at work', async () => {
  expect(await findAuthor(project.root)).toBe('Grace <grace@example.org>');
});

test('what a stored run says of its commit and its branch', async () => {
  const run = storedRunOf({ at: 0 });
  const [measurement] = run.sides.head.measurements;
  const sides = { head: { ...run.sides.head, measurements: [{ ...measurement!, commit }] } };
  expect(await commitFacts(project.root, { ...run, sides })).toMatchObject([
    { sha: commit, subject: 'change baseline.json' },
  ]);
  expect(await branchFacts(project.root, {})).toEqual({ branch: 'ours' });
});

test('the history of a baseline', async () => {
  expect(await verifyHistory(project.root, 'baseline.json')).not.toMatchObject({ state: 'not-committed' });
});

test('where the workflows of GitHub are written', async () => {
  const action = 'example/pawl@0123456789012345678901234567890123456789';
  const made = await initGitHub({ directory: project.root, action, force: false, dryRun: true });
  expect(made.top).toBe(project.root);
  expect(made.settings.defaultBranch).toBe('ours');
});

test('what doctor says', async () => {
  const { root } = project;
  const about = { root, env: process.env, timeout_ms: 30_000, signal: new AbortController().signal };
  const check = PROJECT_PROBES.find(({ id }) => id === 'git');
  const { detail } = await check!.look(about as DoctorContext);
  expect(detail).toContain(commit.slice(0, 7));
});
