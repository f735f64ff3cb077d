/**
 * How soon the dashboard shows something: `node .bench/bench/dashboard-paint.js STORE [LOADS]`, after `make bench` has
 * compiled it and `npx vite build web` has built the pages. Each load is a fresh tab in one Chromium, its cache off;
 * the first is also the server's first. With PAWL_SHOTS, pictures of the pages are put into that folder.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

import { openStore } from '../src/history/store/open-store.ts';
import { serve } from '../src/server/serve.ts';
import { median } from '../src/stats/quantile.ts';
import { dashboardFolder } from '../src/workflows/static-report/inline-dashboard.tsx';
import { Chromium, findChromium } from '../test/browser/chromium.ts';

const [, , store, loads = '7'] = process.argv;
const path = findChromium();
if (store === undefined || path === undefined) throw new Error('wants a store, and a Chromium');

const history = await openStore(store);
const keys = await history.keys();
await history.close();
const aborter = new AbortController();
let ended: Promise<void> = Promise.resolve();
const url = await new Promise<string>((resolve, reject) => {
  ended = serve({
    store,
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
  const first = keys[0];
  for (const place of ['', 'runs', ...(first === undefined ? [] : [`case/${first.id}`])]) {
    const shown = [];
    for (let load = 0; load < Number(loads); load++) shown.push(await loadOnce(place));
    const paint_ms = median(shown.map((one) => one.paint_ms));
    const content_ms = median(shown.map((one) => one.content_ms));
    console.log(
      JSON.stringify({
        page: `#/${place}`,
        keys: keys.length,
        loads: shown.length,
        paint_ms,
        content_ms,
        first_content_ms: shown[0]!.content_ms,
        most_content_ms: Math.max(...shown.map((one) => one.content_ms)),
      }),
    );
  }
} finally {
  await browser.close();
  aborter.abort();
  await ended;
}

/** First contentful paint, and when the page stopped loading; both since the navigation began. */
async function loadOnce(place: string): Promise<{ readonly paint_ms: number; readonly content_ms: number }> {
  const tab = await browser.open('about:blank');
  await tab.send('Network.setCacheDisabled', { cacheDisabled: true });
  await tab.send('Page.addScriptToEvaluateOnNewDocument', {
    source: `new MutationObserver(() => {
      if (window.shownAt === undefined && document.querySelector('main td, main canvas') !== null) window.shownAt = performance.now();
    }).observe(document, { childList: true, subtree: true });`,
  });
  await tab.send('Page.navigate', { url: `${url}/#/${place}` });
  for (let waited = 0; waited < 600; waited++) {
    await sleep(100);
    const told = await tab.evaluate<[number | null, number | null]>(
      "[performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null, window.shownAt ?? null]",
    );
    const [paint_ms, content_ms] = told;
    if (paint_ms !== null && content_ms !== null) {
      const folder = process.env['PAWL_SHOTS'];
      if (folder !== undefined) {
        mkdirSync(folder, { recursive: true });
        const { data } = await tab.send('Page.captureScreenshot', { format: 'png' });
        const name = `${place.split('/', 1)[0] || 'overview'}.png`;
        writeFileSync(join(folder, name), Buffer.from(data as string, 'base64'));
      }
      await tab.send('Page.close');
      return { paint_ms, content_ms };
    }
  }
  throw new Error(`#/${place} showed nothing`);
}
