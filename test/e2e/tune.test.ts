import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, describe, expect, it } from 'vitest';

import { studyRecordSchema, type StudyRecord } from '../../src/model/tune/study-record.ts';
import { studySchema } from '../../src/model/tune/study-report.ts';
import { variantText } from '../../src/model/problem/variant.ts';
import { nextBelow, Xoshiro128 } from '../../src/stats/index.ts';
import { tuneProject } from '../workflows/tune-project.ts';
import { pawl, startPawl } from './pawl-cli.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/** The journal's whole lines. */
async function records(folder: string): Promise<StudyRecord[]> {
  const studies = join(folder, '.pawl/studies');
  const [id] = await readdir(studies).catch(() => []);
  if (id === undefined) return [];
  const text = await readFile(join(studies, id, 'journal.jsonl'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => studyRecordSchema.parse(JSON.parse(line)));
}

const KILLS = 20;
/** When it kills. A failure says the seed, and PAWL_KILL_SEED repeats its moments as far as the machine does. */
const KILL_SEED = Number(process.env['PAWL_KILL_SEED'] ?? Date.now());
const TUNE = [
  'tune',
  'tuned',
  '--wait',
  '600',
  '--sampler',
  'exhaustive',
  '--confirm',
  '1',
  '--processes',
  '1',
];

describe('a study that is killed again and again', () => {
  it(
    'accounts for every trial exactly once, and ends with the answer of one that was left alone',
    { timeout: 900_000 },
    async ({ onTestFailed }) => {
      const folder = await tuneProject({
        work: '{ values: [1, 16, 32], default: 16 }',
        kind: '[0, 1, 3]',
        pad: '[0, 1, 2, 3, 4, 5, 6, 7]',
      });
      folders.push(folder);
      onTestFailed(() => console.error(`again with: PAWL_KILL_SEED=${KILL_SEED}`));
      const random = new Xoshiro128(KILL_SEED);
      let kills = 0;
      let moments = new Set<string>();
      while (kills < KILLS) {
        const begun = (await records(folder)).length;
        const run = startPawl(folder, ...TUNE, ...(begun > 0 ? ['--resume'] : []));
        const ended = once(run, 'exit');
        // From the moment it works on the study, a random while: into builds, checks, series, writes, confirmation.
        while ((await records(folder)).length <= begun && run.exitCode === null) await sleep(10);
        await sleep(nextBelow(random, 700));
        run.kill('SIGKILL');
        await ended;
        // The study may be over before the last kill: what is left then is to kill its end.
        expect(run.exitCode, run.text()).toSatisfy((code) => code === null || code === 0);
        kills += 1;
        moments.add((await records(folder)).at(-1)?.type ?? 'nothing');
      }
      const last = await pawl(folder, ...TUNE, '--resume', '--json', '--quiet', '--no-profile');
      expect(last.code, last.stderr).toBe(0);
      const study = studySchema.parse(JSON.parse(last.stdout));
      expect(study).toMatchObject({
        result: 'improved',
        ended_by: 'space',
        best: { variant: { WORK: 1, KIND: 0 } },
      });

      const all = await records(folder);
      expect(all.filter(({ type }) => type === 'session').length).toBe(KILLS + 1);
      const proposed = all.flatMap((record) => (record.type === 'trial' ? [record.trial] : []));
      const told = all.flatMap((record) => (record.type === 'outcome' ? [record.number] : []));
      expect(proposed.map(({ number }) => number)).toEqual(
        Array.from({ length: 72 }, (_, index) => index + 1),
      );
      expect(new Set(proposed.map(({ variant }) => variantText(variant))).size).toBe(72);
      expect(told.toSorted((one, other) => one - other)).toEqual(proposed.map(({ number }) => number));
      expect(study.trials.every(({ outcome }) => outcome !== undefined)).toBe(true);
      const unlooked = study.trials.filter(
        ({ variant, outcome }) => variant['KIND'] === 0 && outcome?.status === 'rejected',
      );
      expect(unlooked).toEqual([]);
      expect(study.rejections).toEqual({ build_failed: 24, numerics: 24 });
      // No confirmation twice, and the study's clock never runs backwards.
      const confirmed = all.flatMap((record) =>
        record.type === 'confirmation' ? [record.confirmation.trial] : [],
      );
      expect(new Set(confirmed).size).toBe(confirmed.length);
      const times = all.map(({ at_s }) => at_s);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      expect(moments.size).toBeGreaterThan(1);
    },
  );
});

describe('pawl tune', () => {
  it.each([
    [['tune'], 64, /No kernel given/],
    [['tune', 'tuned', '--sampler', 'magic', '--wait', '600'], 64, /there is no sampler/i],
    [['tune', 'nothing'], 64, /no kernel/],
    [['tune', 'tuned', '--case', 'huge'], 64, /no case/],
    [['tune', 'tuned', '--budget', 'soon'], 64, /Expected a time/],
    [['tune', 'tuned', '--resume'], 64, /There is no study of tuned small here/],
    [['tune', 'show', 'nothing'], 64, /There is no study "nothing"/],
    [['tune', 'apply'], 64, /There is no study/],
    [['tune', 'tuned', '--warm', 'pawl.yaml'], 65, /is not a study/],
  ])('answers %j with %i and a sentence', async (args, code, words) => {
    folders.push(await tuneProject());
    const run = await pawl(folders.at(-1)!, ...args);
    expect(run.stderr).toMatch(words);
    expect(run.code).toBe(code);
  });

  it('ends on Ctrl-C with what it has, shows it, and goes on from there', { timeout: 300_000 }, async () => {
    // Far apart: with one process per side, a neighbour on the machine easily hides a factor of two.
    const folder = await tuneProject({
      work: '{ values: [1, 16, 32], default: 16 }',
      pad: '[0, 1, 2, 3, 4, 5]',
    });
    folders.push(folder);
    const run = startPawl(folder, ...TUNE, '--quiet');
    const ended = once(run, 'exit');
    while ((await records(folder)).filter(({ type }) => type === 'outcome').length < 2) await sleep(20);
    run.kill('SIGINT');
    await ended;
    expect(run.exitCode, run.text()).toBe(2);
    const shown = await pawl(folder, 'tune', 'show', '--json');
    const study = studySchema.parse(JSON.parse(shown.stdout));
    expect(study).toMatchObject({ ended_by: 'interrupted', result: 'unconfirmed' });
    const more = await pawl(folder, ...TUNE, '--resume', study.id, '--apply', '--quiet', '--no-profile');
    expect(more.code, more.stderr).toBe(0);
    expect(more.stdout).toMatch(/A faster variant, confirmed/);
    expect(more.stdout).toMatch(/^\+.*WORK: .*default: 1 \}/m);
    expect(await readFile(join(folder, 'pawl.yaml'), 'utf8')).toMatch(/WORK: .*default: 1 \}/);
  });
});
