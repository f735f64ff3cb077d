import { PawlError } from '../../model/pawl-error.ts';
import { allOf, studyParts } from '../all-of.ts';
import { inChunks } from '../in-chunks.ts';
import type { SqlHistory } from './sql-history.ts';

export interface Pushed {
  /** Brought over now. */
  readonly pushed: number;
  /** Were there already, from an upload that ended before it was noted down. */
  readonly known: number;
  /** Still here only. */
  readonly left: number;
}

/**
 * Runs are stored here first and brought to the team's store when it answers; a run is noted as brought only after
 * the other side has it, so whatever ends an upload, the next one goes on where it was.
 */
export async function pushRuns(
  local: SqlHistory,
  remote: SqlHistory,
  {
    signal,
    onRun,
  }: { readonly signal?: AbortSignal; readonly onRun?: (done: number, total: number) => void } = {},
): Promise<Pushed> {
  const name = await remote.identity();
  const waiting = await pendingRuns(local, name);
  const there = await remote.known(waiting);
  await noteRuns(local, name, [...there]);
  const missing = waiting.filter((id) => !there.has(id));
  let pushed = 0;
  for (const id of missing) {
    if (signal?.aborted === true) break;
    const contents = await local.contents(id);
    if (contents === undefined) throw new PawlError('internal', `Run ${id} is no longer in the store.`);
    await remote.putContents(contents);
    await noteRuns(local, name, [id]);
    pushed++;
    onRun?.(pushed, missing.length);
  }
  if (signal?.aborted !== true) await pushOthers(local, remote);
  return { pushed, known: there.size, left: missing.length - pushed };
}

/** Profiles that the other side does not have, and news of studies, sessions and notes: all are few beside runs. */
async function pushOthers(local: SqlHistory, remote: SqlHistory): Promise<void> {
  for await (const { id } of allOf((page) => local.profiles({}, page))) {
    if ((await remote.profile(id)) !== undefined) continue;
    const { report, files } = (await local.profile(id))!;
    await remote.putProfile(report, files);
  }
  for await (const { id } of allOf((page) => local.studies(page))) {
    const { study, trials } = studyParts((await local.study(id))!);
    await remote.putStudy(study, trials);
  }
  const told = new Map((await remote.keptNotes()).map((note) => [note.id, note]));
  for (const note of await local.keptNotes()) {
    const other = told.get(note.id);
    if (other === undefined || other.removed_at !== note.removed_at) await remote.putNote(note);
  }
  const there = await remote.sessionRevisions();
  for (const [id, revision] of await local.sessionRevisions()) {
    if ((there.get(id) ?? -1) >= revision) continue;
    await remote.putSession((await local.session(id))!);
  }
}

/** Oldest first. */
export function pendingRuns(local: SqlHistory, remote: string): Promise<string[]> {
  return local.read(async (db) => {
    const rows = await db
      .selectFrom('runs')
      .leftJoin('pushed', (join) =>
        join.onRef('pushed.run_id', '=', 'runs.id').on('pushed.remote', '=', remote),
      )
      .select('runs.id')
      .where('pushed.run_id', 'is', null)
      .orderBy('runs.started_ms')
      .orderBy('runs.n')
      .execute();
    return rows.map(({ id }) => id);
  });
}

async function noteRuns(local: SqlHistory, remote: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await local.write((db) =>
    inChunks(ids, 2, async (chunk) => {
      await db
        .insertInto('pushed')
        .values(chunk.map((run_id) => ({ remote, run_id })))
        .onConflict((conflict) => conflict.columns(['remote', 'run_id']).doNothing())
        .execute();
    }),
  );
}
