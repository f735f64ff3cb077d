import { execFileSync } from 'node:child_process';
import { rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { pushBaselineForEvent } from '../../src/ci/baseline-push.ts';
import { BASELINE_FILE, EMPTY_BASELINE, type Baseline } from '../../src/model/judge/baseline.ts';
import { addFirst, advance } from '../../src/ratchet/operations.ts';
import { verifyBaseline } from '../../src/ratchet/verify-baseline.ts';
import { verifyHistory } from '../../src/ratchet/verify-history.ts';
import { waive } from '../../src/ratchet/waivers.ts';
import { acceptedOf, AUDIT, comparisonOf, textOf, twoEntries } from '../ratchet/accepted-of.ts';
import { commitAll, git, MainBranch, measured, readText } from './main-branch.ts';

const BASE = twoEntries();
const OLD = acceptedOf(1, 1);

function withCase(name: string, seed = 50, baseline: Baseline = BASE): Baseline {
  return addFirst(baseline, acceptedOf(3, seed, { case: name }), AUDIT);
}

function faster(level_ms: number, seed: number): Baseline {
  const accepted = acceptedOf(level_ms, seed);
  return advance(BASE, accepted, comparisonOf(OLD, accepted), AUDIT);
}

function casesOf({ entries }: Baseline): string[] {
  return entries.map(({ key }) => key.case).sort();
}

async function pushFrom(main: MainBranch, clone: string, env: NodeJS.ProcessEnv = {}) {
  return pushBaselineForEvent({
    env: await main.event(clone, env),
    cwd: clone,
    config: join(clone, 'perf'),
    from: measured(clone),
  });
}

describe('a push of the baseline', () => {
  it('is one commit by the workflow that changes the file alone and starts no other run', async () => {
    const main = await MainBranch.create(BASE);
    const clone = await main.cloneWith(faster(0.5, 5));
    const outcome = await pushFrom(main, clone);
    expect(outcome).toMatchObject({ state: 'pushed', attempts: 1, left_out: [] });
    expect(await main.log()).toEqual([
      'github-actions[bot]: perf: ratchet baseline forward [skip ci]',
      'Grace: first',
    ]);
    expect(await git(main.remote, 'diff', '--name-only', 'main~1', 'main')).toBe(`perf/${BASELINE_FILE}`);
    expect((await main.baseline()).log).toHaveLength(3);
    // The work tree and its index are as they were.
    expect(await git(clone, 'status', '--porcelain')).toBe('');
  });

  it('makes no commit where nothing moved', async () => {
    const main = await MainBranch.create(BASE);
    expect(await pushFrom(main, await main.clone())).toMatchObject({ state: 'unchanged' });
    expect(await main.log()).toEqual(['Grace: first']);
  });

  it('starts the file where there is none yet', async () => {
    const main = await MainBranch.create(undefined);
    const clone = await main.cloneWith(withCase('first_case', 60, EMPTY_BASELINE));
    expect(await pushFrom(main, clone)).toMatchObject({ state: 'pushed' });
    expect(casesOf(await main.baseline())).toEqual(['first_case']);
  });

  it('is made again on top of a push that came between fetch and push', async () => {
    const main = await MainBranch.create(BASE);
    const [clone, rival] = [await main.cloneWith(withCase('ours')), await main.clone()];
    await writeFile(join(rival, 'perf', BASELINE_FILE), textOf(withCase('theirs', 51)));
    await writeFile(join(rival, 'README.md'), 'kernels, and more\n');
    await commitAll(rival, 'competing');
    await git(rival, 'push', '-q', main.remote, 'main:refs/heads/rival');
    // The rival's commit lands while ours is being received: once.
    await main.hook(
      'pre-receive',
      'if [ ! -e rival-done ]; then touch rival-done; unset GIT_QUARANTINE_PATH; git update-ref refs/heads/main refs/heads/rival; fi',
    );
    const outcome = await pushFrom(main, clone);
    expect(outcome).toMatchObject({ state: 'pushed', attempts: 2 });
    expect(casesOf(await main.baseline())).toEqual(['inference_1024', 'ours', 'theirs', 'training_512']);
    expect(await git(main.remote, 'show', 'main:README.md')).toBe('kernels, and more');
    expect(await main.log()).toHaveLength(3);
  });

  it('leaves the faster entry on the branch, and says what became of its own', async () => {
    const main = await MainBranch.create(BASE);
    const [slow, fast] = [await main.cloneWith(faster(0.8, 5)), await main.cloneWith(faster(0.5, 6))];
    await pushFrom(main, fast);
    expect(await pushFrom(main, slow)).toMatchObject({
      state: 'superseded',
      left_out: [expect.stringContaining('not proven faster')],
    });
    expect(await main.log()).toHaveLength(2);
  });

  it('loses nothing of twenty runs that end at once', async () => {
    const main = await MainBranch.create(BASE);
    const names = Array.from({ length: 20 }, (_, index) => `case_${String(index).padStart(2, '0')}`);
    const clones: string[] = [];
    for (const [index, name] of names.entries()) {
      clones.push(await main.cloneWith(withCase(name, 100 + index)));
    }
    const outcomes = await Promise.all(clones.map((clone) => pushFrom(main, clone)));
    expect(outcomes.map(({ state }) => state)).toEqual(names.map(() => 'pushed'));
    expect(casesOf(await main.baseline())).toEqual([...names, 'inference_1024', 'training_512']);
    expect(await main.log()).toHaveLength(21);
    const history = await verifyHistory(await main.clone(), `perf/${BASELINE_FILE}`);
    expect(history).toMatchObject({ state: 'checked', commits: 21, breaks: [] });
  }, 300_000);

  it('gives up with a sentence, and leaves the file, where the remote is gone', async () => {
    const main = await MainBranch.create(BASE);
    const clone = await main.cloneWith(withCase('ours'));
    await git(clone, 'remote', 'set-url', 'origin', join(main.folder, 'nowhere.git'));
    const env = await main.event(clone);
    const from = measured(clone);
    const options = { env, cwd: clone, config: join(clone, 'perf'), from, sleep: () => Promise.resolve() };
    await expect(pushBaselineForEvent(options)).rejects.toMatchObject({
      kind: 'try-again',
      message: expect.stringContaining('not pushed in 5 attempts'),
    });
    expect(await readText(join(from, BASELINE_FILE))).toContain('"ours"');
  });
});

describe('no baseline is pushed', () => {
  const cases: [string, NodeJS.ProcessEnv, Record<string, unknown>, RegExp][] = [
    ['for a pull request', { GITHUB_EVENT_NAME: 'pull_request' }, {}, /"pull_request"/],
    ['for a pull request’s target', { GITHUB_EVENT_NAME: 'pull_request_target' }, {}, /pull_request_target/],
    ['after another workflow', { GITHUB_EVENT_NAME: 'workflow_run' }, {}, /workflow_run/],
    ['by hand', { GITHUB_EVENT_NAME: 'workflow_dispatch' }, {}, /workflow_dispatch/],
    ['without an event', { GITHUB_EVENT_NAME: undefined }, {}, /no event/],
    ['without a payload', { GITHUB_EVENT_PATH: undefined }, {}, /GITHUB_EVENT_PATH/],
    ['for another branch', { GITHUB_REF: 'refs/heads/topic' }, { ref: 'refs/heads/topic' }, /topic/],
    ['for a tag named like the branch', { GITHUB_REF: 'refs/tags/main' }, { ref: 'refs/tags/main' }, /tags/],
    ['where payload and environment differ', { GITHUB_REF: 'refs/heads/topic' }, {}, /topic/],
    ['for another repository’s event', { GITHUB_REPOSITORY: 'mallory/kernels' }, {}, /mallory/],
    ['for a deleted branch', {}, { deleted: true }, /deleted/],
    ['for another commit', { GITHUB_SHA: 'f'.repeat(40) }, {}, /another commit/],
    [
      'in a fork',
      {},
      { repository: { full_name: 'acme/kernels', default_branch: 'main', fork: true } },
      /is a fork/,
    ],
    ['for what is no push', {}, { ref: 7 }, /event is not a push/],
  ];
  it.each(cases)('%s', async (_, env, payload, message) => {
    const main = await MainBranch.create(BASE);
    const clone = await main.cloneWith(withCase('ours'));
    const options = {
      env: await main.event(clone, env, payload),
      cwd: clone,
      config: join(clone, 'perf'),
      from: measured(clone),
    };
    await expect(pushBaselineForEvent(options)).rejects.toMatchObject({
      kind: 'permission',
      message: expect.stringMatching(message),
    });
    expect(await main.log()).toEqual(['Grace: first']);
  });

  it('from a work tree that is elsewhere', async () => {
    const main = await MainBranch.create(BASE);
    const clone = await main.cloneWith(withCase('ours'));
    const env = await main.event(clone);
    await writeFile(join(clone, 'README.md'), 'other\n');
    await commitAll(clone, 'not pushed');
    await expect(
      pushBaselineForEvent({ env, cwd: clone, config: join(clone, 'perf'), from: measured(clone) }),
    ).rejects.toMatchObject({ kind: 'permission' });
  });

  it('that was edited by hand on the branch', async () => {
    const main = await MainBranch.create(BASE);
    const clone = await main.clone();
    const path = join(clone, 'perf', BASELINE_FILE);
    await writeFile(path, (await readText(path)).replace('"c1"', '"c9"'));
    await commitAll(clone, 'edited');
    await git(clone, 'push', '-q', 'origin', 'main');
    await expect(pushFrom(main, clone)).rejects.toMatchObject({ kind: 'bad-data' });
  });
});

describe('what a measuring job hands over is not trusted', () => {
  async function refusedProposal(
    propose: (main: MainBranch, clone: string) => Promise<unknown>,
  ): Promise<unknown> {
    const main = await MainBranch.create(BASE);
    const clone = await main.cloneWith(withCase('ours'));
    await propose(main, clone);
    const outcome = await pushFrom(main, clone).catch((error: unknown) => error);
    expect(await main.log()).toEqual(['Grace: first']);
    return outcome;
  }
  const edited = (change: (text: string) => string) => (_: MainBranch, clone: string) =>
    readText(join(measured(clone), BASELINE_FILE)).then((text) =>
      writeFile(join(measured(clone), BASELINE_FILE), change(text)),
    );
  const replaced = (baseline: Baseline) => (main: MainBranch, clone: string) =>
    main.propose(clone, textOf(baseline));

  it.each([
    ['an edited entry', edited((text) => text.replace('"c1"', '"c9"')), /changed outside Pawl/],
    ['what is not JSON', edited(() => '::add-mask::{'), /changed outside Pawl/],
    ['another history', replaced(withCase('ours', 50, EMPTY_BASELINE)), /does not continue/],
    ['a shorter history', replaced(EMPTY_BASELINE), /does not continue/],
    ['measurements of another commit', replaced(withCase('ours')), /different commit/],
    [
      'a waiver',
      replaced(waive(BASE, { pattern: '*', reason: 'because', expires: '2026-03-20' }, AUDIT)),
      /only a person may make/,
    ],
    [
      'a file of a gigabyte',
      (_: MainBranch, clone: string) => truncate(join(measured(clone), BASELINE_FILE), 1 << 30),
      /too large/,
    ],
  ])('%s', async (_, propose, message) => {
    expect(await refusedProposal(propose)).toMatchObject({
      kind: 'bad-data',
      message: expect.stringMatching(message),
    });
  });

  it('a link to a file of the job that has the token', async () => {
    const outcome = await refusedProposal(async (_, clone) => {
      const path = join(measured(clone), BASELINE_FILE);
      await rename(path, `${clone}-elsewhere.json`);
      await symlink(`${clone}-elsewhere.json`, path);
    });
    expect(outcome).toMatchObject({ kind: 'bad-data', message: expect.stringContaining('a link') });
  });

  it('a pipe, which is not waited for', async () => {
    const outcome = await refusedProposal(async (_, clone) => {
      const path = join(measured(clone), BASELINE_FILE);
      await rm(path);
      execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
    });
    expect(outcome).toMatchObject({ kind: 'bad-data', message: expect.stringContaining('not a file') });
  });

  it('nothing at all, which moves nothing', async () => {
    const outcome = await refusedProposal((_, clone) => rm(measured(clone), { recursive: true }));
    expect(outcome).toMatchObject({ state: 'unchanged' });
  });

  it('is signed by the job that pushes, where the branch is signed, without the key beside a kernel', async () => {
    const main = await MainBranch.create(BASE, 'the key');
    const clone = await main.cloneWith(withCase('ours'));
    expect(await readText(join(measured(clone), BASELINE_FILE))).not.toContain('"signature"');
    await expect(pushFrom(main, clone, { PAWL_BASELINE_KEY: 'another' })).rejects.toThrow(/signature/);
    expect(await pushFrom(main, clone, { PAWL_BASELINE_KEY: 'the key' })).toMatchObject({ state: 'pushed' });
    const text = `${await git(main.remote, 'show', `main:perf/${BASELINE_FILE}`)}\n`;
    expect(verifyBaseline(text, { key: 'the key' })).toEqual([]);
  });
});
