import { unpackJson } from '../history/pack-json.ts';
import { defined } from '../model/defined.ts';
import { JUDGEMENT_ERROR_SCHEMA, type Judgement, type JudgementError } from '../model/queue/judgement.ts';
import { SUBMISSION_SCHEMA, type SubmissionAnswer, type SubmissionState } from '../model/queue/queue.ts';
import type { Found } from './queue.ts';
import type { QueueDb } from './tables.ts';

export async function findSubmission(db: QueueDb, id: string): Promise<Found | undefined> {
  const row = await db
    .selectFrom('submissions as s')
    .leftJoin('judgements as j', 'j.n', 's.judgement_n')
    .leftJoin('submissions as first', 'first.n', 'j.submission_n')
    .select([
      's.id',
      's.tenant',
      's.client_id',
      's.author',
      's.problem',
      's.device_class',
      's.priority',
      's.state',
      's.submitted_ms',
      's.lost',
      's.sources_sha256',
      's.error',
      'j.document',
      'first.id as first_id',
      'first.tenant as first_tenant',
    ])
    .where('s.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const state = row.state as SubmissionState;
  const found = (answer: SubmissionAnswer, isFinished: boolean): Found => ({
    tenant: row.tenant,
    answer,
    isFinished,
  });
  if (state === 'judged' && row.document !== null) {
    const judgement = { ...(unpackJson(row.document) as Judgement), id };
    const isOwn = row.first_id === id;
    if (isOwn) return found(judgement, true);
    // It cost nothing; and whose it was is for that tenant alone to know.
    const cost = { wall_s: 0, device_s: 0, build_s: 0 };
    const same_as = row.first_tenant === row.tenant ? (row.first_id ?? undefined) : undefined;
    return found({ ...judgement, ...defined({ same_as }), cost }, true);
  }
  if (state === 'failed') {
    const error = JSON.parse(row.error!) as JudgementError['error'];
    return found({ schema: JUDGEMENT_ERROR_SCHEMA, id, error }, true);
  }
  return found(
    {
      schema: SUBMISSION_SCHEMA,
      id,
      state,
      problem: row.problem,
      tenant: row.tenant,
      priority: row.priority,
      submitted_at: new Date(row.submitted_ms).toISOString(),
      lost: row.lost,
      sources_sha256: row.sources_sha256,
      ...defined({
        author: row.author ?? undefined,
        client_id: row.client_id ?? undefined,
        device_class: row.device_class ?? undefined,
      }),
    },
    state === 'cancelled',
  );
}
