import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openStore } from '../../src/history/store/open-store.ts';
import { trendReportSchema, type TrendReport } from '../../src/model/history/history.ts';
import { renderTrendTerminal } from '../../src/report/terminal/trend-terminal.ts';
import { trend, type TrendOptions } from '../../src/workflows/trend.ts';
import { commitOf, shaOf, storedRunOf, timeOf } from '../history/stored-run-of.ts';

let folder: string;
let store: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-trend-'));
  store = join(folder, 'history.db');
  const history = await openStore(store);
  for (let at = 0; at < 40; at++) {
    const slow = at >= 25 ? 1.1 : 1;
    const bad = at === 9 ? 1.4 : 1;
    const run = storedRunOf({ at, level_ms: 0.05 * slow * bad });
    const other = storedRunOf({ at, level_ms: 0.2, cases: ['large'] });
    const measurements = [...run.sides.head.measurements, ...other.sides.head.measurements];
    const commit = { ...commitOf(at), subject: `<b>change</b> ${at}` };
    await history.put(
      { ...run, sides: { head: { ...run.sides.head, measurements } } },
      { commits: [commit] },
    );
  }
  await history.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function look(options: TrendOptions = {}): Promise<TrendReport> {
  return trendReportSchema.parse(JSON.parse(JSON.stringify(await trend({ store, ...options }))));
}

describe('trend', () => {
  it('shows every case with its change, the commit and its subject, and the devices', async () => {
    const report = await look();
    expect(report.trends.map(({ key, changes }) => [key.case, changes.length])).toEqual([
      ['large', 0],
      ['small', 1],
    ]);
    const text = renderTrendTerminal(report, { color: false, columns: 110 });
    expect(text).toMatch(/✗ step {3}−\d+\.\d % \(.*\) {2}0{10} {2}<b>change<\/b> 25/);
    expect(text).toMatch(/attention\/small .*\n.*▁+█▁+█+ .*40 commits.*\n +\^/);
    expect(text).toMatch(/attention\/small  on bench-1 · cold/);
    expect(text).toContain('NVIDIA H200 on bench-1: processes differ by');
    expect(report.commits.map(({ sha }) => sha).sort()).toEqual([shaOf(24), shaOf(25)]);
  });

  it('takes kernels, cases or both, and says what it does not know', async () => {
    expect((await look({ names: ['small'] })).trends).toHaveLength(1);
    expect((await look({ names: ['attention'] })).trends).toHaveLength(2);
    expect((await look({ names: ['attention/large', 'small'] })).trends).toHaveLength(2);
    expect((await look({ mode: 'hot' })).trends).toEqual([]);
    expect((await look({ device: 'h200' })).trends).toHaveLength(2);
    await expect(look({ names: ['smal'] })).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('did you mean `small`'),
    });
  });

  it('leaves out what lies before the window', async () => {
    const report = await look({ names: ['small'], since: timeOf(30) });
    expect(report.trends[0]!.points).toHaveLength(10);
    expect(report.trends[0]!.changes).toEqual([]);
    const none = await look({ since: timeOf(5000) });
    expect(renderTrendTerminal(none, { color: false, columns: 100 })).toContain('no measurement since');
  });

  it('draws a page and a picture in which nothing of a subject is markup', async () => {
    for (const name of ['trend.html', 'trend.svg']) {
      const report = await look({ out: join(folder, name) });
      const text = await readFile(report.files['picture']!, 'utf8');
      expect(text).toContain('attention/small');
      expect(text).toContain('−10');
      expect(text).not.toContain('<b>change</b>');
      expect(text).not.toMatch(/NaN|undefined|Infinity/);
    }
    await expect(look({ out: join(folder, 'trend.png') })).rejects.toMatchObject({ kind: 'usage' });
  });

  it('says how to fill a history that is empty', async () => {
    const report = await trend({ store: join(folder, 'empty.db') });
    expect(renderTrendTerminal(report, { color: false, columns: 100 })).toContain('pawl history import');
  });
});
