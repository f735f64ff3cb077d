/** The dashboard as it is built, before a real server and a store. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'vite';

import type { History } from '../../src/history/history.ts';
import { openStore } from '../../src/history/store/open-store.ts';
import { serve, type ServeOptions } from '../../src/server/serve.ts';
import { fillQueue } from './dashboard-queue.ts';
import { MadeHistory } from './dashboard-history.ts';

const WEB = fileURLToPath(new URL('../../web/', import.meta.url));

async function buildDashboard(folder: string): Promise<void> {
  await build({
    root: WEB,
    configFile: join(WEB, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true },
  });
}

let built: Promise<string> | undefined;

/** Built once per worker, into a folder of the test run's. */
export function builtDashboard(): Promise<string> {
  const { PAWL_CACHE_DIR = '', VITEST_POOL_ID = '' } = process.env;
  const folder = join(PAWL_CACHE_DIR, `dashboard-${VITEST_POOL_ID}`);
  return (built ??= buildDashboard(folder).then(() => folder));
}

export interface DashboardSite {
  readonly url: string;
  /** The built files. */
  readonly files: string;
  readonly store: string;
  /** The project's, whose `.pawl` is watched for what is under way. */
  readonly folder: string;
  readonly made: MadeHistory;
  readonly close: () => Promise<void>;
}

/** Fills a store with `made`, and serves both until closed. */
export async function openDashboardSite(
  options: {
    readonly isEmpty?: boolean;
    /** What the store holds instead of `made`. */
    readonly fill?: (history: History) => Promise<void>;
    readonly files?: string;
    readonly serve?: Pick<ServeOptions, 'readToken' | 'writeToken' | 'live_ms'>;
  } = {},
): Promise<DashboardSite> {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-dashboard-'));
  const files = options.files ?? (await builtDashboard());
  const store = join(folder, 'history.db');
  const made = new MadeHistory(new Date());
  const history = await openStore(store);
  if (options.fill !== undefined) await options.fill(history);
  else if (options.isEmpty !== true) await made.fill(history);
  await history.close();
  const queue = join(folder, 'queue.db');
  if (options.isEmpty !== true) await fillQueue(queue);
  const aborter = new AbortController();
  let ended: Promise<void> = Promise.resolve();
  const url = await new Promise<string>((resolve, reject) => {
    ended = serve({
      ...options.serve,
      ...(options.isEmpty !== true && { judge: { queue } }),
      store,
      root: folder,
      files,
      port: 0,
      signal: aborter.signal,
      log: () => undefined,
      onListening: (address) => resolve(address.url),
    });
    ended.catch(reject);
  });
  return {
    url,
    files,
    store,
    folder,
    made,
    close: async () => {
      aborter.abort();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
