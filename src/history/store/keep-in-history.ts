import { loadConfig, type LoadedConfig } from '../../config/load-config.ts';
import type { History } from '../history.ts';
import { isPostgres } from '../../os/postgres.ts';
import { openStore } from './open-store.ts';
import { pushRuns } from './outbox.ts';
import type { SqlHistory } from './sql-history.ts';
import { hasSqlite } from '../sqlite-driver.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { OnProgress } from '../../model/measure/progress.ts';
import { storePlace } from '../store-place.ts';

export interface RecordOptions {
  readonly config?: string | undefined;
  /** False: this run is not for history. */
  readonly history?: boolean | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** Writes something into a store. */
type Write = (store: History, project: LoadedConfig) => Promise<unknown>;

/** The end of a run does not wait long for a team's store: the next run brings what this one could not. */
const REMOTE_PATIENCE_MS = 5_000;

/**
 * Keeps something in history: in this machine's file first, and from there in the team's store. What was measured is
 * written elsewhere already, so a store that fails is said and fails nothing; where this machine's file cannot be
 * written, the team's store gets it without. A copy of Pawl without SQLite, as the GitHub Action's, keeps things in a
 * team's store only.
 */
export async function keepInHistory(options: RecordOptions, write: Write): Promise<void> {
  if (options.history === false) return;
  const warn = (text: string) => options.onProgress?.({ type: 'note', level: 'warning', text });
  try {
    const project = await loadConfig(options.config);
    if (!project.config.history) return;
    const { local, store } = storePlace(project, undefined, process.env);
    if (!hasSqlite()) {
      if (isPostgres(store)) await within(store, (remote) => write(remote, project));
      return;
    }
    try {
      await within(local, async (here) => {
        await write(here, project);
        if (!isPostgres(store)) return;
        await within(store, (remote) => pushRuns(here, remote)).catch((error: unknown) => {
          warn(
            `history: ${reason(error)} The next run sends what is in .pawl/history.db, or: pawl history push`,
          );
        });
      });
    } catch (error) {
      if (!isPostgres(store)) throw error;
      // This machine's file may be on a full disk, but the team's store still gets the run.
      warn(`history: ${reason(error)}`);
      await within(store, (remote) => write(remote, project));
      warn("history: the run is only in the team's store.");
    }
  } catch (error) {
    warn(
      `history: ${reason(error)} Runs that were not stored are in .pawl/runs: pawl history import .pawl/runs`,
    );
  }
}

async function within(place: string, use: (store: SqlHistory) => Promise<unknown>): Promise<void> {
  const store = await openStore(place, isPostgres(place) ? { patience_ms: REMOTE_PATIENCE_MS } : {});
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

function reason(error: unknown): string {
  if (error instanceof PawlError)
    return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
  return `nothing was stored: ${error instanceof Error ? error.message : String(error)}.`;
}
