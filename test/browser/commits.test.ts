import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openStore } from '../../src/history/store/open-store.ts';
import { Chromium, findChromium, type TabView } from './chromium.ts';
import { shaOf } from './dashboard-history.ts';
import { openDashboardSite, type DashboardSite } from './dashboard-site.ts';
import { DashboardTab } from './dashboard-tab.ts';

const path = findChromium();
if (path === undefined) console.warn('skipped: no Chromium here, and none could be installed');

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SHOTS = process.env['PAWL_SHOTS'];
const PAIR = `a=${shaOf(20)}&b=${shaOf(59)}`;
const WIDTHS = [390, 1440, 2560];

/** Instead of saving a file, remembers what would be in it. */
const CATCH_FILES = `(() => {
  window.files = [];
  const create = URL.createObjectURL;
  URL.createObjectURL = (blob) => { window.files.push(blob); return create.call(URL, blob); };
  HTMLAnchorElement.prototype.click = function () { window.fileName = this.download; };
})()`;

describe.skipIf(path === undefined)('commit against commit', () => {
  let browser: Chromium;
  let site: DashboardSite;

  beforeAll(async () => {
    site = await openDashboardSite();
    browser = new Chromium(path!);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  const open = (place: string, view?: TabView): Promise<DashboardTab> =>
    DashboardTab.open(browser, `${site.url}/#/${place}`, view);

  const caseNames = (page: DashboardTab): Promise<string[]> =>
    page.tab.evaluate(
      '[...document.querySelectorAll("tbody.keyed td[data-name=case] b")].map((one) => one.innerText)',
    );

  async function shoot(page: DashboardTab, name: string): Promise<void> {
    if (SHOTS === undefined) return;
    mkdirSync(SHOTS, { recursive: true });
    writeFileSync(join(SHOTS, `${name}.png`), await page.tab.screenshot());
  }

  describe.each(['light', 'dark'] as const)('in the %s', (scheme) => {
    it.each(
      WIDTHS.flatMap(
        (width) =>
          [
            ['commits', width],
            [`commits?${PAIR}`, width],
          ] as const,
      ),
    )('%s at %d px has nothing that axe objects to and does not scroll sideways', async (place, width) => {
      const page = await open(place, { scheme, width, height: 900 });
      await page.until('document.querySelectorAll("tbody.keyed tr").length > 3');
      await page.until('document.querySelector(".commit .subject") !== null');
      await shoot(page, `${place === 'commits' ? 'commits-list' : 'commits'}-${width}-${scheme}`);
      expect(await page.tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      await page.tab.evaluate(`${AXE}; undefined`);
      const violations = await page.tab.evaluate<unknown[]>(
        `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
            violations.map(({ id, nodes }) => ({ id, nodes: nodes.slice(0, 5).map(({ html, failureSummary }) => html + ' ' + failureSummary) })))`,
      );
      expect(violations).toEqual([]);
      expect(page.tab.complaints).toEqual([]);
      await page.close();
    });
  });

  it('two commits are chosen from the list of those that were measured', async () => {
    const page = await open('commits');
    await page.until('document.querySelectorAll(".pick-a").length > 10');
    await page.until('document.querySelector(".commit .subject") !== null');
    expect(await page.text('tbody.keyed tr')).toContain('Change number 59');
    expect(await page.text('tbody.keyed tr')).toContain('Ada');
    await page.click('tbody tr:nth-child(2) .pick-a');
    await page.click('tbody tr:nth-child(1) .pick-b');
    await page.until('document.querySelector("svg.figure") !== null');
    expect(await page.hash()).toContain(`a=${shaOf(58)}`);
    expect(await page.hash()).toContain(`b=${shaOf(59)}`);
    // A check measured the two in turns.
    expect(await page.text('tbody.keyed')).toContain('measured in turns');
    await page.close();
  });

  it('every case is judged, grouped by kernel, sorted and filtered, all of it in the address', async () => {
    const page = await open(`commits?${PAIR}`);
    await page.until('document.querySelectorAll("tr.group").length === 3');
    await page.until('document.querySelector(".commit .subject") !== null');
    expect(await page.text('.attention')).toMatch(/3\s+regressed/u);
    expect(await page.text('tr.group')).toContain('reduce');
    expect(await page.text('main')).toContain('Change number 20');
    await page.click('th.left button.sort');
    await page.until('location.hash.includes("sort=name")');
    await page.tab.evaluate(
      `(() => { const group = [...document.querySelectorAll('select')].find((one) => [...one.options].some(({ value }) => value === 'none')); group.value = 'none'; group.dispatchEvent(new Event('change', { bubbles: true })); })()`,
    );
    await page.until('document.querySelectorAll("tr.group").length === 0');
    expect((await caseNames(page))[0]).toBe('long');
    const hash = await page.hash();
    await page.close();
    const again = await open(hash.slice(2));
    await again.until('document.querySelector("tbody.keyed tr") !== null');
    expect((await caseNames(again))[0]).toBe('long');
    await again.tab.evaluate(
      `[...document.querySelectorAll('.attention button')].find((one) => one.innerText.includes('improved')).click()`,
    );
    await again.until('document.querySelectorAll("tbody.keyed tr").length === 1');
    expect(await caseNames(again)).toEqual(['rows']);
    expect(await again.hash()).toContain('verdict=improved');
    await again.close();
  });

  it('a case leads to its trend with both points chosen', async () => {
    const page = await open(`commits?${PAIR}&q=long`);
    await page.until('document.querySelector("td[data-name=case] a") !== null');
    await page.click('td[data-name=case] a');
    await page.until('location.hash.startsWith("#/case/")');
    await page.until('document.querySelector(".judged .chip") !== null');
    expect(await page.text('.judged')).toContain('regressed');
    await page.close();
  });

  it('what is shown is saved as CSV and as PNG', async () => {
    const page = await open(`commits?${PAIR}&kernel=attention`);
    await page.until('document.querySelector(".exports button") !== null');
    await page.tab.evaluate(CATCH_FILES);
    await page.click('.exports button');
    const csv = await page.tab.evaluate<string>('window.files[0].text()');
    expect(csv.split('\r\n')).toHaveLength(4);
    expect(csv).toMatch(/^kernel,case,/u);
    expect(csv).toContain('attention,long,');
    expect(await page.tab.evaluate('window.fileName')).toMatch(/-against-.*\.csv$/u);
    await page.click('.exports button:nth-child(2)');
    await page.until('window.files.length === 2');
    const png = await page.tab.evaluate<string>(
      'window.files[1].arrayBuffer().then((data) => btoa([...new Uint8Array(data)].map((one) => String.fromCharCode(one)).join("")))',
    );
    const bytes = Buffer.from(png, 'base64');
    if (SHOTS !== undefined) writeFileSync(join(SHOTS, 'commits-saved.png'), bytes);
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    // Width of the picture: a figure and its margins, in fine pixels.
    expect(bytes.readUInt32BE(16)).toBe(2 * (1020 + 48));
    // A picture of nothing would be smaller.
    expect(bytes.length).toBeGreaterThan(20_000);
    expect(page.tab.complaints).toEqual([]);
    await page.close();
  });

  it('runs are searched in the store, not in the rows that are loaded', async () => {
    const page = await open('runs');
    await page.until('document.querySelectorAll("tbody.keyed tr").length === 50');
    expect(await page.text('tbody.keyed')).not.toContain('Change number 3 ');
    await page.tab.evaluate(`(() => {
      const box = document.querySelector('input[type=search]');
      box.value = 'ada change number 3';
      box.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);
    await page.until('document.querySelectorAll("tbody.keyed tr").length === 10');
    expect(await page.text('tbody.keyed')).toContain(shaOf(3).slice(0, 10));
    expect(await page.hash()).toContain('q=ada');
    await page.close();
    const none = await open('runs?q=nobody');
    expect(await none.text('main')).toContain('No run has all of these words.');
    await none.close();
  });

  it('overview, case and run show what a time means, of cases that declare their work', async () => {
    const page = await open('?q=attention+long', { width: 1440 });
    await page.until('document.querySelector("td[data-name=rate]") !== null');
    await shoot(page, 'rates-overview');
    const rate = await page.text('td[data-name=rate]');
    expect(rate).toMatch(/19\d TFLOP\/s\n38\d GB\/s\n5(\.\d+)? × floor\n25 % of ceiling/u);
    await page.click('tbody.keyed td a');
    await page.until('document.querySelector(".rates") !== null');
    expect(await page.text('.rates')).toMatch(
      /19\d TFLOP\/s · 38\d GB\/s · 5(\.\d+)? × floor · 25 % of ceiling/u,
    );
    await page.close();
    const runs = await open('runs');
    await runs.until('document.querySelector("tbody.keyed td a") !== null');
    await runs.click('tbody.keyed td a');
    await runs.until('document.querySelector("td[data-name=rate]") !== null');
    expect(await runs.text('main')).toContain('25 % of ceiling');
    await runs.close();
    const plain = await open('?q=softmax');
    expect(await plain.count('td[data-name=rate]')).toBe(0);
    await plain.close();
  });

  it('sides are devices, drivers and branches too, and what is not there is said', async () => {
    const page = await open('commits?a=main&b_device=H200');
    await page.until('document.querySelectorAll("tbody.keyed tr").length > 3');
    expect(await page.text('thead')).toContain('commit of A');
    await page.close();
    const wrong = await open('commits?a=nowhere&b=main');
    await wrong.until('document.querySelector("[role=alert]") !== null');
    expect(await wrong.text('[role=alert]')).toContain('commit or branch "nowhere"');
    await wrong.close();
  });

  describe('a note on a change', () => {
    const openCase = async (from: DashboardSite, more = ''): Promise<DashboardTab> => {
      const history = await openStore(from.store);
      const [key] = await history.keys({ kernel: 'attention', case: 'long' });
      await history.close();
      const page = await DashboardTab.open(browser, `${from.url}/#/case/${key!.id}${more}`, { width: 1440 });
      await page.until('document.querySelector(".note-form") !== null');
      return page;
    };
    const write = (page: DashboardTab, values: Readonly<Record<string, string>>): Promise<void> =>
      page.tab.evaluate(`(() => {
        const form = document.querySelector('.note-form form');
        for (const [name, value] of Object.entries(${JSON.stringify(values)})) form.elements[name].value = value;
        form.requestSubmit();
      })()`);

    it('is put on, is there after the page was loaded again, and is taken off', async () => {
      const page = await openCase(site, `?note=${shaOf(40)}`);
      expect(await page.tab.evaluate('document.querySelector(".note-form").open')).toBe(true);
      const text = 'Accepted: <b>more precise</b>';
      await write(page, { text, link: 'https://example.org/issues/12', author: 'Ada' });
      await page.until('document.querySelector("td[data-name=notes]") !== null');
      await page.close();
      const again = await openCase(site);
      await again.until('document.querySelector("td[data-name=note]") !== null');
      expect(await again.text('td[data-name=notes]')).toContain(text);
      expect(await again.tab.evaluate('document.querySelector("td[data-name=note] a").href')).toBe(
        'https://example.org/issues/12',
      );
      await shoot(again, 'case-note');
      await again.tab.evaluate(`${AXE}; undefined`);
      expect(
        await again.tab.evaluate(
          `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id }) => id))`,
        ),
      ).toEqual([]);
      await again.click('td[data-name="take off"] button');
      await again.until('document.querySelector("td[data-name=note]") === null');
      await again.close();
    });

    it('needs the write token where the server has one', async () => {
      const guarded = await openDashboardSite({ files: site.files, serve: { writeToken: 'w'.repeat(20) } });
      try {
        const page = await openCase(guarded, `?note=${shaOf(40)}`);
        await write(page, { text: 'Known' });
        await page.until('document.querySelector("[name=token]") !== null');
        expect(await page.text('.note-form [role=status]')).toContain('write token');
        await write(page, { text: 'Known', token: 'w'.repeat(20) });
        await page.until('document.querySelector("td[data-name=note]") !== null');
        await page.close();
      } finally {
        await guarded.close();
      }
    });
  });
});
