import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { loadMethod } from '../../src/learn/method/load-method.ts';
import { openStore } from '../../src/history/store/open-store.ts';
import { sessionOf } from '../history/session-of.ts';
import { Chromium, findChromium, type TabView } from './chromium.ts';
import { openDashboardSite, type DashboardSite } from './dashboard-site.ts';
import { madeSessions } from './dashboard-sessions.ts';
import { DashboardTab } from './dashboard-tab.ts';
import { OVERLAPPING_TEXT } from './legibility.ts';

const path = findChromium();

/** Texts of boxes that reach beyond them. */
const CUT_OFF = `[...document.querySelectorAll('.box')].flatMap((box) => {
  const frame = box.querySelector('rect').getBoundingClientRect();
  return [...box.querySelectorAll('text')].filter((text) => {
    const own = text.getBoundingClientRect();
    return own.left < frame.left || own.right > frame.right || own.bottom > frame.bottom;
  }).map((text) => text.textContent);
})`;

describe.skipIf(path === undefined)('sessions in a real browser', () => {
  let browser: Chromium;
  let site: DashboardSite;
  const made = madeSessions();
  /** With every gate that Pawl ships. */
  const whole = sessionOf({ at: -30, kernel: 'gemm' });

  beforeAll(async () => {
    site = await openDashboardSite();
    const { gates } = await loadMethod(undefined);
    const store = await openStore(site.store);
    await store.putSession({
      ...whole,
      gates: gates.map(({ id, phase, title }) => ({
        gate: id,
        phase,
        title,
        state: 'open',
        reason: 'not evaluated yet',
      })),
    });
    await store.close();
    browser = new Chromium(path!);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  const open = (place: string, view?: TabView): Promise<DashboardTab> =>
    DashboardTab.open(browser, `${site.url}/#/${place}`, view);

  it('shows the checklist of the open session, with time against budget and what is next', async () => {
    const page = await open('checklist');
    expect(await page.text('h1')).toContain(made.open.goal.text);
    expect(await page.text('.next')).toContain(made.open.next);
    expect(await page.count('section.phase')).toBe(made.open.phases.length);
    expect(await page.text('section.phase')).toContain('6.0 min of 10 min');
    expect(await page.text('[aria-current=step]')).toContain('Correct over the whole matrix');
    await page.close();
  });

  it('opens a gate with j and Enter, says what was measured, and keeps it in the address', async () => {
    const page = await open(`checklist?session=${made.stopped.id}`);
    expect(await page.text('[aria-current=step]')).toContain('below 0.5×');
    expect(await page.text('[aria-current=step] .command')).toContain('pawl profile attention');
    await page.press('j');
    await page.press('j');
    await page.press('Enter');
    await page.until('location.hash.includes("open=shared-memory")');
    await page.until('document.querySelector(".gate-body")?.innerText.includes("BLOCK_M=64 BLOCK_N=64")');
    expect(await page.text('.gate-body')).toContain('101376');
    await page.press('Enter');
    await page.until('document.querySelector(".gate-body") === null');
    await page.close();
  });

  it('copies the next command, or selects it where the browser gives no clipboard', async () => {
    const page = await open('checklist');
    await page.click('.next button');
    await page.until('document.querySelector(".next [role=status]").innerText !== ""');
    expect(await page.text('.next [role=status]')).toMatch(/^(?:Copied|Selected)/u);
    await page.close();
  });

  it('changes with the session that it shows, without a reload', async () => {
    const page = await open(`checklist?session=${made.open.id}`);
    await page.tab.evaluate('window.isOld = true');
    const store = await openStore(site.store);
    const gates = made.open.gates.map((gate) =>
      gate.gate === 'matrix-correct'
        ? {
            ...gate,
            state: 'failed' as const,
            reason: '3 of 24 cases are wrong.',
            next: 'pawl fuzz attention',
          }
        : gate,
    );
    try {
      // What is stored before the server first looks is no news.
      for (let revision = made.open.revision + 1; revision < made.open.revision + 100; revision++) {
        await store.putSession({
          ...made.open,
          revision,
          state: 'stopped',
          gates,
          next: 'pawl fuzz attention',
        });
        if ((await page.text('.next')).includes('pawl fuzz attention')) break;
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    } finally {
      await store.close();
    }
    expect(await page.text('[aria-current=step]')).toContain('3 of 24 cases are wrong');
    expect(await page.tab.evaluate('window.isOld')).toBe(true);
    await page.close();
  });

  it.each([1280, 390])(
    'draws the decision tree at %i pixels, no text over another or cut off',
    async (width) => {
      const page = await open(`checklist?session=${made.stopped.id}&view=tree`, { width, height: 900 });
      await page.until('document.querySelector("svg.tree") !== null');
      expect(await page.count('.box.gate')).toBe(made.stopped.gates.length);
      expect(await page.drawn('.box.gate-failed.gate')).toMatch(/✗ failed · 1 min 35 s/u);
      expect(await page.drawn('.edge.failed')).toBe('failed');
      expect(await page.drawn('.box.command.gate-failed')).toContain('pawl profile');
      expect(await page.tab.evaluate(OVERLAPPING_TEXT)).toEqual([]);
      expect(await page.tab.evaluate(CUT_OFF)).toEqual([]);
      await page.close();
    },
  );

  it.each([1280, 390])('has room for every gate of the method at %i pixels', async (width) => {
    const page = await open(`checklist?session=${whole.id}&view=tree`, { width, height: 900 });
    await page.until('document.querySelector("svg.tree") !== null');
    expect(await page.count('.box.gate')).toBeGreaterThan(20);
    expect(await page.tab.evaluate(OVERLAPPING_TEXT)).toEqual([]);
    expect(await page.tab.evaluate(CUT_OFF)).toEqual([]);
    await page.close();
  });

  it('marks an overridden gate as such in the tree', async () => {
    const page = await open(`session/${made.ended.id}`);
    await page.until('document.querySelector("svg.tree") !== null');
    expect(await page.drawn('.edge.overridden')).toBe('overridden');
    expect(await page.drawn('.box.gate.gate-overridden')).toContain('↷ overridden');
    await page.close();
  });

  it('tells a session: its tries with what was predicted and measured, its times, its lessons', async () => {
    const page = await open(`session/${made.ended.id}`);
    const text = await page.text('main');
    expect(text).toContain('Padding the tile by 8 removes the bank conflicts');
    expect(text).toContain('+38.0 %');
    expect(text).toContain('+31.2 %');
    expect(text).toContain('+28.4 … +33.9 %');
    expect(text).toContain('several variables');
    expect(text).toContain('82 % of the predicted');
    expect(text).toContain('0.4200 USD');
    expect(text).toContain('The swizzle alone would do.');
    expect(await page.count('.timeline .event')).toBe(made.ended.gates.length + 1 + 3 + 1);
    await page.close();
  });

  it('opens the diff of a try as text, and nothing of it becomes a part of the page', async () => {
    const page = await open(`session/${made.ended.id}`);
    await page.click('tr[data-row="1"] button');
    await page.until('document.querySelector(".diff") !== null');
    expect(await page.hash()).toContain('try=1');
    expect(await page.text('.diff')).toContain('<script>alert(1)</script>');
    expect(await page.count('.diff script, .diff img')).toBe(0);
    expect(await page.text('.diff .added')).toContain('+    8;');
    await page.close();
  });

  it.each(['session', 'checklist', 'tree', 'sessions', 'lessons'])(
    'shows a hostile session on %s as the text that it is',
    async (name) => {
      const { id } = made.hostile;
      const places: Readonly<Record<string, string>> = {
        session: `session/${id}?try=1&lesson=hostile`,
        checklist: `checklist?session=${id}&open=room`,
        tree: `checklist?session=${id}&view=tree`,
        sessions: 'sessions?q=onerror',
        lessons: 'lessons?q=onerror&open=hostile',
      };
      const page = await open(places[name]!);
      expect(await page.text('body')).toContain('<img src=x');
      expect(await page.count('main img, main script')).toBe(0);
      expect(await page.tab.evaluate('document.title')).not.toContain('owned');
      expect(page.tab.complaints).toEqual([]);
      await page.close();
    },
  );

  it('lists sessions with speed-up against goal and time against prediction, and filters them', async () => {
    const page = await open('sessions?state=ended');
    expect(await page.count('tbody.keyed tr')).toBe(made.all.length - 2 + 1);
    const text = await page.text('tbody.keyed');
    expect(text).toContain('goal 1.20×');
    expect(text).toContain('predicted 1 h 50 min');
    expect(await page.count('figure svg')).toBe(2);
    expect(await page.text('figcaption')).toMatch(
      /off by a factor of \d\.\d\d, of the last ten by \d\.\d\d/u,
    );
    await page.press('/');
    await page.type('softmax');
    await page.until('!document.querySelector("tbody.keyed").innerText.includes("attention")');
    await page.close();
  });

  it('finds a lesson by word, device and source, and opens its evidence', async () => {
    const page = await open('lessons?source=session&q=learnt-3');
    expect(await page.count('.lesson')).toBe(1);
    await page.press('j');
    await page.press('Enter');
    await page.until('document.querySelector(".lesson h3") !== null');
    const text = await page.text('.lesson');
    expect(text).toContain('bank-conflicts');
    expect(text).toContain('Pad by a multiple of 8 halves.');
    expect(text).toContain('1.45×');
    expect(await page.count('.lesson a[href^="#/session/"]')).toBe(1);
    await page.close();
    const greyed = await open('lessons?q=hostile');
    expect(await greyed.text('.lesson.withdrawn')).toContain('Withdrawn:');
    await greyed.close();
  });

  it('says so where a session is not there', async () => {
    const page = await open('session/20260101-000000-none');
    expect(await page.text('[role=alert]')).toContain('That is not in this history.');
    await page.close();
  });
});
