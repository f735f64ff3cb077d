import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { benchReport } from '../../src/report/bench-report.ts';
import { renderBenchHtml } from '../../src/report/html/bench-html.tsx';
import { renderComparisonHtml } from '../../src/report/html/comparison-html.tsx';
import { renderFuzzHtml } from '../../src/report/html/fuzz-html.tsx';
import { renderRaceHtml } from '../../src/report/html/race-html.tsx';
import { renderStudyHtml } from '../../src/report/html/study-html.tsx';
import { openStore } from '../../src/history/store/open-store.ts';
import { trend } from '../../src/workflows/trend.ts';
import { fillSeries } from '../history/one-series.ts';
import { checkedRun, comparedRun } from '../report/comparison-run.ts';
import { fuzzRun } from '../report/fuzz-run.ts';
import { raceRun } from '../report/race-run.ts';
import { sampleRun } from '../report/sample-run.ts';
import { studyOf } from '../report/study-of.ts';
import { Chromium, findChromium } from './chromium.ts';

const path = findChromium();
if (path === undefined) console.warn('skipped: no Chromium here, and none could be installed');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SHOTS = process.env['PAWL_SHOTS'];

const samples = comparedRun();
const PAGES = {
  bench: renderBenchHtml(benchReport(sampleRun(), { cv_pct: 5, temperature_c: 85 }), sampleRun()),
  comparison: renderComparisonHtml(checkedRun(samples), samples),
  fuzz: renderFuzzHtml(fuzzRun()),
  race: renderRaceHtml(raceRun()),
  study: renderStudyHtml(studyOf({ 1: 3, 2: 2, 4: 2.5, 8: 2.2, 16: 2.9, 32: 9 })),
} as const;
/** The trend's is written by its command's own function, from a store. */
const NAMES = [...(Object.keys(PAGES) as readonly (keyof typeof PAGES)[]), 'trend'];

/** What a reader would have to scroll sideways, or cannot see at all on paper. Pictures keep their own shape. */
const SIDEWAYS = `[document.documentElement, ...document.querySelectorAll('main *:not(svg *)')]
  .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0 && getComputedStyle(part).display !== 'inline')
  .map((part) => part.tagName + '.' + part.className + ' ' + part.scrollWidth + ' > ' + part.clientWidth)`;

describe.skipIf(path === undefined)('reports in one file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-one-file-'));
  const urlOf = (name: string): string => pathToFileURL(join(folder, `${name}.html`)).href;
  let browser: Chromium;

  beforeAll(async () => {
    for (const [name, page] of Object.entries(PAGES)) writeFileSync(join(folder, `${name}.html`), page);
    const store = join(folder, 'history.db');
    const history = await openStore(store);
    await fillSeries(history);
    await history.close();
    await trend({ store, out: join(folder, 'trend.html') });
    browser = new Chromium(path!);
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  describe.each(['light', 'dark'] as const)('in the %s', (scheme) => {
    it.each(NAMES)('%s has nothing that axe objects to', async (name) => {
      const tab = await browser.open(urlOf(name), { scheme, width: 1280 });
      // The page's own policy forbids scripts; an expression of the debugger is none.
      await tab.evaluate(`${AXE}; undefined`);
      const violations = await tab.evaluate<unknown[]>(
        `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
          violations.map(({ id, nodes }) => ({ id, nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => html.slice(0, 200) + ' ' + failureSummary) })))`,
      );
      expect(violations).toEqual([]);
    });
  });

  describe.each([390, 1440, 2560])('%i px wide', (width) => {
    it.each(NAMES)('%s needs no scrolling sideways', async (name) => {
      const tab = await browser.open(urlOf(name), { width, height: 800 });
      if (SHOTS !== undefined) {
        mkdirSync(SHOTS, { recursive: true });
        writeFileSync(join(SHOTS, `report-${name}-${width}.png`), await tab.screenshot());
      }
      expect(await tab.evaluate(SIDEWAYS)).toEqual([]);
    });
  });

  it.each(NAMES)('%s loses no column on paper', async (name) => {
    // A4 across, within its margins: 297 mm less twice 12 mm, at 96 px an inch.
    const tab = await browser.open(urlOf(name), { width: 1031, height: 700, media: 'print' });
    if (SHOTS !== undefined) writeFileSync(join(SHOTS, `report-${name}-paper.png`), await tab.screenshot());
    expect(await tab.evaluate(SIDEWAYS)).toEqual([]);
    const pdf = (await tab.pdf()).toString('latin1');
    expect(pdf).toMatch(/\/MediaBox \[0 0 84\d/u);
  });
});
