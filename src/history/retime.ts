import type { Db } from './database.ts';
import { inChunks } from './in-chunks.ts';
import { summarizeMoved, type MovedPoint } from './summarize-moved.ts';

/**
 * Commits' times became known after what was measured at them was stored: their points move to where they belong.
 * Measurements have no index by commit, so they are read through once for all of the commits: half a second
 * for a million points (docs/results/history.md), where an index would cost every run that is stored.
 */
export async function retime(db: Db, commits: readonly number[]): Promise<void> {
  const measured = new Map<number, Measured[]>();
  await inChunks(commits, 1, async (chunk) => {
    const rows = await db
      .selectFrom('measurements')
      .innerJoin('keys', 'keys.n', 'measurements.key_n')
      .select(['measurements.n as n', 'side', 'line_n', 'commit_n', 'time_ms'])
      .where('commit_n', 'in', [...chunk])
      .execute();
    for (const row of rows) {
      const known = measured.get(row.commit_n!);
      if (known === undefined) measured.set(row.commit_n!, [row]);
      else known.push(row);
    }
  });
  const moved: MovedPoint[] = [];
  for (const [commit_n, rows] of measured) {
    const { time_ms: after_ms } = await db
      .selectFrom('commits')
      .select('time_ms')
      .where('n', '=', commit_n)
      .executeTakeFirstOrThrow();
    await inChunks(rows, 1, async (chunk) => {
      const numbers = chunk.map(({ n }) => n);
      await db.updateTable('measurements').set({ time_ms: after_ms! }).where('n', 'in', numbers).execute();
    });
    for (const { side, line_n, time_ms: before_ms } of rows) {
      if (side === 0) moved.push({ line_n, before_ms, after_ms: after_ms! });
    }
  }
  await summarizeMoved(db, moved);
}

interface Measured {
  readonly n: number;
  readonly side: number;
  readonly line_n: number;
  readonly commit_n: number | null;
  readonly time_ms: number;
}
