import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { EMPTY_BASELINE, type Baseline } from '../../src/model/judge/baseline.ts';
import { entryKey } from '../../src/ratchet/entry-key.ts';
import { addFirst, reset, restart } from '../../src/ratchet/operations.ts';
import { verifyHistory, type HistoryReport } from '../../src/ratchet/verify-history.ts';
import { waive } from '../../src/ratchet/waivers.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';
import { acceptedOf, AUDIT, textOf, twoEntries } from './accepted-of.ts';
import { GitProject } from './git-project.ts';

const FILE = 'perf/pawl-baseline.json';
const ONE = addFirst(EMPTY_BASELINE, acceptedOf(1, 1), AUDIT);
const TWO = twoEntries();
const THREE = addFirst(TWO, acceptedOf(3, 3, { case: 'long_4096' }), AUDIT);
const OTHER_TWO = addFirst(ONE, acceptedOf(4, 4, { case: 'short_64' }), AUDIT);

async function historyOf(...versions: readonly Baseline[]): Promise<GitProject> {
  const project = await GitProject.create();
  for (const version of versions) await project.commit(FILE, textOf(version));
  return project;
}

function breaksOf(report: HistoryReport) {
  if (report.state !== 'checked') throw new Error(report.state);
  return report.breaks;
}

describe('verifyHistory', () => {
  it('finds nothing where every log continues the one before', async () => {
    const project = await historyOf(ONE, TWO);
    await project.commit('README.md', 'another commit');
    await project.commit(FILE, textOf(THREE));
    expect(await verifyHistory(project.root, FILE)).toEqual({
      state: 'checked',
      commits: 3,
      shallow: false,
      breaks: [],
    });
  });

  it('finds an audited reset to be a continuation', async () => {
    const { measurement, samples } = acceptedOf(1, 1);
    const project = await historyOf(TWO, reset(TWO, entryKey(measurement, samples), 'new card', AUDIT));
    expect(breaksOf(await verifyHistory(project.root, FILE))).toEqual([]);
  });

  it('names the commit that put an older file back', async () => {
    const project = await historyOf(ONE, TWO, THREE);
    const commit = await project.commit(FILE, textOf(ONE));
    const breaks = breaksOf(await verifyHistory(project.root, FILE));
    expect(breaks).toMatchObject([{ commit, author: 'Grace' }]);
    expect(breaks[0]!.message).toBe(
      'the log was not continued: records 2 to 3 of it (first of attention/inference_1024; first of attention/long_4096) are gone',
    );
  });

  it('names the commit that began a new log, though its file is sound', async () => {
    const project = await historyOf(TWO);
    await project.commit(FILE, textOf(restart(TWO, '0'.repeat(64), 'the log was lost', AUDIT)));
    expect(breaksOf(await verifyHistory(project.root, FILE))).toHaveLength(1);
  });

  it('names a removal, and another log that comes after it', async () => {
    const project = await historyOf(TWO);
    await project.git('rm', '-q', FILE);
    await project.git('commit', '-q', '-m', 'remove');
    await project.commit(FILE, textOf(OTHER_TWO));
    expect(breaksOf(await verifyHistory(project.root, FILE)).map(({ message }) => message)).toEqual([
      'the baseline was removed',
      expect.stringContaining('record 2 of it (first of attention/inference_1024) is gone'),
    ]);
  });

  it('names a merge that takes the older file', async () => {
    const project = await historyOf(ONE);
    await project.git('checkout', '-q', '-b', 'feature');
    await project.commit('kernel.cu', 'code');
    await project.git('checkout', '-q', 'main');
    await project.commit(FILE, textOf(TWO));
    await project.git('merge', '-q', '--no-commit', '--no-ff', 'feature');
    const merge = await project.commit(FILE, textOf(ONE));
    expect(breaksOf(await verifyHistory(project.root, FILE))).toMatchObject([{ commit: merge }]);
  });

  it('finds nothing in a merge that makes one side’s records again after the other’s', async () => {
    const project = await historyOf(ONE);
    await project.git('checkout', '-q', '-b', 'feature');
    const request = { pattern: 'attention/*', reason: 'r', expires: '2026-03-20' };
    await project.commit(FILE, textOf(waive(ONE, request, AUDIT)));
    await project.git('checkout', '-q', 'main');
    await project.commit(FILE, textOf(TWO));
    await project.git('merge', '-q', '-s', 'ours', '--no-commit', 'feature');
    const later = { ...AUDIT, time: new Date('2026-03-02T00:00:00Z') };
    await project.commit(FILE, textOf(waive(TWO, request, later)));
    expect(breaksOf(await verifyHistory(project.root, FILE))).toEqual([]);
  });

  it('looks at what is not committed yet', async () => {
    const project = await historyOf(ONE, TWO);
    await project.write(FILE, textOf(ONE));
    expect(breaksOf(await verifyHistory(project.root, FILE))).toMatchObject([{ commit: 'worktree' }]);
    await rm(join(project.root, FILE));
    expect(breaksOf(await verifyHistory(project.root, FILE))).toMatchObject([
      { commit: 'worktree', message: 'the baseline was removed' },
    ]);
  });

  it('names a commit whose file cannot be read, and goes on with the log before it', async () => {
    const project = await historyOf(TWO);
    const commit = await project.commit(FILE, textOf(TWO).slice(0, 500));
    await project.commit(FILE, textOf(THREE));
    expect(breaksOf(await verifyHistory(project.root, FILE))).toMatchObject([
      { commit, message: expect.stringContaining('truncated') as string },
    ]);
  });

  it('says when there is no history to look at, or not all of it', async () => {
    expect(await verifyHistory(await temporaryFolder(), 'x.json')).toEqual({ state: 'no-repository' });
    const project = await historyOf(ONE, TWO);
    await project.write('new.json', textOf(ONE));
    expect(await verifyHistory(project.root, 'new.json')).toEqual({ state: 'not-committed' });
    const clone = await temporaryFolder();
    await project.git('clone', '-q', '--depth', '1', `file://${project.root}`, clone);
    expect(await verifyHistory(clone, FILE)).toMatchObject({ state: 'checked', commits: 1, shallow: true });
  });
});
