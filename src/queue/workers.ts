import type { LeaseKey, OfferedJudge } from './queue.ts';
import type { Step } from './tables.ts';

/** Problems that may be submitted to. */
export async function offerProblems({ db, now_ms }: Step, names: readonly string[]): Promise<void> {
  // In one order everywhere, so that two of them never wait for each other.
  for (const name of [...names].sort()) {
    await db
      .insertInto('problems')
      .values({ name, offered_ms: now_ms })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
  }
}

/** The newest worker's judge is the one in force: after a change of oracle or reference, restart the workers. */
export async function joinQueue(step: Step, worker: string, judges: readonly OfferedJudge[]): Promise<void> {
  const { db, now_ms } = step;
  await offerProblems(
    step,
    judges.map(({ problem }) => problem),
  );
  for (const { problem, device_class, identity, reference } of judges) {
    await db
      .insertInto('judges')
      .values({ problem, device_class, identity, reference, since_ms: now_ms })
      .onConflict((conflict) =>
        conflict
          .columns(['problem', 'device_class'])
          .doUpdateSet({ identity, reference, since_ms: now_ms })
          .where('judges.identity', '!=', identity),
      )
      .execute();
  }
  const classes = [...new Set(judges.map(({ device_class }) => device_class))].join(', ');
  const row = { device_class: classes, began_ms: now_ms, seen_ms: now_ms, ended_ms: null };
  await db
    .insertInto('workers')
    .values({ worker, ...row })
    .onConflict((conflict) => conflict.column('worker').doUpdateSet(row))
    .execute();
}

export async function leaveQueue({ db, now_ms }: Step, worker: string): Promise<void> {
  await db
    .updateTable('workers')
    .set({ ended_ms: now_ms, seen_ms: now_ms })
    .where('worker', '=', worker)
    .execute();
}

/** A lease that ran out is not renewed: somebody else may be about to take it. */
export async function beat(
  { db, now_ms }: Step,
  worker: string,
  held: readonly LeaseKey[],
  lease_s: number,
): Promise<Set<string>> {
  const kept = new Set<string>();
  for (const { id, generation } of held.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const { numUpdatedRows } = await db
      .updateTable('submissions')
      .set({ expires_ms: now_ms + Math.round(1000 * lease_s) })
      .where('id', '=', id)
      .where('generation', '=', generation)
      .where('worker', '=', worker)
      .where('state', '=', 'leased')
      .where('expires_ms', '>=', now_ms)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) kept.add(id);
  }
  await db.updateTable('workers').set({ seen_ms: now_ms }).where('worker', '=', worker).execute();
  return kept;
}
