import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openStore } from '../../src/history/store/open-store.ts';
import { staticReport } from '../../src/workflows/static-report.ts';
import { Chromium, findChromium } from './chromium.ts';
import { MadeHistory, shaOf } from './dashboard-history.ts';
import { builtDashboard } from './dashboard-site.ts';
import { madeSessions } from './dashboard-sessions.ts';
import { DashboardTab } from './dashboard-tab.ts';

const path = findChromium();
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe.skipIf(path === undefined)('a report that was opened as a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-report-page-'));
  const html = join(folder, 'report.html');
  const url = pathToFileURL(html).href;
  const long = { id: '' };
  let browser: Chromium;

  beforeAll(async () => {
    const store = join(folder, 'history.db');
    const history = await openStore(store);
    const now = new Date();
    await new MadeHistory(now).fill(history);
    long.id = (await history.keys({ kernel: 'attention', case: 'long' }))[0]!.id;
    await history.close();
    await staticReport({ html, store, folder: await builtDashboard(), now });
    browser = new Chromium(path!);
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    '',
    'runs',
    'studies',
    'profiles',
    'devices',
    'sessions',
    'checklist',
    'checklist?view=tree',
    `session/${madeSessions().ended.id}`,
    'lessons',
  ])('shows "%s" without a server, a complaint, or anything fetched', async (place) => {
    const page = await DashboardTab.open(browser, `${url}#/${place}`);
    await page.tab.evaluate(`${AXE}; undefined`);
    const violations = await page.tab.evaluate<string[]>(
      "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id }) => id))",
    );
    expect(violations).toEqual([]);
    expect(page.tab.complaints).toEqual([]);
    expect(page.tab.fetched.filter((one) => !one.startsWith(url) && !one.startsWith('data:'))).toEqual([]);
    expect(await page.count('[role=alert]')).toBe(0);
    await page.close();
  });

  it('has the trend of a case, and the verdict on both sides of its change', async () => {
    const page = await DashboardTab.open(browser, `${url}#/case/${long.id}`);
    await page.until('document.querySelector("td[data-name=look] button") !== null');
    await page.click('td[data-name=look] button');
    await page.until('document.querySelector(".judged .chip") !== null');
    expect(await page.text('.judged')).toContain('regressed');
    await page.until('document.querySelector(".compare svg") !== null');
    await page.close();
  });

  it('says so where it was asked for what it does not hold, and still compares levels', async () => {
    const page = await DashboardTab.open(browser, `${url}#/case/${long.id}?a=${shaOf(2)}&b=${shaOf(50)}`);
    await page.until('document.querySelector(".judged")?.innerText.includes("not a verdict")');
    expect(await page.text('.judged')).toMatch(/−12\.\d %/u);
    await page.close();
    const missing = await DashboardTab.open(browser, `${url}#/run/0123456789ab`);
    expect(await missing.text('[role=alert]')).toContain('pawl serve');
    await missing.close();
  });
});
