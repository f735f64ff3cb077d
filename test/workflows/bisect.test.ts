import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openStore } from '../../src/history/store/open-store.ts';
import { bisectReportSchema, type BisectReport } from '../../src/model/reports/bisect-report.ts';
import { bisect, type BisectOptions } from '../../src/workflows/bisect.ts';
import { commitOf, storedRunOf } from '../history/stored-run-of.ts';
import { busyKernel, CompareProject, config } from './compare-project.ts';

const FAST = 20_000;
/** Three times as slow, whatever else the machine does. */
const SLOW = 60_000;
const BROKEN = busyKernel(FAST).replace('doubled(call)', 'doubbled(call)');
const WRONG = busyKernel(FAST).replace(
  'return doubled(call);',
  'doubled(call); output(call)[7] += 1; return 0;',
);

let project: CompareProject;

/** A line of commits, of which each changes the kernel; `broken` ones stand around the slowdown in `slow`. */
beforeAll(async () => {
  project = await CompareProject.create();
  const line: readonly (readonly [tag: string, kernel: string])[] = [
    ['comment', busyKernel(FAST, '/* Nothing changes. */\n')],
    ['a-little', busyKernel(FAST + 100)],
    ['broken-before', BROKEN],
    ['slow', busyKernel(SLOW)],
    ['broken-after', BROKEN.replaceAll(String(FAST), String(SLOW))],
    ['still-slow', busyKernel(SLOW + 100)],
    ['wrong', WRONG.replaceAll(String(FAST), String(SLOW))],
    ['tip', busyKernel(SLOW + 200)],
  ];
  for (const [tag, kernel] of line) {
    await project.write('src/busy.cpp', kernel);
    project.commit(tag);
  }
});
afterAll(() => rm(project.repository, { recursive: true, force: true }));

function sha(tag: string): string {
  return project.git('rev-parse', `${tag}^{commit}`).trim();
}

async function search(options: Partial<BisectOptions> = {}): Promise<BisectReport> {
  const report = await bisect({
    config: project.folder,
    case: 'busy/small',
    good: 'base',
    bad: 'tip',
    wait_s: 600,
    // The machines that run tests have other work to do; where the answer is clear, far fewer are taken.
    processes: 48,
    ...options,
  });
  return bisectReportSchema.parse(JSON.parse(JSON.stringify(report)));
}

/** A history in which the case took so long at each of these commits. */
async function historyOf(levels: readonly (readonly [tag: string, level_ms: number])[]): Promise<string> {
  const path = join(project.repository, 'other-history.db');
  const history = await openStore(path);
  for (const [at, [tag, level_ms]] of levels.entries()) {
    const run = storedRunOf({ at, level_ms });
    const measurements = run.sides.head.measurements.map((one) => ({
      ...one,
      kernel: 'busy',
      commit: sha(tag),
    }));
    const sides = { head: { ...run.sides.head, measurements } };
    await history.put({ ...run, sides }, { commits: [{ ...commitOf(at), sha: sha(tag) }] });
  }
  await history.close();
  return path;
}

function answers(report: BisectReport): Record<string, string> {
  return Object.fromEntries(report.probes.map(({ commit, answer }) => [commit, answer]));
}

/** Many builds and measurements, on machines that have other work to do. */
const PATIENT = { timeout: 600_000 };

