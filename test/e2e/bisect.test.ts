import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { bisectReportSchema } from '../../src/model/reports/bisect-report.ts';
import { trendReportSchema } from '../../src/model/history/history.ts';
import { busyKernel, CompareProject } from '../workflows/compare-project.ts';
import { pawl, startPawl } from './pawl-cli.ts';

const FAST = 20_000;
const SLOW = 60_000;

let project: CompareProject;

beforeAll(async () => {
  project = await CompareProject.create();
  const line: readonly (readonly [string, string])[] = [
    ['one', busyKernel(FAST + 100)],
    ['broken', busyKernel(FAST).replace('doubled(call)', 'doubbled(call)')],
    ['three', busyKernel(FAST + 300)],
    ['guilty', busyKernel(SLOW)],
    ['five', busyKernel(SLOW + 500)],
  ];
  for (const [tag, kernel] of line) {
    await project.write('src/busy.cpp', kernel);
    project.commit(tag);
  }
});
afterAll(() => rm(project.repository, { recursive: true, force: true }));

function bisect(...args: readonly string[]) {
  return pawl(project.folder, 'bisect', 'busy/small', ...args, '--wait', '600');
}

/** Many builds and measurements, on machines that have other work to do. */
const PATIENT = { timeout: 600_000 };

describe('pawl bisect', PATIENT, () => {
  it('goes on after it was killed, and names the guilty commit in words and in JSON', async () => {
    const killed = startPawl(project.folder, 'bisect', 'busy/small', 'base', 'five', '--wait', '600');
    const ended = once(killed, 'exit');
    // Once it says that a commit was tried, the journal holds it.
    while (killed.exitCode === null && !/bisect: [0-9a-f]{10} is /.test(killed.text())) {
      await new Promise((done) => setTimeout(done, 20));
    }
    killed.kill('SIGKILL');
    await ended;
    expect(await readdir(join(project.folder, '.pawl', 'bisect'))).toHaveLength(1);

    const found = await bisect('base', 'five');
    expect(found.stderr).toContain('resuming');
    expect(found.stdout).toContain('This commit made it slower');
    expect(found.stdout).toMatch(/✗ [0-9a-f]{10} {2}guilty/);
    expect(found.code).toBe(0);

    const again = await bisect('base', 'five', '--json');
    const report = bisectReportSchema.parse(JSON.parse(again.stdout));
    expect(again.code).toBe(0);
    expect(report).toMatchObject({ outcome: 'found', suspects: [{ subject: 'guilty' }] });
  });

  it('leaves what it measured in the trend of the case', async () => {
    const { stdout, code } = await pawl(project.folder, 'trend', 'busy/small', '--json');
    expect(code).toBe(0);
    const { trends } = trendReportSchema.parse(JSON.parse(stdout));
    const guilty = project.git('rev-parse', 'guilty').trim();
    expect(trends.flatMap(({ points }) => points.map(({ commit }) => commit))).toContain(guilty);
  });

  it('ends with 2 where there is nothing to find, and with 64 where the question makes no sense', async () => {
    await project.write('notes.txt', 'nothing\n');
    project.commit('notes');
    const nothing = await bisect('five', 'notes');
    expect(nothing.stdout).toContain('No slowdown');
    expect(nothing.code).toBe(2);
    expect((await bisect('five', 'base')).code).toBe(64);
    expect((await bisect('five')).code).toBe(64);
  });
});
