import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openStore } from '../../src/history/store/open-store.ts';
import { staticReport } from '../../src/workflows/static-report.ts';
import { commitOf, shaOf, storedRunOf, timeOf } from '../history/stored-run-of.ts';
import { Chromium, findChromium, type TabView } from './chromium.ts';
import { openDashboardSite, type DashboardSite } from './dashboard-site.ts';
import { DashboardTab } from './dashboard-tab.ts';

const path = findChromium();
if (path === undefined) console.warn('skipped: no Chromium here, and none could be installed');

const SHOTS = process.env['PAWL_SHOTS'];
const CASES = 2500;
const LONG = `batch_1_heads_32_${'sequence_length_131072_'.repeat(8)}causal`;

describe.skipIf(path === undefined)('a run of thousands of cases, one with a very long name', () => {
  let browser: Chromium;
  let site: DashboardSite;
  let run: string;

  beforeAll(async () => {
    const cases = [LONG, ...Array.from({ length: CASES - 1 }, (_, at) => `case_${at}`)];
    site = await openDashboardSite({
      fill: async (history) => {
        const stored = storedRunOf({ at: 1, cases, processes: 3, samples: 3, verdict: 'maintained' });
        await history.put(stored, { commits: [commitOf(1)] });
      },
    });
    const history = await openStore(site.store);
    run = (await history.runs()).items[0]!.id;
    await history.close();
    browser = new Chromium(path!);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  const open = (to: string, view?: TabView): Promise<DashboardTab> =>
    DashboardTab.open(browser, `${site.url}/#/${to}`, view);

  it('is shown by a few thousand nodes, and more rows come when asked for', async () => {
    const page = await open(`run/${run}`);
    expect(await page.tab.evaluate('document.querySelectorAll("*").length')).toBeLessThan(9000);
    // A hundred of each table, and the processes of the measurement that is open.
    expect(await page.count('tbody.keyed tr')).toBe(203);
    await page.click('button.more');
    await page.until('document.querySelectorAll("tbody.keyed tr").length === 603');
    await page.close();
    const asked = await open(`run/${run}?q=case_2049`);
    expect(await asked.count('tbody.keyed tr')).toBe(6);
    await asked.close();
  });

  it('of two commits is compared on a page of a few thousand nodes', async () => {
    const page = await open(`commits?a=${shaOf(0)}&b=${shaOf(1)}`);
    await page.until('document.querySelectorAll("tbody.keyed tr").length === 100');
    expect(await page.tab.evaluate('document.querySelectorAll("*").length')).toBeLessThan(6000);
    expect(await page.text('.attention')).toContain('maintained');
    await page.click('button.more');
    await page.until('document.querySelectorAll("tbody.keyed tr").length === 500');
    await page.close();
    const asked = await open(`commits?a=${shaOf(0)}&b=${shaOf(1)}&q=case_2049`);
    await asked.until('document.querySelectorAll("tbody.keyed tr").length === 1');
    await asked.close();
  });

  it.each([390, 1440, 2560])('keeps every column on the screen at %d px', async (width) => {
    for (const [name, to] of [
      ['run', `run/${run}?q=causal`],
      ['overview', '?since=all&q=causal'],
      ['commits', `commits?a=${shaOf(0)}&b=${shaOf(1)}&q=causal`],
    ] as const) {
      const page = await open(to, { width, height: 900 });
      await page.until('document.querySelectorAll("tbody.keyed tr").length > 0');
      if (SHOTS !== undefined) {
        mkdirSync(SHOTS, { recursive: true });
        writeFileSync(join(SHOTS, `long-${name}-${width}.png`), await page.tab.screenshot());
      }
      expect(await page.tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      const over = await page.tab.evaluate<number>(
        'Math.max(...[...document.querySelectorAll(".table")].map((box) => box.scrollWidth - box.clientWidth))',
      );
      expect(over).toBeLessThanOrEqual(1);
      await page.close();
    }
  });

  it('a report says which window it has', async () => {
    const html = join(site.folder, 'report.html');
    const now = timeOf(24 * 60);
    await staticReport({ html, store: site.store, folder: site.files, since: timeOf(0), now, run });
    const page = await DashboardTab.open(browser, `file://${html}#/`);
    expect(await page.text('main')).toContain('60 days, 2026-01-01 to 2026-03-02');
    expect(await page.text('main')).not.toContain('30 days');
    await page.close();
  });

  it('comes back by itself when the store does', async () => {
    const away = ['', '-wal', '-shm'].map(
      (end) => [`${site.store}${end}`, `${site.store}${end}.away`] as const,
    );
    const move = (isBack: boolean): void => {
      for (const [here, there] of away) {
        try {
          renameSync(isBack ? there : here, isBack ? here : there);
        } catch {
          // SQLite may have put the log away.
        }
      }
    };
    move(false);
    const page = await DashboardTab.open(browser, `${site.url}/#/runs`);
    try {
      await page.until('document.querySelector("[role=alert]") !== null || (location.reload(), false)');
    } finally {
      move(true);
    }
    await page.until('document.querySelectorAll("tbody.keyed tr").length === 1');
    await page.close();
  });
});
