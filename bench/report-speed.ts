/**
 * How long `pawl report` takes on many cases, and how soon it ends when it is told to:
 *
 *   npx tsc -p tsconfig.bench.json && node .bench/bench/report-speed.js [CASES] [COMMITS] [FOLDER]
 *
 * The store is made by the generator of the history's benches, and kept in `folder` for the next time.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';

import { openStore } from '../src/history/store/open-store.ts';
import { staticReport } from '../src/workflows/static-report.ts';
import { commitAt, runAt, timeAt } from './history/generated-history.ts';

const [cases = '5000', commits = '60', folder = join(tmpdir(), 'pawl-report-speed')] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const store = resolve(join(folder, `history-${cases}-${commits}.db`));
const end = new Date(timeAt(Number(commits)) + 3_600_000);
const since = new Date(timeAt(0) - 3_600_000);

if (!existsSync(store)) {
  const history = await openStore(store);
  for (let at = 0; at < Number(commits); at++) {
    const run = runAt(at, { cases: Number(cases), processes: 3, samples: 5 });
    await history.put(run, { commits: [commitAt(at)] });
  }
  await history.close();
}

const html = join(folder, 'report.html');
const started_ms = performance.now();
const report = await staticReport({ html, store, since, now: end });
const seconds = (performance.now() - started_ms) / 1000;
console.log(`${report.cases} cases, ${(report.bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s`);

const aborter = new AbortController();
let told_ms = 0;
setTimeout(() => {
  told_ms = performance.now();
  aborter.abort();
}, 2000);
await staticReport({ html, store, since, now: end, signal: aborter.signal }).catch(() => undefined);
console.log(`ended ${((performance.now() - told_ms) / 1000).toFixed(2)} s after it was told to`);
