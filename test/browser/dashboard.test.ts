import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openStore } from '../../src/history/store/open-store.ts';
import { Chromium, findChromium, type TabView } from './chromium.ts';
import { shaOf } from './dashboard-history.ts';
import { openDashboardSite, type DashboardSite } from './dashboard-site.ts';
import { madeSessions } from './dashboard-sessions.ts';
import { DashboardTab } from './dashboard-tab.ts';

const path = findChromium();
if (path === undefined) console.warn('skipped: no Chromium here, and none could be installed');

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Where pictures of every page are put, for people to look at. */
const SHOTS = process.env['PAWL_SHOTS'];

/** A laptop, a telephone and a wide screen. */
const WIDTHS = [1440, 390, 2560] as const;
const VIOLATIONS = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => ({ id, nodes: nodes.slice(0, 5).map(({ html, failureSummary }) => html + ' ' + failureSummary) })))`;
/** What sticks out of a page that has to be scrolled sideways. */
const TOO_WIDE = `document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1).slice(0, 5).map((one) => one.outerHTML.slice(0, 200))`;

const TOP_OF_OPENED = 'document.querySelector(".opened").getBoundingClientRect().top';
const IS_IN_ROW = 'document.activeElement.closest("tbody.keyed") !== null';

const PAGES = [
  'overview',
  'case',
  'compared',
  'runs',
  'run',
  'samples',
  'profiles',
  'profile',
  'before-after',
  'compiled',
  'studies',
  'study',
  'studies-beside',
  'devices',
  'sessions',
  'checklist',
  'tree',
  'session',
  'lessons',
  'leaderboard',
  'nowhere',
  'missing',
] as const;
type PageName = (typeof PAGES)[number];

describe.skipIf(path === undefined)('the dashboard in a real browser', () => {
  let browser: Chromium;
  let site: DashboardSite;
  let places: Readonly<Record<PageName, string>>;
  const long = { id: '', run: '' };

  beforeAll(async () => {
    site = await openDashboardSite();
    const history = await openStore(site.store);
    const [key] = await history.keys({ kernel: 'attention', case: 'long' });
    const [run] = (await history.runs({ commit: shaOf(59) })).items;
    await history.close();
    Object.assign(long, { id: key!.id, run: run!.id });
    const [before, after] = site.made.profiles;
    places = {
      overview: '',
      case: `case/${long.id}`,
      compared: `case/${long.id}?a=${shaOf(39)}&b=${shaOf(40)}`,
      runs: 'runs',
      run: `run/${long.run}`,
      samples: `run/${long.run}?m=${long.run}-h0`,
      profiles: 'profiles',
      profile: `profile/${after}`,
      'before-after': `profile/${after}?with=${before}`,
      studies: 'studies',
      compiled: `profile/${before}`,
      study: 'study/attention-1',
      'studies-beside': 'study/attention-1?with=softmax-2',
      devices: 'devices',
      sessions: 'sessions',
      checklist: 'checklist',
      tree: 'checklist?view=tree',
      session: `session/${madeSessions().ended.id}?try=1`,
      lessons: 'lessons?open=learnt-3',
      leaderboard: 'leaderboard',
      nowhere: 'somewhere/else',
      missing: 'run/0123456789ab',
    };
    browser = new Chromium(path!);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  const open = (place: string, view?: TabView): Promise<DashboardTab> =>
    DashboardTab.open(browser, `${site.url}/#/${place}`, view);

  async function shoot(page: DashboardTab, name: string): Promise<void> {
    if (SHOTS === undefined) return;
    mkdirSync(SHOTS, { recursive: true });
    writeFileSync(join(SHOTS, `${name}.png`), await page.tab.screenshot());
  }

  /** Each page in one tab, which becomes a telephone and a wide screen. */
  describe.each(['light', 'dark'] as const)('in the %s', (scheme) => {
    it.each(PAGES)(
      '%s has nothing that axe or the browser objects to, and is not scrolled sideways at any width',
      async (name) => {
        const page = await open(places[name], { scheme, width: WIDTHS[0] });
        if (name === 'compared') await page.until('document.querySelector(".compare svg") !== null');
        await page.tab.evaluate(`${AXE}; undefined`);
        for (const width of WIDTHS) {
          await page.tab.resize(width, width < 500 ? 844 : 900);
          await page.until(`innerWidth === ${width}`);
          await page.tab.evaluate(
            'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
          );
          await shoot(page, width === WIDTHS[0] ? `${name}-${scheme}` : `${name}-${scheme}-${width}`);
          expect(await page.tab.evaluate(TOO_WIDE), `at ${width} px`).toEqual([]);
          if (width === 2560) continue;
          expect(await page.tab.evaluate(VIOLATIONS), `at ${width} px`).toEqual([]);
        }
        // A missing run is answered with 404, which the browser mentions.
        expect(page.tab.complaints.filter((text) => !text.includes('404'))).toEqual([]);
        expect(
          page.tab.fetched.filter((url) => !url.startsWith(site.url) && !url.startsWith('data:')),
        ).toEqual([]);
        await page.close();
      },
    );
  });

  it('ranks candidates where intervals show it, by author and over time, and shows no sources', async () => {
    const page = await open('leaderboard');
    await page.until('document.querySelectorAll("tbody.keyed tr").length > 3');
    const rows = await page.tab.evaluate<string[]>(
      '[...document.querySelectorAll("table")[0].querySelectorAll("tbody tr")].map((row) => row.innerText.replaceAll(/\\s+/g, " "))',
    );
    expect(rows.map((row) => row.trim().split(' ').slice(0, 2))).toEqual([
      ['1', 'Ada'],
      ['2–3', '<script>alert(1)</script>'],
      ['2–3', 'Bob'],
      ['4', 'Ada'],
    ]);
    const text = await page.text('body');
    expect(text).toContain('2.400 by Ada');
    expect(text).not.toContain('secret sources');
    await page.close();
    const other = await open('leaderboard?problem=tripled');
    await other.until('document.body.innerText.includes("No candidate is right and timed yet")');
    await other.close();
  });

  it('puts what needs attention first, and filters by word, kind and kernel, all of it in the address', async () => {
    const page = await open('');
    const first = await page.text('tbody.keyed tr');
    expect(first).toContain('last');
    expect(first).toContain('regressed');
    expect(await page.text('body')).not.toContain('Nothing was recorded');
    await page.press('/');
    await page.type('softmax');
    await page.until('location.hash.includes("q=softmax")');
    await page.until('!document.querySelector("tbody.keyed").innerText.includes("attention")');
    expect(await page.text('tbody.keyed')).toContain('rows');
    await page.close();
    const again = await open('?show=creep');
    expect(await again.text('tbody.keyed')).toContain('wide');
    expect(await again.text('tbody.keyed')).not.toContain('small');
    await again.close();
  });

  it('goes through the rows with j and k, and opens one with Enter', async () => {
    const page = await open('?q=attention+long');
    // The page listens for keys a moment after it is drawn, and news may draw its rows again.
    const isThere = `location.hash.includes(${JSON.stringify(long.id)})`;
    for (let tries = 0; tries < 50 && !(await page.tab.evaluate(isThere)); tries++) {
      if (!(await page.tab.evaluate(IS_IN_ROW))) await page.press('j');
      else await page.press('Enter');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await page.until(isThere);
    await page.ready();
    expect(await page.text('h1')).toContain('long');
    await page.close();
  });

  it('shows a name that is a script as the text that it is', async () => {
    const page = await open('?q=script');
    expect(await page.text('tbody.keyed')).toContain('<script>alert(1)</script>');
    expect(await page.count('tbody script')).toBe(0);
    await page.close();
  });

  it('names the commit that made a case slower, and by how much', async () => {
    const page = await open(places.case);
    const changes = await page.text('main');
    expect(changes).toContain(shaOf(40).slice(0, 9));
    expect(changes).toMatch(/−12\.\d %/u);
    await page.close();
  });

  it('compares two points that are chosen with the keyboard', async () => {
    const page = await open(places.case);
    await page.tab.evaluate('document.querySelector(".chart").focus()');
    await page.press('Home');
    await page.until('document.querySelector(".readout").innerText.includes("1.2")');
    await page.press('a');
    await page.press('End');
    await page.press('b');
    await page.until('document.querySelector(".judged .chip") !== null');
    expect(await page.hash()).toContain(`a=${shaOf(0)}`);
    expect(await page.hash()).toContain(`b=${shaOf(59)}`);
    expect(await page.text('.judged')).toContain('regressed');
    await page.until('document.querySelector(".compare svg") !== null');
    await page.close();
  });

  it('shows the comparison of a change that is chosen below the window', async () => {
    const page = await open(places.case);
    await page.tab.evaluate('scrollTo(0, document.body.scrollHeight)');
    await page.click('td[data-name=look] button');
    await page.until('document.querySelector(".judged .chip") !== null');
    expect(await page.tab.evaluate(TOP_OF_OPENED)).toBeGreaterThanOrEqual(0);
    expect(await page.tab.evaluate(TOP_OF_OPENED)).toBeLessThan(450);
    await page.close();
  });

  it('compares two points that are clicked in the trend', async () => {
    const page = await open(places.case);
    await page.until('document.querySelector(".u-over") !== null');
    await page.point('.u-over', 0.1, 0.5);
    await page.until('location.hash.includes("a=")');
    await page.point('.u-over', 0.9, 0.5);
    await page.until('location.hash.includes("b=")');
    await page.until('document.querySelector(".judged .chip") !== null');
    expect(await page.text('.judged')).toContain('regressed');
    await page.close();
  });

  it('leads from a case to its runs and its profiles', async () => {
    const page = await open(places.case);
    await page.until('document.querySelector(".links a") !== null');
    expect(await page.text('.links')).toContain('banks of shared memory');
    await page.click('.links a');
    await page.until('location.hash.startsWith("#/profile/")');
    await page.ready();
    expect(await page.count('img.one-pager')).toBe(1);
    await page.close();
  });

  it('draws a run: verdicts, intervals, the device meanwhile, and every sample of a chosen case', async () => {
    const page = await open(places.run);
    await page.until('document.querySelectorAll(".grid canvas").length === 3');
    expect(await page.text('h1')).toContain('regressed');
    expect(await page.count('svg.figure .interval')).toBe(6);
    expect(await page.text('main')).toContain('#159');
    const buttons = await page.count('td[data-name=look] button');
    expect(buttons).toBe(18);
    await page.click('tr:nth-child(3) td[data-name=look] button');
    await page.until('location.hash.includes("m=")');
    await page.ready();
    // They open below the table, and are scrolled to.
    await page.until(`(${TOP_OF_OPENED}) >= 0 && (${TOP_OF_OPENED}) < innerHeight / 2`);
    expect(await page.text('figcaption')).toContain('rows');
    await page.close();
  });

  it('shows what changed between two profiles on a telephone: time, signals, findings and lines', async () => {
    const page = await open(places['before-after'], { width: 390, height: 844 });
    const text = await page.text('.what-changed');
    expect(text).toMatch(/124\.7 µs → 329\.4 µs\s+2\.6× slower/u);
    expect(text).toContain('New findings: bank-conflicts');
    expect(text).toContain('shared-memory wavefronts that repeat');
    expect(text).toContain('row-sum.cuh:10');
    await page.close();
    const alone = await open(places.profile, { width: 390, height: 844 });
    expect(await alone.text('.what-changed')).toContain('shared-memory wavefronts that repeat');
    await alone.close();
  });

  it('shows a case below the ceilings of its device, with its history', async () => {
    const page = await open(places.case);
    expect(await page.count('.roofline .point-earlier')).toBe(40);
    expect(await page.count('.roofline .point-after')).toBe(1);
    expect(await page.drawn('.roofline')).toContain('20 % of the roof');
    const links = await page.tab.evaluate<string[]>(
      '[...document.querySelectorAll(".roofline a")].map((one) => one.getAttribute("href"))',
    );
    expect(new Set(links).size).toBe(40);
    await page.tab.evaluate(
      'document.querySelector(".roofline a").dispatchEvent(new MouseEvent("click", { bubbles: true }))',
    );
    await page.until('location.hash.startsWith("#/run/")');
    await page.close();
  });

  it('shows one-pagers before and after beside each other, as pictures that were decoded', async () => {
    const page = await open(places.profile);
    await page.until('document.querySelectorAll("select option").length === 2');
    await page.tab.evaluate(`(() => {
      const choice = document.querySelector('select');
      choice.value = ${JSON.stringify(site.made.profiles[0])};
      choice.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
    await page.until(
      '[...document.querySelectorAll("img.one-pager")].filter((one) => one.naturalWidth > 0).length === 2',
    );
    expect(await page.hash()).toContain('with=');
    await page.close();
  });

  it('shows compiled code by line as what it is, with its occupancy', async () => {
    const page = await open(`profile/${site.made.profiles[0]!}`);
    expect(await page.text('.hot-lines:last-of-type')).toContain('Shares are of instructions, not of time');
    expect(await page.text('.hot-lines:last-of-type')).toMatch(
      /occupancy at best, .*256 threads: \d+ % \(bounded by /u,
    );
    expect(await page.text('.hot-lines:last-of-type .hot-line:first-child')).toMatch(/in \d loops? · \d+ /u);
    await shoot(page, 'static-lines');
    await page.close();
  });

  it('shows hot lines with their source, and finds lines and instructions', async () => {
    const page = await open(places.profile);
    expect(await page.text('.hot-line:first-child')).toContain('row-sum.cuh:10');
    expect(await page.text('.hot-line:first-child pre')).toContain('sum +=');
    const all = await page.count('.hot-line');
    const search = async (text: string): Promise<void> => {
      await page.tab.evaluate(`(() => {
        const box = document.querySelector('.hot-lines input');
        box.value = ${JSON.stringify(text)};
        box.dispatchEvent(new Event('input', { bubbles: true }));
      })()`);
    };
    await search('stg');
    await page.until(`document.querySelectorAll('.hot-line').length < ${all}`);
    expect(await page.count('.hot-line')).toBeGreaterThan(0);
    await search('nothing of that name');
    await page.until("document.querySelectorAll('.hot-line').length === 0");
    expect(await page.text('.hot-lines')).toContain('No line has that.');
    await page.close();
  });

  it('shows a study: the best so far, variants, importance and rejections', async () => {
    const page = await open(places.study);
    expect(await page.text('h1')).toContain('improved');
    expect(await page.count('.strand')).toBeGreaterThan(50);
    const text = await page.text('main');
    expect(text).toContain('confirmed: 1.38× (trial 61)');
    expect(text).toContain('fastest trial, unconfirmed');
    expect(await page.text('.facts')).toMatch(/confirmed\s+1\.38×/u);
    expect(await page.text('.facts')).toMatch(/confirmed time\s+1\.011 ms · 272 TFLOP\/s/u);
    expect(await page.text('.facts')).toMatch(/default\s+1\.395 ms · 197 TFLOP\/s · 717 GB\/s/u);
    expect(text).toContain('BLOCK_M');
    expect(text).toContain('58 %');
    expect(text).toContain('register_spill');
    await page.close();
  });

  it('lists studies with case, device, result and what was confirmed', async () => {
    const page = await open('studies');
    expect(await page.text('tbody.keyed')).toMatch(
      /long\s+NVIDIA H200\s+A faster variant, confirmed\s+1\.38×/u,
    );
    await page.close();
  });

  it('shows the part of a study that a drag along an axis or its two ends choose, and keeps it in the address', async () => {
    const page = await open(places.study);
    const all = await page.count('.strand');
    const area = await page.tab.evaluate<{ x: number; y: number; height: number }>(
      `(() => { const area = document.querySelector('[data-axis="BLOCK_M"]'); area.scrollIntoView({ block: 'center' }); const box = area.getBoundingClientRect(); return { x: box.x + box.width / 2, y: box.y, height: box.height }; })()`,
    );
    const mouse = (type: string, y: number) =>
      page.tab.send('Input.dispatchMouseEvent', {
        type,
        x: area.x,
        y,
        button: 'left',
        buttons: 1,
        clickCount: 1,
      });
    await mouse('mousePressed', area.y + 2);
    await mouse('mouseMoved', area.y + area.height / 4);
    await mouse('mouseReleased', area.y + area.height / 4);
    await page.until('location.hash.includes("axis.BLOCK_M=3-3")');
    expect(await page.text('main')).toMatch(/\d+ of \d+ measured trials match the selection/u);
    expect(await page.count('.strand')).toBe(all);
    expect(await page.text('tbody.keyed')).not.toContain('BLOCK_M=64');
    await page.tab.evaluate(
      `(() => { const from = document.querySelector('select[aria-label="BLOCK_M from"]'); from.value = '1'; from.dispatchEvent(new Event('change', { bubbles: true })); })()`,
    );
    await page.until('location.hash.includes("axis.BLOCK_M=1-3")');
    await page.click('.ranges button');
    await page.until('!location.hash.includes("axis.")');
    await page.close();
  });

  it('shows two studies beside each other', async () => {
    const page = await open(`${places.study}?with=softmax-2`);
    await page.until('document.querySelector("main").innerText.includes("The search of the other study")');
    expect(await page.text('main')).toMatch(/confirmed speed-up\s+1\.38× \(1\.36× … 1\.40×\)\s+nothing/u);
    await page.close();
  });

  it('tells how noisy a device is and whether it sees differences where there are none', async () => {
    const page = await open('devices');
    await page.until('document.querySelector(".device canvas") !== null');
    expect(await page.text('.device')).toMatch(/of 18 controls read as a change/u);
    await page.close();
  });

  it('shows older runs on demand, and only those of a kind', async () => {
    const page = await open('runs');
    expect(await page.count('tbody.keyed tr')).toBe(50);
    await page.click('.more');
    await page.until('document.querySelectorAll("tbody.keyed tr").length === 60');
    await page.close();
    const checks = await open('runs?kind=check');
    expect(await checks.count('tbody.keyed tr')).toBe(3);
    await checks.close();
  });

  it('opens its help with ?, and turns the theme with t for this and later pages', async () => {
    const page = await open('');
    await page.press('?');
    expect(await page.tab.evaluate('document.querySelector("dialog").open')).toBe(true);
    await page.press('Escape');
    await page.until('!document.querySelector("dialog").open');
    const light = await page.tab.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    await page.press('t');
    await page.press('t');
    const isTurned = `getComputedStyle(document.body).backgroundColor !== ${JSON.stringify(light)}`;
    await page.until(isTurned);
    await page.tab.evaluate('window.isOld = true');
    await page.tab.send('Page.reload');
    await page.until(`window.isOld === undefined && document.body !== null && ${isTurned}`);
    await page.tab.evaluate('localStorage.clear()');
    await page.close();
  });

  it('does not move what is on the page while it loads', async () => {
    const page = await open('');
    const shift = await page.tab.evaluate<number>(`new Promise((resolve) => {
      let sum = 0;
      new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value; }).observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => resolve(sum), 300);
    })`);
    // Google's line for "good" (web.dev/cls).
    expect(shift).toBeLessThan(0.1);
    await page.close();
  });

  it('says which command fills a page that has nothing to show', async () => {
    const empty = await openDashboardSite({ isEmpty: true, files: site.files });
    try {
      for (const [place, command] of [
        ['', 'pawl bench'],
        ['runs', 'pawl bench'],
        ['profiles', 'pawl profile'],
        ['studies', 'pawl tune'],
        ['devices', 'pawl bench'],
        ['sessions', 'pawl session start'],
        ['checklist', 'pawl session start'],
      ]) {
        const page = await DashboardTab.open(browser, `${empty.url}/#/${place}`);
        expect(await page.text('.state pre'), place).toContain(command);
        if (place === '') await shoot(page, 'empty-light');
        await page.close();
      }
    } finally {
      await empty.close();
    }
  });

  it('says that the server is gone where it is', async () => {
    const other = await openDashboardSite({ isEmpty: true, files: site.files });
    const page = await DashboardTab.open(browser, `${other.url}/#/`);
    await other.close();
    await page.tab.evaluate('location.hash = "#/studies"');
    await page.until('document.querySelector("[role=alert]") !== null');
    expect(await page.text('[role=alert]')).toContain('does not answer');
    await page.close();
  });
});
