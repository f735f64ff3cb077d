import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openStore } from '../../src/history/store/open-store.ts';
import { PawlError } from '../../src/model/pawl-error.ts';
import type { RunDetail } from '../../src/model/history/history-api.ts';
import { projectLibrary } from '../../src/learn/method/method-library.ts';
import { collectAnswers, type Answers } from '../../src/workflows/static-report/collect-answers.ts';
import { staticReport } from '../../src/workflows/static-report.ts';
import { MadeHistory, shaOf } from '../browser/dashboard-history.ts';
import { builtDashboard } from '../browser/dashboard-site.ts';

describe('pawl report --html', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-report-'));
  let files: string;
  const store = join(folder, 'history.db');
  const now = new Date();
  const run = { id: '' };

  beforeAll(async () => {
    files = await builtDashboard();
    const history = await openStore(store);
    await new MadeHistory(now).fill(history);
    run.id = (await history.runs({ commit: shaOf(59) })).items[0]!.id;
    await history.close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const dataOf = (html: string): { answers: Record<string, never> } =>
    JSON.parse(/id="pawl-data">(.*?)<\/script>/su.exec(html)![1]!);

  it('holds every case, the runs of its window and what a change is judged by', async () => {
    const html = join(folder, 'all.html');
    const report = await staticReport({ html, store, folder: files, now });
    expect(report).toMatchObject({ cases: 6, path: html });
    const { answers } = dataOf(readFileSync(html, 'utf8'));
    const names = Object.keys(answers);
    expect(names.filter((name) => name.startsWith('trend?'))).toHaveLength(6);
    expect(names.some((name) => name.startsWith('compare?'))).toBe(true);
    expect(names).toContain('studies/attention-1');
  });

  it('tells of runs that it has no room for what the changed cases need, and how much it leaves out', async () => {
    const history = await openStore(store);
    const window = { since: new Date(now.getTime() - 400 * 86_400_000), until: now };
    const answers = await collectAnswers(history, window, projectLibrary(undefined), { mostMeasurements: 1 });
    const whole = await collectAnswers(history, window, projectLibrary(undefined));
    await history.close();
    const runsOf = (all: Answers): RunDetail[] =>
      Object.entries(all).flatMap(([name, answer]) =>
        name.startsWith('runs/') ? [answer as RunDetail] : [],
      );
    const partial = runsOf(answers).filter(({ left_out }) => left_out !== undefined);
    expect(partial.length).toBeGreaterThan(0);
    for (const { run, measurements, left_out } of partial) {
      const all = runsOf(whole).find((one) => one.run.id === run.id)!.measurements;
      expect(measurements.length).toBeGreaterThan(0);
      expect(measurements.length + left_out!).toBe(all.length);
    }
    const compared = (all: Answers): string[] =>
      Object.keys(all).filter((name) => name.startsWith('compare?'));
    expect(compared(answers)).toEqual(compared(whole));
  });

  it('is about one run and the cases it measured where one is named', async () => {
    const html = join(folder, 'run.html');
    await staticReport({ html, store, folder: files, run: run.id.slice(0, 12), now });
    const { answers } = dataOf(readFileSync(html, 'utf8'));
    expect(answers['runs']).toMatchObject({ items: [{ id: run.id }] });
  });

  it('lets no text of the history end its data or become a tag', async () => {
    const html = join(folder, 'names.html');
    await staticReport({ html, store, folder: files, now });
    const text = readFileSync(html, 'utf8');
    expect(text).not.toContain('<script>alert(1)');
    expect(text.match(/<script/gu)).toHaveLength(2);
    expect(text).toMatch(/script-src 'sha256-[\w+/=]+'; style-src 'sha256-/u);
    expect(text).not.toMatch(/(?:src|href)="\.\/assets/u);
  });

  it('refuses a run that the store does not have, and a store that is not there', async () => {
    const html = join(folder, 'none.html');
    await expect(staticReport({ html, store, folder: files, run: 'ffffffffffff', now })).rejects.toThrow(
      /no run/u,
    );
    await expect(
      staticReport({ html, store: join(folder, 'absent.db'), folder: files, now }),
    ).rejects.toThrow(PawlError);
  });
});
