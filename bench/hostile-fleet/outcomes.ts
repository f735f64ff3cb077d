import { openDatabase } from '../../src/history/open-database.ts';
import { unpackJson } from '../../src/history/pack-json.ts';
import type { Judgement } from '../../src/model/queue/judgement.ts';
import { QUEUE_SCHEMA } from '../../src/queue/migrations/migrate.ts';
import type { QueueTables } from '../../src/queue/tables.ts';

/** A submission as the queue's tables have it. Times are milliseconds by the database's clock. */
export interface Outcome {
  readonly tenant: string;
  readonly client_id: string;
  readonly state: string;
  readonly submitted_ms: number;
  readonly leased_ms: number;
  readonly finished_ms: number;
  readonly verdict: string;
  readonly reward: number;
  readonly detectors: readonly string[];
  /** What its tenant was charged. */
  readonly cost_s: number;
  /** Leases that ended without an answer. */
  readonly lost: number;
}

/** All that is judged or has failed, in the order of the answers. */
export async function outcomesOf(place: string): Promise<Outcome[]> {
  const { db } = await openDatabase<QueueTables>(place, QUEUE_SCHEMA);
  try {
    const rows = await db
      .selectFrom('submissions as s')
      .leftJoin('judgements as j', 'j.submission_n', 's.n')
      .leftJoin('leases as l', (join) => join.onRef('l.submission_n', '=', 's.n').on('l.generation', '=', 1))
      .select(['s.tenant', 's.client_id', 's.state', 's.submitted_ms', 's.finished_ms', 's.lost'])
      .select(['l.began_ms', 'j.verdict', 'j.reward', 'j.document'])
      .where('s.state', 'in', ['judged', 'failed'])
      .orderBy('s.finished_ms')
      .execute();
    return rows.map((row) => {
      const document = row.document === null ? undefined : (unpackJson(row.document) as Judgement);
      return {
        tenant: row.tenant,
        client_id: row.client_id ?? '',
        state: row.state,
        submitted_ms: row.submitted_ms,
        leased_ms: row.began_ms ?? row.finished_ms!,
        finished_ms: row.finished_ms!,
        verdict: row.verdict ?? row.state,
        reward: row.reward ?? 0,
        detectors: [...new Set(document?.findings.map(({ detector }) => detector))],
        cost_s: document?.cost.wall_s ?? 0,
        lost: row.lost,
      };
    });
  } finally {
    await db.destroy();
  }
}
