import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { renderProfilePage } from '../../src/report/html/profile-page.tsx';
import { renderProfilePicture } from '../../src/report/svg/profile-picture.tsx';
import { pictureToPng } from '../../src/workflows/runs/profile/picture-to-png.ts';
import { comparedPage, detailsPage, pageOf } from '../report/profile-pages.ts';
import { Chromium, findChromium } from './chromium.ts';
import { FAINT_TEXT, OVERLAPPING_TEXT } from './legibility.ts';

const path = findChromium();
if (path === undefined) console.warn('skipped: no Chromium here, and none could be installed');

const PAGES = {
  changed: comparedPage('copy_ok', 'bank_conflict_transpose'),
  faster: comparedPage('sdpa_flash', 'attention'),
  slow: pageOf('pointer_chase'),
  healthy: pageOf('copy_ok'),
  matrix: pageOf('sdpa_flash'),
  tail: pageOf('tail_wave'),
  unknown: detailsPage('bank_conflict_transpose'),
} as const;
type PageName = keyof typeof PAGES;
const NAMES = Object.keys(PAGES) as readonly PageName[];

describe.skipIf(path === undefined)('a profile in a real browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-profile-page-'));
  const urlOf = (name: PageName, ending: 'html' | 'svg'): string =>
    pathToFileURL(join(folder, `${name}.${ending}`)).href;
  let browser: Chromium;

  beforeAll(() => {
    for (const name of NAMES) {
      writeFileSync(join(folder, `${name}.html`), renderProfilePage([PAGES[name]]));
      writeFileSync(join(folder, `${name}.svg`), renderProfilePicture(PAGES[name]));
    }
    browser = new Chromium(path!);
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(NAMES)('opens the page of %s without a complaint and without fetching anything', async (name) => {
    const tab = await browser.open(urlOf(name, 'html'));
    expect(tab.complaints).toEqual([]);
    expect(tab.fetched.filter((url) => !url.startsWith('data:'))).toEqual([urlOf(name, 'html')]);
    expect(await tab.evaluate('document.querySelector("h1").textContent.length')).toBeGreaterThan(0);
    expect(await tab.evaluate('document.querySelectorAll(".panels svg").length')).toBe(4);
  });

  it.each(NAMES)('shows %s on a telephone without scrolling sideways', async (name) => {
    const tab = await browser.open(urlOf(name, 'html'), { width: 360, height: 740 });
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(360);
    const wide = await tab.evaluate<string[]>(
      '[...document.querySelectorAll(".table")].filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.className)',
    );
    expect(wide).toEqual([]);
    const letters = await tab.evaluate<number>(`Math.min(
      ...[...document.querySelectorAll('.panels svg text')].map((text) => {
        const { a, b } = text.getScreenCTM();
        return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b);
      }),
    )`);
    expect(letters).toBeGreaterThan(8);
  });

  it.each(['light', 'dark'] as const)('has no text that is hard to read in the %s', async (scheme) => {
    for (const name of NAMES) {
      const tab = await browser.open(urlOf(name, 'html'), { scheme });
      expect(await tab.evaluate(FAINT_TEXT), `${name}, page`).toEqual([]);
      const picture = await browser.open(urlOf(name, 'svg'), { scheme });
      expect(await picture.evaluate(FAINT_TEXT), `${name}, picture`).toEqual([]);
    }
  });

  it('is dark where the reader’s system is, but not on paper', async () => {
    const background = 'getComputedStyle(document.querySelector(".panel")).backgroundColor';
    const screen = await browser.open(urlOf('changed', 'html'), { scheme: 'dark' });
    expect(await screen.evaluate(background)).toBe('rgb(27, 31, 35)');
    const paper = await browser.open(urlOf('changed', 'html'), { scheme: 'dark', media: 'print' });
    expect(await paper.evaluate(background)).toBe('rgb(255, 255, 255)');
  });

  it.each(NAMES)('prints the whole picture part of %s on the first page', async (name) => {
    const tab = await browser.open(urlOf(name, 'html'));
    const pdf = (await tab.pdf()).toString('latin1');
    // A tagged PDF says of every figure on which page it is; the first of the document's pages is the first kid.
    const first = /\/Kids \[(\d+) 0 R/u.exec(pdf)?.[1];
    const pages = [...pdf.matchAll(/\/S \/Figure\s+\/Alt[^]*?\/Pg (\d+) 0 R/gu)].map((match) => match[1]);
    expect(pages).toEqual([first, first, first, first]);
  });

  it.each(NAMES)('draws the picture of %s within its frame, and no text over another', async (name) => {
    const tab = await browser.open(urlOf(name, 'svg'), { width: 960, height: 1200 });
    expect(tab.complaints).toEqual([]);
    expect(await tab.evaluate('document.documentElement.tagName')).toBe('svg');
    const outside = await tab.evaluate<string[]>(`[...document.querySelectorAll('text')].filter((text) => {
      const [box, frame] = [text.getBoundingClientRect(), document.documentElement.getBoundingClientRect()];
      return box.left < frame.left || box.right > frame.right || box.top < frame.top || box.bottom > frame.bottom;
    }).map((text) => text.textContent)`);
    expect(outside).toEqual([]);
    expect(await tab.evaluate(OVERLAPPING_TEXT)).toEqual([]);
  });

  it('makes a PNG of the picture, twice as sharp', async () => {
    const out = join(folder, 'changed.png');
    await pictureToPng(renderProfilePicture(PAGES.changed), out, {
      env: { ...process.env, PAWL_BROWSER: path },
    });
    const png = readFileSync(out);
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBe(2 * 936);
  });
});

it('says what to do where there is no browser for a PNG', async () => {
  const drawn = pictureToPng('<svg width="1" height="1"/>', '/nowhere/a.png', { env: { PATH: '/nowhere' } });
  await expect(drawn).rejects.toMatchObject({ kind: 'unavailable', hint: expect.stringContaining('.svg') });
});
