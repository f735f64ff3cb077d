/**
 * The pictures in docs/dashboard.md: their pages as a reader sees them on a screen of 1280 pixels.
 * `PAWL_SHOTS=docs/images npx vitest run test/browser/docs-pictures.test.ts` takes them again.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { packageRoot } from '../../src/build/package-root.ts';
import { openStore } from '../../src/history/store/open-store.ts';
import { Chromium, findChromium } from './chromium.ts';
import { shaOf } from './dashboard-history.ts';
import { openDashboardSite, type DashboardSite } from './dashboard-site.ts';
import { DashboardTab } from './dashboard-tab.ts';
import { OVERLAPPING_TEXT } from './legibility.ts';

const path = findChromium();
if (path === undefined) console.warn('skipped: no Chromium here, and none could be installed');

const SHOTS = process.env['PAWL_SHOTS'];

interface Picture {
  readonly place: (site: DashboardSite, key: string) => string;
  /** There once the page shows what the picture is of. */
  readonly until: string;
  /** What the picture is of, where it is not the first screen. */
  readonly part?: string;
}

const PICTURES: Readonly<Record<string, Picture>> = {
  overview: {
    place: () => '',
    until: 'document.querySelector("td[data-name=attention]")?.closest("tbody").innerText.includes("creep")',
  },
  compare: {
    place: (_, key) => `case/${key}?a=${shaOf(39)}&b=${shaOf(40)}`,
    until: 'document.querySelector(".judged .chip") && document.querySelector(".compare svg")',
  },
  roofline: {
    place: (_, key) => `case/${key}`,
    until: 'document.querySelector(".roofline svg")',
    part: '.roofline',
  },
  commits: {
    place: () => `commits?a=${shaOf(20)}&b=${shaOf(59)}`,
    until: 'document.querySelector("svg.figure") && document.querySelector(".commit .subject")',
  },
  changed: {
    place: ({ made: { profiles } }) => `profile/${profiles[1]}?with=${profiles[0]}`,
    until: 'document.querySelector(".what-changed table")',
  },
  study: { place: () => 'study/attention-1', until: 'document.querySelector(".strand")' },
  checklist: { place: () => 'checklist?view=tree', until: 'document.querySelector("main svg")' },
};

it('are those that docs/dashboard.md shows', () => {
  const page = readFileSync(join(packageRoot(), 'docs', 'dashboard.md'), 'utf8');
  const shown = [...page.matchAll(/\(images\/dashboard-([\w-]+)\.png\)/gu)].map(([, name]) => name!);
  expect(shown.toSorted()).toEqual(Object.keys(PICTURES).toSorted());
});

describe.skipIf(path === undefined)('the pictures of the docs', () => {
  let browser: Chromium;
  let site: DashboardSite;
  let key: string;

  beforeAll(async () => {
    site = await openDashboardSite();
    const history = await openStore(site.store);
    key = (await history.keys({ kernel: 'attention', case: 'long' }))[0]!.id;
    await history.close();
    browser = new Chromium(path!);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  it.each(Object.entries(PICTURES))('%s: no text covers another', async (name, { place, until, part }) => {
    // 15 pixels are the bar that pages are scrolled with; what is below the first screen is drawn too.
    const view = { width: 1280, height: 1080 } as const;
    const page = await DashboardTab.open(browser, `${site.url}/#/${place(site, key)}`, view);
    await page.until(until);
    expect(await page.tab.evaluate(OVERLAPPING_TEXT)).toEqual([]);
    if (SHOTS !== undefined) {
      const box = await page.tab.evaluate<{ x: number; y: number; width: number; height: number }>(
        part === undefined
          ? '({ x: 0, y: 0, width: 1265, height: 1080 })'
          : `document.querySelector(${JSON.stringify(part)}).getBoundingClientRect().toJSON()`,
      );
      const clip = { x: box.x, y: box.y, width: box.width, height: box.height, scale: part ? 1 : 0.8 };
      const asked = { format: 'png', captureBeyondViewport: true, clip };
      const { data } = await page.tab.send('Page.captureScreenshot', asked);
      mkdirSync(SHOTS, { recursive: true });
      writeFileSync(join(SHOTS, `dashboard-${name}.png`), Buffer.from(data as string, 'base64'));
    }
    await page.close();
  });
});
