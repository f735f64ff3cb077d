import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import type { LoadedConfig } from '../../config/load-config.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { ServeEvent } from '../../model/server/serve-event.ts';
import { storePlace } from '../../history/store-place.ts';
import { tryProject } from '../../config/try-project.ts';
import { historyService, type HistoryService, type ProjectFacts } from './history-service.ts';
import { findCodeHost } from '../../history/code-host.ts';
import { LiveFeed } from '../../measure/live-feed.ts';
import { projectLibrary } from '../../learn/method/method-library.ts';
import { findReleases } from '../../history/trends/find-releases.ts';
import { StoreHandle } from '../../history/store/store-handle.ts';

export interface OpenServiceOptions {
  readonly store?: string;
  readonly config?: string;
  /** The folder of the project, instead of that of its pawl.yaml. */
  readonly root?: string;
  readonly live_ms?: number;
  readonly env: NodeJS.ProcessEnv;
  readonly log: (level: ServeEvent['level'], event: string, message: string) => void;
}

/** Series take seconds. */
const LIVE_MS = 1000;
const SELDOM_MS = 60_000;

/**
 * Opens what a server answers from. The server waits for a store that is away and may come back. One that is not a
 * store, or not ours, is reported at once.
 */
export async function openService(options: OpenServiceOptions): Promise<HistoryService> {
  const { log, live_ms } = options;
  const { root, store, project } = await placesOf(options);
  const handle = new StoreHandle({
    store,
    now_ms: () => performance.now(),
    onChange: (isUp, why) =>
      isUp ? log('info', 'store-back', 'the store answers again') : log('warning', 'store-away', why ?? ''),
  });
  const live = new LiveFeed({
    folder: join(root, '.pawl'),
    name: randomBytes(6).toString('hex'),
    interval_ms: live_ms ?? LIVE_MS,
    onTrouble: (error) => log('warning', 'live', `journals cannot be read: ${(error as Error).message}`),
  });
  const watching = {
    interval_ms: 2 * (live_ms ?? LIVE_MS),
    onTrouble: (error: unknown) => log('error', 'bug', `new runs are not seen: ${(error as Error).message}`),
  };
  const service = historyService(handle, live, projectLibrary(project), watching, projectFacts(root));
  try {
    await service.ping();
  } catch (error) {
    if (!(error instanceof PawlError) || error.kind !== 'unavailable') {
      await service.close();
      throw error;
    }
  }
  return service;
}

function projectFacts(root: string): ProjectFacts {
  return {
    releases: seldom(() => findReleases(root).catch(() => [])),
    codeHost: seldom(() => findCodeHost(root).catch(() => undefined)),
  };
}

/** Tags are made seldom: git is asked once in a while, not for every trend. */
function seldom<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let known: { readonly asked_ms: number; readonly answer: Promise<Answer> } | undefined;
  return () => {
    const now_ms = performance.now();
    if (known === undefined || now_ms - known.asked_ms > SELDOM_MS)
      known = { asked_ms: now_ms, answer: ask() };
    return known.answer;
  };
}

async function placesOf({ store: named, config, root: given, env }: OpenServiceOptions): Promise<{
  readonly root: string;
  readonly store: string;
  readonly project?: LoadedConfig;
}> {
  if (given !== undefined) return { root: given, store: storePlace({ root: given }, named, env).store };
  const project = await tryProject(config);
  // What pawl.yaml says is needed only where nothing else says where the store is.
  if (project instanceof PawlError && named === undefined && !env['PAWL_STORE']) throw project;
  if (project === undefined || project instanceof PawlError) {
    const root = process.cwd();
    return { root, store: storePlace({ root }, named, env).store };
  }
  return { root: project.root, store: storePlace(project, named, env).store, project };
}