describe('bisect', PATIENT, () => {
  let whole: BisectReport;

  it('names the range that the guilty commit is in where its neighbour does not build, and says why', async () => {
    const notes: string[] = [];
    whole = await search({
      onProgress: (progress) => {
        if (progress.type === 'note') notes.push(progress.text);
      },
    });
    expect(whole).toMatchObject({
      outcome: 'range',
      case: { kernel: 'busy', case: 'small' },
      commits: 8,
      last_good: sha('a-little'),
      first_bad: sha('slow'),
      confirmation: { base: sha('a-little'), commit: sha('slow'), answer: 'bad' },
      prior: 'none',
    });
    expect(whole.suspects.map(({ subject }) => subject)).toEqual(['broken-before', 'slow']);
    expect(whole.ends!.answer).toBe('bad');
    expect(whole.threshold_pct).toBeGreaterThan(40);
    expect(answers(whole)[sha('broken-before')]).toBe('skipped');
    expect(whole.probes.find(({ commit }) => commit === sha('broken-before'))!.reason).toContain('doubbled');
    expect(notes.some((note) => note.includes('commits left'))).toBe(true);
    expect(project.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  });

  it('answers the same question from its journal, without measuring', async () => {
    const before = await readFile(whole.journal, 'utf8');
    const again = await search();
    expect(again.cost!.device_s).toBe(0);
    expect({ ...again, cost: undefined }).toEqual({ ...whole, cost: undefined });
    expect(await readFile(whole.journal, 'utf8')).toBe(before);
  });

  it('goes on behind what a killed process left of a line', async () => {
    const text = await readFile(whole.journal, 'utf8');
    const lines = text.trimEnd().split('\n');
    await rm(whole.journal);
    await appendFile(whole.journal, `${lines.slice(0, -1).join('\n')}\n${lines.at(-1)!.slice(0, 40)}`);
    const again = await search();
    expect(again).toMatchObject({ outcome: 'range', probes: whole.probes });
    expect(again.confirmation!.at).not.toBe(whole.confirmation!.at);
    expect((await search()).confirmation).toEqual(again.confirmation);
  });

  it('finds the one guilty commit, and first tries what history suspects', async () => {
    project.git('checkout', '--quiet', '--force', 'a-little');
    for (const [tag, turns] of [
      ['one', FAST + 300],
      ['two', FAST + 400],
      ['three', FAST + 500],
      ['guilty', SLOW + 500],
      ['five', SLOW + 600],
    ] as const) {
      await project.write('src/busy.cpp', busyKernel(turns));
      project.commit(tag);
    }
    const store = await historyOf([
      ['a-little', 1],
      ['one', 1.002],
      ['two', 0.999],
      ['three', 1.001],
      ['guilty', 3],
      ['five', 2.999],
    ]);
    const report = await search({ good: 'a-little', bad: 'five', store });
    expect(report).toMatchObject({ outcome: 'found', prior: 'history', last_good: sha('three') });
    expect(report.suspects.map(({ subject }) => subject)).toEqual(['guilty']);
    expect(answers(report)).toEqual({ [sha('three')]: 'good', [sha('guilty')]: 'bad' });
    expect(report.confirmation).toMatchObject({ base: sha('three'), commit: sha('guilty'), answer: 'bad' });
  });

  it('walks first parents, and says how to look into a merge', async () => {
    project.git('checkout', '--quiet', '--force', '-b', 'side', 'base');
    await project.write('src/busy.cpp', BROKEN);
    project.commit('side-broken');
    await project.write('src/busy.cpp', busyKernel(SLOW));
    project.commit('side-slow');
    project.git('checkout', '--quiet', '--force', '-b', 'line', 'base');
    await project.write('notes.txt', 'nothing\n');
    project.commit('notes');
    project.git('merge', '--quiet', '--no-ff', '--no-edit', 'side');
    project.git('tag', 'merged');
    const report = await search({ bad: 'merged' });
    expect(report).toMatchObject({ outcome: 'found', commits: 2, last_good: sha('notes') });
    expect(report.suspects).toMatchObject([
      { sha: sha('merged'), parents: [sha('notes'), sha('side-slow')] },
    ]);
    // The binaries of `notes` and of the base are the same.
    expect(report.probes).toMatchObject([{ commit: sha('notes'), answer: 'good', processes: [0, 0] }]);
    expect(report.notes.join(' ')).toMatch(
      new RegExp(
        `is a merge.*pawl bisect busy/small ${sha('base').slice(0, 10)} ${sha('side-slow').slice(0, 10)}`,
      ),
    );
  });

  it('has nothing to find between commits that are as fast as each other', async () => {
    const report = await search({ good: 'base', bad: 'comment' });
    expect(report).toMatchObject({ outcome: 'nothing', suspects: [], probes: [] });
  });

  it('stops when the budget is spent, and the same command goes on', async () => {
    const stopped = await search({ good: 'base', bad: 'guilty', budget_s: 0.001 });
    expect(stopped.outcome).toBe('stopped');
    expect(stopped.suspects.length).toBeGreaterThan(1);
    expect((await search({ good: 'base', bad: 'guilty' })).outcome).toBe('found');
  });

  it('refuses an end that cannot be measured, and names it', async () => {
    await expect(search({ bad: 'wrong' })).rejects.toMatchObject({
      kind: 'bad-data',
      message: expect.stringMatching(/^The bad end cannot be measured/),
    });
    await expect(search({ good: 'broken-before' })).rejects.toMatchObject({
      kind: 'bad-data',
      message: expect.stringMatching(/^The good end cannot be measured/),
    });
  });

  it('skips a commit whose pawl.yaml is of no use', async () => {
    project.git('checkout', '--quiet', '--force', 'three');
    await project.write('pawl.yaml', 'version: 7\n');
    project.commit('no-config');
    await project.write('pawl.yaml', config());
    await project.write('src/busy.cpp', busyKernel(SLOW + 700));
    project.commit('slow-again');
    project.git('checkout', '--quiet', '--force', 'base');
    const report = await search({ good: 'two', bad: 'slow-again' });
    expect(report).toMatchObject({ outcome: 'range', last_good: sha('three') });
    expect(report.probes.find(({ commit }) => commit === sha('no-config'))).toMatchObject({
      answer: 'skipped',
      reason: expect.stringContaining('pawl.yaml'),
    });
  });

  it.each([
    ['the same commit twice', { good: 'base', bad: 'base' }, /the same commit/],
    ['ends the wrong way round', { good: 'tip', bad: 'base' }, /not an ancestor/],
    ['what git does not know', { good: 'nowhere' }, /no commit "nowhere"/],
    ['a case that several kernels have', { case: 'small' }, /Several kernels .* busy, tuned/],
    ['a case that no kernel has', { case: 'huge' }, /No kernel/],
  ])('refuses %s', async (_, options, message) => {
    await expect(search(options)).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(message),
    });
  });
});
