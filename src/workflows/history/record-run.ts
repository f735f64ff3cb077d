import { loadConfig } from '../../config/load-config.ts';
import { isPostgres } from '../../history/open-database.ts';
import { openStore } from '../../history/open-store.ts';
import { pushRuns } from '../../history/outbox.ts';
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
 * written elsewhere already, so a store that fails is said and fails nothing.
 */
export async function recordRun(run: StoredRun, options: RecordOptions): Promise<void> {
  const warn = (text: string) => options.onProgress?.({ type: 'note', level: 'warning', text });
  if (options.history === false || run.sides.head.measurements.length === 0) return;
  try {
    const project = await loadConfig(options.config);
    if (!project.config.history) return;
    const place = storePlace(project, undefined, process.env);
    const local = await openStore(place.local);
    try {
      const circumstances = await branchFacts(project.root, process.env);
      await local.put({ ...run, ...circumstances }, { commits: await commitFacts(project.root, run) });
      if (!isPostgres(place.store)) return;
      const remote = await openStore(place.store, { patience_ms: REMOTE_PATIENCE_MS });
      try {
        await pushRuns(local, remote);
      } finally {
        await remote.close();
      }
    } catch (error) {
      warn(
        `history: ${reason(error)}${isPostgres(place.store) ? ' What is in .pawl/history.db goes there with the next run, or: pawl history push' : ''}`,
      );
    } finally {
      await local.close();
    }
  } catch (error) {
    warn(`history: ${reason(error)}`);
  }
}

function reason(error: unknown): string {
  if (error instanceof PawlError) return error.message;
  return `the run was not kept: ${error instanceof Error ? error.message : String(error)}.`;
}
