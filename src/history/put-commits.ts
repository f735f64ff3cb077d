import type { CommitFacts } from '../model/stored-run.ts';
import type { Db } from './database.ts';
import { internCommits } from './intern.ts';
import { summarizeAll } from './summaries.ts';

export async function putCommits(db: Db, commits: readonly CommitFacts[]): Promise<void> {
  const { corrected } = await internCommits(db, commits);
  if (corrected.length > 0) await retime(db, corrected);
}

/** A commit's time became known after what was measured at it was stored: its points move to where they belong. */
export async function retime(db: Db, commits: readonly number[]): Promise<void> {
  for (const commit_n of commits) {
    const { time_ms } = await db
      .selectFrom('commits')
      .select('time_ms')
      .where('n', '=', commit_n)
      .executeTakeFirstOrThrow();
    const moved = await db
      .updateTable('measurements')
      .set({ time_ms: time_ms! })
      .where('commit_n', '=', commit_n)
      .returning('key_n')
      .execute();
    const keys = [...new Set(moved.map(({ key_n }) => key_n))].sort((a, b) => a - b);
    if (keys.length > 0) await summarizeAll(db, keys);
  }
}
