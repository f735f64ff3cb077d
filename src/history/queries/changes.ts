import type { TrendChange } from '../../model/history/history.ts';
import type { Db } from '../database.ts';
import type { KnownChanges } from '../history.ts';
import { inChunks } from '../in-chunks.ts';

/** What changes are found by: those that an earlier method found are found again. */
const METHOD = 'v3';

/** `seen`: the count of points, and the last one's place. */
export async function knownChanges(
  db: Db,
  key?: string,
): Promise<Map<string, { readonly seen: string; readonly known?: KnownChanges }>> {
  const rows = await db
    .selectFrom('latest')
    .innerJoin('lines', 'lines.n', 'latest.line_n')
    .leftJoin('known_changes', 'known_changes.line_n', 'latest.line_n')
    .select(['lines.id', 'points', 'time_ms', 'started_ms', 'seen', 'changes'])
    .$if(key !== undefined, (query) => query.where('lines.id', '=', key!))
    .execute();
  return new Map(
    rows.map(({ id, points, time_ms, started_ms, seen, changes }) => {
      const now = `${points} ${time_ms} ${started_ms} ${METHOD}`;
      if (seen === null || changes === null) return [id, { seen: now }];
      return [id, { seen: now, known: { seen, ...remembered(changes) } }];
    }),
  );
}

/** Earlier versions kept the changes only. */
function remembered(text: string): Omit<KnownChanges, 'seen'> {
  const found = JSON.parse(text) as readonly TrendChange[] | Omit<KnownChanges, 'seen'>;
  return 'changes' in found ? found : { changes: found };
}

export async function rememberChanges(db: Db, changes: ReadonlyMap<string, KnownChanges>): Promise<void> {
  const ids = [...changes.keys()];
  await inChunks(ids, 3, async (chunk) => {
    const keys = await db
      .selectFrom('lines')
      .select(['id', 'n'])
      .where('id', 'in', [...chunk])
      .orderBy('n')
      .execute();
    if (keys.length === 0) return;
    await db
      .insertInto('known_changes')
      .values(
        keys.map(({ id, n }) => {
          const { seen, ...found } = changes.get(id)!;
          return { line_n: n, seen, changes: JSON.stringify(found) };
        }),
      )
      .onConflict((conflict) =>
        conflict.column('line_n').doUpdateSet((eb) => ({
          seen: eb.ref('excluded.seen'),
          changes: eb.ref('excluded.changes'),
        })),
      )
      .execute();
  });
}
