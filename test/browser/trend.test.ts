import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openStore } from '../../src/history/store/open-store.ts';
import { fillSeries, SERIES } from '../history/one-series.ts';
import { shaOf } from '../history/stored-run-of.ts';
import { Chromium, findChromium, type TabView } from './chromium.ts';
import { openDashboardSite, type DashboardSite } from './dashboard-site.ts';
import { DashboardTab } from './dashboard-tab.ts';

const path = findChromium();
if (path === undefined) console.warn('skipped: no Chromium here, and none could be installed');

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SHOTS = process.env['PAWL_SHOTS'];

describe.skipIf(path === undefined)('a trend with a new driver, a tuned default and a regression', () => {
  let browser: Chromium;
  let site: DashboardSite;
  let place: string;

  beforeAll(async () => {
    site = await openDashboardSite({ fill: fillSeries });
    const history = await openStore(site.store);
    const keys = await history.keys();
    await history.close();
    expect(keys).toHaveLength(1);
    place = `case/${keys[0]!.id}`;
    browser = new Chromium(path!);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  const open = (to: string, view?: TabView): Promise<DashboardTab> =>
    DashboardTab.open(browser, `${site.url}/#/${to}`, view);

  it('is one row of the overview, which says that the newest point is slower', async () => {
    const page = await open('?since=all');
    await page.until('document.querySelectorAll("tbody.keyed")[0].querySelectorAll("tr").length === 1');
    const row = await page.text('tbody.keyed tr');
    expect(row).toContain('unconfirmed');
    expect(row).toMatch(/−2[01]\.\d %/u);
    expect(row).toContain('newest, at');
    await page.close();
  });

  it('names what changed with each step, the marks, and the newest point', async () => {
    const page = await open(place);
    const text = await page.text('main');
    expect(text).toMatch(/The newest point, .* is 2[01]\.\d % slower than .*one point, not confirmed/u);
    expect(text).toContain('driver 580.65 → 590.10');
    expect(text).toContain('default BLOCK_M=64 → BLOCK_M=128');
    expect(text).toContain('compiler nvcc 13.0 → nvcc 13.1');
    expect(text).toContain('waived');
    expect(text).toMatch(/Lines: baseline 50/u);
    expect(await page.count('table')).toBe(3);
    await page.close();
  });

  it('keeps its zoom in the address, and shows what an address says', async () => {
    const page = await open(place);
    const drag = async (from: number, to: number): Promise<void> => {
      const [left, top, width, height] = await page.tab.evaluate<number[]>(
        '(({ x, y, width, height }) => [x, y, width, height])(document.querySelector(".u-over").getBoundingClientRect())',
      );
      const at = (share: number) => ({ x: left! + width! * share, y: top! + height! / 2 });
      const mouse = (type: string, share: number, more: object = {}) =>
        page.tab.send('Input.dispatchMouseEvent', { type, ...at(share), ...more });
      await mouse('mouseMoved', from);
      await mouse('mousePressed', from, { button: 'left', clickCount: 1 });
      await mouse('mouseMoved', (from + to) / 2, { button: 'left', buttons: 1 });
      await mouse('mouseMoved', to, { button: 'left', buttons: 1 });
      await mouse('mouseReleased', to, { button: 'left', clickCount: 1 });
    };
    await drag(0.4, 0.6);
    await page.until('location.hash.includes("from=") && location.hash.includes("to=")');
    const query = new URLSearchParams((await page.hash()).split('?')[1]);
    const [from, to] = [query.get('from'), query.get('to')].map((sha) => Number.parseInt(sha ?? '', 16));
    expect(from).toBeGreaterThan(40);
    expect(to).toBeLessThan(80);
    expect(query.has('a')).toBe(false);
    const picture = () =>
      page.tab.evaluate<string>('document.querySelector(".plot canvas").toDataURL().slice(-4000)');
    const zoomed = await picture();
    await page.close();
    const again = await open(`${place}?from=${shaOf(from!)}&to=${shaOf(to!)}`);
    await again.until('document.querySelector(".plot canvas") !== null');
    const shown = await again.tab.evaluate<string>(
      'new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(document.querySelector(".plot canvas").toDataURL().slice(-4000)), 200)))',
    );
    expect(shown).toBe(zoomed);
    await again.close();
  });

  describe.each(['light', 'dark'] as const)('in the %s', (scheme) => {
    it.each([390, 1440, 2560])(
      'has nothing that axe objects to at %d px, and no sideways scrolling',
      async (width) => {
        for (const [name, to] of [
          ['overview', '?since=all'],
          ['case', place],
          ['compared', `${place}?a=${shaOf(SERIES.tuned - 1)}&b=${shaOf(SERIES.tuned)}`],
        ] as const) {
          const page = await open(to, { scheme, width, height: 900 });
          if (name === 'compared') await page.until('document.querySelector(".compare svg") !== null');
          await page.tab.evaluate(`${AXE}; undefined`);
          const violations = await page.tab.evaluate<unknown[]>(
            `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`,
          );
          if (SHOTS !== undefined) {
            mkdirSync(SHOTS, { recursive: true });
            writeFileSync(join(SHOTS, `trend-${name}-${scheme}-${width}.png`), await page.tab.screenshot());
          }
          expect(violations).toEqual([]);
          expect(await page.tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
          await page.close();
        }
      },
    );
  });
});
