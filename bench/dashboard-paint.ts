/**
 * How soon the dashboard shows something, and how long each of its pages keeps the browser busy:
 *
 *   npx tsc -p tsconfig.bench.json && npx vite build web && node .bench/bench/dashboard-paint.js STORE [LOADS]
 *
 * The stores of `dashboard-store.js` have something for every page; of others, the pages that have something are
 * loaded. Each load is a fresh tab in one Chromium, its cache off; the first is also the server's first. A page counts
 * as quiet when nothing is loading and no task was long for a second and a half. With PAWL_SHOTS, pictures of the pages
 * are put into that folder.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

import { openStore } from '../src/history/store/open-store.ts';
import { serve } from '../src/server/serve.ts';
import { median } from '../src/stats/quantile.ts';
import { dashboardFolder } from '../src/workflows/static-report/inline-dashboard.tsx';
import { Chromium, findChromium, type Tab } from '../test/browser/chromium.ts';
import { placesOf } from './history/dashboard-places.ts';

/** Nothing is loading, and there is a heading; the page of a loading answer has one already. */
const IS_SHOWN = `document.querySelector('h1, [role=alert]') !== null && document.querySelector('.loading') === null`;
const QUIET_MS = 1500;
const PATIENCE_MS = 120_000;

interface Load {
  readonly paint_ms: number;
  readonly content_ms: number;
  /** All tasks of 50 ms and more together, in time of the wall, and the longest. */
  readonly long_tasks_ms: number;
  readonly longest_task_ms: number;
  /** What the page's thread computed, tasks of any length: other programs' work is not in it. */
  readonly busy_ms: number;
  readonly nodes: number;
}

const [, , store, loads = '7'] = process.argv;
const path = findChromium();
if (store === undefined || path === undefined) throw new Error('wants a store, and a Chromium');

const history = await openStore(store);
const places = await placesOf(history);
const keys = (await history.keys()).length;
await history.close();
const queue = join(dirname(store), 'queue.db');
const aborter = new AbortController();
let ended: Promise<void> = Promise.resolve();
const url = await new Promise<string>((resolve, reject) => {
  ended = serve({
    store,
    ...(existsSync(queue) && { judge: { queue } }),
    files: dashboardFolder(),
    port: 0,
    signal: aborter.signal,
    log: () => undefined,
    onListening: (address) => resolve(address.url),
  });
  ended.catch(reject);
});
const browser = new Chromium(path);
try {
  console.log(
    `${keys} trends, ${loads} loads of a page; ${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}`,
  );
  for (const [name, place] of places) {
    const shown: Load[] = [];
    for (let load = 0; load < Number(loads); load++) shown.push(await loadOnce(name, place));
    const of = (what: keyof Load): number => Math.round(median(shown.map((one) => one[what])));
    console.log(
      JSON.stringify({
        page: name,
        paint_ms: of('paint_ms'),
        content_ms: of('content_ms'),
        first_content_ms: Math.round(shown[0]!.content_ms),
        most_content_ms: Math.round(Math.max(...shown.map((one) => one.content_ms))),
        long_tasks_ms: of('long_tasks_ms'),
        most_long_tasks_ms: Math.round(Math.max(...shown.map((one) => one.long_tasks_ms))),
        longest_task_ms: of('longest_task_ms'),
        busy_ms: of('busy_ms'),
        nodes: of('nodes'),
        load: Number(loadavg()[0]!.toFixed(1)),
      }),
    );
  }
} finally {
  await browser.close();
  aborter.abort();
  await ended;
}

/** Times are since the navigation began. */
async function loadOnce(name: string, place: string): Promise<Load> {
  const tab = await browser.open('about:blank', { width: 1440, height: 900 });
  await tab.send('Network.setCacheDisabled', { cacheDisabled: true });
  await tab.send('Performance.enable', { timeDomain: 'threadTicks' });
  await tab.send('Page.addScriptToEvaluateOnNewDocument', {
    source: `window.longTasks = [];
    new PerformanceObserver((list) => { for (const { startTime, duration } of list.getEntries()) window.longTasks.push([startTime, duration]); }).observe({ type: 'longtask', buffered: true });
    new MutationObserver(() => {
      if (window.shownAt === undefined && ${IS_SHOWN}) window.shownAt = performance.now();
    }).observe(document, { childList: true, subtree: true });`,
  });
  await tab.send('Page.navigate', { url: `${url}/#/${place}` });
  const load = await quietLoad(tab, name);
  const folder = process.env['PAWL_SHOTS'];
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true });
    const { data } = await tab.send('Page.captureScreenshot', { format: 'png' });
    writeFileSync(
      join(folder, `${name.replaceAll(/\W+/gu, '-')}.png`),
      Buffer.from(data as string, 'base64'),
    );
  }
  await tab.send('Page.close');
  return load;
}

async function quietLoad(tab: Tab, name: string): Promise<Load> {
  for (let waited_ms = 0; waited_ms < PATIENCE_MS; waited_ms += 100) {
    await sleep(100);
    const load = await tab.evaluate<Omit<Load, 'busy_ms'> | null>(`(() => {
      const paint_ms = performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
      const content_ms = window.shownAt;
      if (paint_ms === undefined || content_ms === undefined || !(${IS_SHOWN})) return null;
      const lastEnd = Math.max(content_ms, ...longTasks.map(([start, duration]) => start + duration));
      if (performance.now() < lastEnd + ${QUIET_MS}) return null;
      const durations = longTasks.map(([, duration]) => duration);
      return {
        paint_ms,
        content_ms,
        long_tasks_ms: durations.reduce((sum, one) => sum + one, 0),
        longest_task_ms: Math.max(0, ...durations),
        nodes: document.querySelectorAll('*').length,
      };
    })()`);
    if (load !== null) return { ...load, busy_ms: await busyMs(tab) };
  }
  throw new Error(`${name} was never quiet`);
}

async function busyMs(tab: Tab): Promise<number> {
  const { metrics } = await tab.send('Performance.getMetrics');
  const named = metrics as readonly { readonly name: string; readonly value: number }[];
  return 1000 * (named.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
}
