import { loadConfig } from '../../config/load-config.ts';
import { isPostgres } from '../../history/open-database.ts';
import { openStore } from '../../history/open-store.ts';
import { pushRuns } from '../../history/outbox.ts';
import { hasSqlite } from '../../history/sqlite-driver.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { OnProgress } from '../../model/progress.ts';
import type { StoredRun } from '../../model/stored-run.ts';
import { branchFacts, commitFacts } from './commit-facts.ts';
import { storePlace } from './store-place.ts';

export interface RecordOptions {
  readonly config?: string | undefined;
  /** False: this run is not for history. */
  readonly history?: boolean | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** Nobody waits long for a team's store at the end of a run: the next run brings what this one could not. */
const REMOTE_PATIENCE_MS = 5_000;

/**
 * Keeps a run in history: in this machine's file first, and from there in the team's store. What was measured is
 * written elsewhere already, so a store that fails is said and fails nothing. A copy of Pawl without SQLite, as the
 * GitHub Action's, keeps runs in a team's store only.
 */
export async function recordRun(run: StoredRun, options: RecordOptions): Promise<void> {
  const warn = (text: string) => options.onProgress?.({ type: 'note', level: 'warning', text });
  if (options.history === false || run.sides.head.measurements.length === 0) return;
  try {
    const project = await loadConfig(options.config);
    if (!project.config.history) return;
    const place = storePlace(project, undefined, process.env);
    const facts = {
      run: { ...run, ...(await branchFacts(project.root, process.env)) },
      commits: await commitFacts(project.root, run),
    };
    if (hasSqlite()) await keepHereFirst(facts, place, warn);
    else if (isPostgres(place.store)) await keepThere(facts, place.store);
  } catch (error) {
    warn(`history: ${reason(error)}`);
  }
}

interface Facts {
  readonly run: StoredRun;
  readonly commits: Awaited<ReturnType<typeof commitFacts>>;
}

async function keepHereFirst(
  { run, commits }: Facts,
  place: ReturnType<typeof storePlace>,
  warn: (text: string) => void,
): Promise<void> {
  const local = await openStore(place.local);
  try {
    await local.put(run, { commits });
    if (!isPostgres(place.store)) return;
    const remote = await openStore(place.store, { patience_ms: REMOTE_PATIENCE_MS });
    try {
      await pushRuns(local, remote);
    } finally {
      await remote.close();
    }
  } catch (error) {
    const later = ' What is in .pawl/history.db goes there with the next run, or: pawl history push';
    warn(`history: ${reason(error)}${isPostgres(place.store) ? later : ''}`);
  } finally {
    await local.close();
  }
}

async function keepThere({ run, commits }: Facts, store: string): Promise<void> {
  const remote = await openStore(store, { patience_ms: REMOTE_PATIENCE_MS });
  try {
    await remote.put(run, { commits });
  } finally {
    await remote.close();
  }
}

function reason(error: unknown): string {
  if (error instanceof PawlError) return error.message;
  return `the run was not kept: ${error instanceof Error ? error.message : String(error)}.`;
}
