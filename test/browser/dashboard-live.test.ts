/** What changes on a page by itself, and who may see it. */
import { readFileSync } from 'node:fs';
import { appendFile, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { thisProcess } from '../../src/os/process-identity.ts';
import { openStore } from '../../src/history/store/open-store.ts';
import { RunJournal } from '../../src/measure/run-journal.ts';
import { storedRunOf } from '../history/stored-run-of.ts';
import { ServeRig } from '../server/serve-rig.ts';
import { Chromium, findChromium } from './chromium.ts';
import { openDashboardSite, type DashboardSite } from './dashboard-site.ts';
import { DashboardTab } from './dashboard-tab.ts';

const path = findChromium();
if (path === undefined) console.warn('skipped: no Chromium here, and none could be installed');

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const READ_TOKEN = 'what the browser has to say';
const LIVE = 'document.querySelector("aside.live")';

describe.skipIf(path === undefined)('the dashboard in a real browser', () => {
  let browser: Chromium;
  let site: DashboardSite;

  beforeAll(async () => {
    site = await openDashboardSite({ isEmpty: true, serve: { live_ms: 100 } });
    browser = new Chromium(path!);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  /** A page that would forget its mark if it were loaded again. */
  async function openMarked(place: string): Promise<DashboardTab> {
    const page = await DashboardTab.open(browser, `${site.url}/#/${place}`);
    await page.tab.evaluate('window.isMarked = true');
    return page;
  }

  async function expectNotReloaded(page: DashboardTab): Promise<void> {
    expect(await page.tab.evaluate('window.isMarked === true')).toBe(true);
    expect(page.tab.complaints).toEqual([]);
    await page.close();
  }

  it('shows a run while it is under way, every process that it gets further by, and that it is over', async () => {
    const page = await openMarked('');
    expect(await page.tab.evaluate(`${LIVE}.hidden`)).toBe(true);
    const now = new Date('2026-11-01T10:00:00Z');
    const environment = { host: 'here', started_at: now.toISOString() };
    const journal = await RunJournal.start(join(site.folder, '.pawl', 'runs'), environment, now);
    journal.add({
      type: 'measurement',
      key: 1,
      measurement: { kernel: 'gemm', case: 'large', mode: 'cold' },
    });
    await page.until(`${LIVE}.innerText.includes("gemm / large, 0 processes")`);
    journal.add({ type: 'series', key: 1, series: { process: 1, samples_ms: [3, 1, 2] } });
    await page.until(`${LIVE}.innerText.includes("gemm / large, 1 process, 3 samples")`);
    journal.add({ type: 'series', key: 1, series: { process: 2, samples_ms: [3, 1, 2] } });
    await page.until(`${LIVE}.innerText.includes("gemm / large, 2 processes, 6 samples")`);
    await journal.finish();
    await page.until(`${LIVE}.hidden`);
    await expectNotReloaded(page);
  });

  it('follows a study, trial by trial', async () => {
    const folder = join(site.folder, '.pawl', 'studies', 'gemm-1');
    await mkdir(folder, { recursive: true });
    const line = (record: object) =>
      appendFile(join(folder, 'journal.jsonl'), `${JSON.stringify({ at_s: 1, ...record })}\n`);
    const page = await openMarked('studies');
    await line({ type: 'study', schema: 'pawl.study-journal/1', subject: { kernel: 'gemm' } });
    await line({ type: 'session', owner: await thisProcess(), started_at: '2026-11-01T10:00:00Z' });
    await page.until(`${LIVE}.innerText.includes("A study of gemm: 0 trials")`);
    await line({ type: 'trial', trial: { number: 1, variant: { TILE: 8 }, phase: 'start' }, token: 'x' });
    const measured = { status: 'measured', time_ms: 2, median_ms: 2, samples: 5, processes: 1 };
    await line({ type: 'outcome', number: 1, token: 'x', outcome: { ...measured, stopped_early: false } });
    await page.until(`${LIVE}.innerText.includes("1 trial, 1 measured, 0 rejected, fastest trial 2.000 ms")`);
    await line({ type: 'finished', result: 'kept', reason: 'nothing better' });
    await page.until(`${LIVE}.hidden`);
    await expectNotReloaded(page);
  });

  it('lists a run that somebody else has stored, on the page that was open all the time', async () => {
    const page = await openMarked('runs');
    expect(await page.text('.state pre')).toContain('pawl bench');
    const history = await openStore(site.store);
    // What is there when somebody comes is no news: the first may pass unseen, and one of the next may not.
    let isListed = false;
    for (let at = 0; at < 100 && !isListed; at++) {
      await history.put(storedRunOf({ at }));
      await new Promise((resolve) => setTimeout(resolve, 300));
      isListed = (await page.count('tbody tr')) > 0;
    }
    expect(isListed).toBe(true);
    const listed = await page.count('tbody tr');
    await history.put(storedRunOf({ at: 1000 }));
    await history.close();
    await page.until(`document.querySelectorAll('tbody tr').length > ${listed}`);
    await expectNotReloaded(page);
  });

  it('goes on listening by itself after the server was restarted', async () => {
    const first = await ServeRig.start({ files: site.files });
    const page = await DashboardTab.open(browser, `${first.url}/#/`);
    await page.tab.evaluate('window.isMarked = true');
    await first.stop();
    const { folder, store, port } = first;
    const second = await ServeRig.start({ files: site.files, root: folder, store, port });
    try {
      const now = new Date('2026-11-02T10:00:00Z');
      const journal = await RunJournal.start(join(folder, '.pawl', 'runs'), { host: 'here' }, now);
      journal.add({
        type: 'measurement',
        key: 1,
        measurement: { kernel: 'scan', case: 'rows', mode: 'cold' },
      });
      await page.until(`${LIVE}.innerText.includes("scan / rows")`);
      await journal.finish();
      await page.until(`${LIVE}.hidden`);
      expect(await page.tab.evaluate('window.isMarked === true')).toBe(true);
    } finally {
      await page.close();
      await second.stop();
    }
  });

  it('offers no signing out where nobody has to sign in', async () => {
    const page = await openMarked('');
    await page.until('performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/login"))');
    expect(await page.count('form[action=logout]')).toBe(0);
    await expectNotReloaded(page);
  });

  describe('of a server with a read token', () => {
    let closed: DashboardSite;
    beforeAll(async () => {
      closed = await openDashboardSite({ files: site.files, serve: { readToken: READ_TOKEN } });
    });
    afterAll(() => closed?.close());

    async function signIn(page: DashboardTab, token: string): Promise<void> {
      await page.until('document.querySelector("#token") !== null');
      await page.tab.evaluate('document.querySelector("#token").focus()');
      await page.type(token);
      await page.press('Enter');
    }

    it('shows nothing before a reader has signed in, refuses a wrong token, and lets the right one in', async () => {
      const page = await DashboardTab.open(browser, `${closed.url}/`);
      expect(await page.tab.evaluate('location.pathname')).toBe('/login');
      expect(await page.tab.evaluate('document.activeElement.id')).toBe('token');
      expect(await page.text('body')).not.toContain('softmax');
      await page.tab.evaluate(`${AXE}; undefined`);
      expect(
        await page.tab.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))'),
      ).toEqual([]);
      await signIn(page, 'not what it is');
      await page.until('document.querySelector("[role=alert]") !== null');
      expect(await page.text('[role=alert]')).toContain('not the read token');
      expect(await page.tab.evaluate('document.querySelector("#token").value')).toBe('');
      await signIn(page, READ_TOKEN);
      await page.until('document.querySelector("tbody.keyed") !== null');
      expect(await page.tab.evaluate('location.pathname')).toBe('/');
      expect(await page.text('tbody.keyed')).toContain('softmax');
      expect(await page.tab.evaluate('document.cookie')).toBe('');
      expect(page.tab.fetched.join('\n')).not.toContain(encodeURIComponent(READ_TOKEN));
      await page.close();
    });

    it('stays signed in on the next page, until the reader signs out; then nothing answers any more', async () => {
      const page = await DashboardTab.open(browser, `${closed.url}/`);
      if ((await page.count('#token')) > 0) await signIn(page, READ_TOKEN);
      await page.until('document.querySelector("form[action=logout]") !== null');
      const other = await DashboardTab.open(browser, `${closed.url}/#/runs`);
      await other.until('document.querySelector("tbody tr") !== null');
      await page.click('form[action=logout] button');
      await page.until('document.querySelector("#token") !== null');
      expect(await page.tab.evaluate('location.pathname')).toBe('/login');
      expect(await page.tab.evaluate('fetch("api/v1/runs").then(({ status }) => status)')).toBe(401);
      await other.tab.evaluate('location.hash = "#/studies"');
      await other.until('document.querySelector("[role=alert] a[href=login]") !== null');
      expect(await other.text('[role=alert]')).toContain('needs its read token');
      await other.click('[role=alert] a[href=login]');
      await other.until('document.querySelector("#token") !== null');
      await page.close();
      await other.close();
    });
  });
});
