import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { CiRun } from '../../src/model/reports/ci-run.ts';
import { renderCiComment } from '../../src/report/markdown/ci-comment.ts';
import { COMMENT_RUNS } from '../ci/comment-runs.ts';
import { ciRun, failedRun } from '../ci/ci-runs.ts';
import { findCmarkGfm } from '../report/cmark-gfm.ts';
import { aptInstall } from '../services/apt-install.ts';
import { Chromium, findChromium } from './chromium.ts';
import { COMMENT_WIDTH, githubPage } from './github-page.ts';

const path = findChromium();
const renderer = findCmarkGfm();
// Such letters are pictures on GitHub; without the font they are empty boxes.
if (process.env['PAWL_SHOTS'] !== undefined) aptInstall('fonts-noto-color-emoji');
if (path === undefined) console.warn('skipped: no Chromium here, and none could be installed');
if (renderer === undefined) console.warn('skipped: no cmark-gfm here, and it could not be installed');

const LINKS = {
  run: 'https://github.com/acme/kernels/actions/runs/99',
  artifacts: 'https://github.com/acme/kernels/actions/runs/99#artifacts',
  files: 'https://github.com/acme/kernels/blob',
};

/** With `PAWL_SHOTS=docs/images`, the first five are kept as `comment-NAME.png` for docs/ci.md. */
const SHOTS = process.env['PAWL_SHOTS'];
const RUNS: Readonly<Record<string, CiRun>> = {
  ...COMMENT_RUNS,
  everything: ciRun(),
  failed: failedRun('pawl.yaml is wrong\nat line 3'),
};
const NAMES = Object.keys(RUNS);

describe.skipIf(path === undefined || renderer === undefined)('the comment as GitHub shows it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-comment-'));
  const urlOf = (name: string): string => pathToFileURL(join(folder, `${name}.html`)).href;
  let browser: Chromium;

  beforeAll(() => {
    for (const name of NAMES) {
      const comment = renderCiComment(RUNS[name]!, LINKS, { key: 'default' });
      writeFileSync(join(folder, `${name}.html`), githubPage(renderer!, comment));
    }
    browser = new Chromium(path!);
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(NAMES)('of %s needs no scrolling sideways, folded parts included', async (name) => {
    const tab = await browser.open(urlOf(name), { width: COMMENT_WIDTH, height: 400 });
    const scrolling = `[...document.querySelectorAll('.comment, .comment *')]
      .filter((part) => part.scrollWidth > part.clientWidth && part.clientWidth > 0 && getComputedStyle(part).display !== 'inline')
      .map((part) => part.tagName + ': ' + part.textContent.slice(0, 80))`;
    expect(await tab.evaluate(scrolling)).toEqual([]);
    if (SHOTS !== undefined && name in COMMENT_RUNS) {
      mkdirSync(SHOTS, { recursive: true });
      const height = Math.ceil(
        await tab.evaluate<number>('document.querySelector(".comment").getBoundingClientRect().height'),
      );
      const shot = await browser.open(urlOf(name), { width: COMMENT_WIDTH, height });
      writeFileSync(join(SHOTS, `comment-${name}.png`), await shot.screenshot());
    }
    await tab.evaluate('for (const part of document.querySelectorAll("details")) part.open = true');
    expect(await tab.evaluate(scrolling)).toEqual([]);
  });

  it.each(NAMES)('of %s is no taller than a screen before anything is opened', async (name) => {
    const tab = await browser.open(urlOf(name), { width: COMMENT_WIDTH, height: 400 });
    expect(
      await tab.evaluate('document.querySelector(".comment").getBoundingClientRect().height'),
    ).toBeLessThan(900);
  });

  it.each(NAMES)('of %s has at most five columns in every table', async (name) => {
    const tab = await browser.open(urlOf(name), { width: COMMENT_WIDTH, height: 400 });
    const columns = await tab.evaluate<number[]>(
      '[...document.querySelectorAll("thead tr")].map((row) => row.children.length)',
    );
    expect(Math.max(0, ...columns)).toBeLessThanOrEqual(5);
  });

  it.each([
    ['regression', /^❌ attention-cuda is (?:up to )?51 % slower in 2 of 2 cases$/u],
    ['improvement', /^✅ attention-cuda is up to 2\.2× faster in 2 of 2 cases, none slower$/u],
    ['many', /^❌ grouped_gemm_fp8 is up to \d+ % slower in 40 of 40 cases$/u],
    ['incorrect', /^⛔ softmax gives wrong results in 1 of 2 cases$/u],
    ['unchanged', /^✔️ 2 kernels keep their speed in 4 of 4 cases: a slowdown of 3 % is excluded$/u],
  ])('of %s says kernel and size in its first line', async (name, line) => {
    const tab = await browser.open(urlOf(name), { width: COMMENT_WIDTH, height: 400 });
    expect(await tab.evaluate('document.querySelector(".comment > p").textContent')).toMatch(line);
  });

  it('says why, with the line of code as a link', async () => {
    const tab = await browser.open(urlOf('regression'), { width: COMMENT_WIDTH, height: 400 });
    const why = await tab.evaluate<string>(
      '[...document.querySelectorAll(".comment > p")].find((one) => one.textContent.startsWith("Why")).innerHTML.replaceAll("\u200b", "")',
    );
    expect(why).toContain('kernels/attention.cu:84');
    expect(why).toMatch(
      /href="https:\/\/github\.com\/acme\/kernels\/blob\/8c41[0-9a-f]{36}\/kernels\/attention\.cu#L84"/u,
    );
  });
});
