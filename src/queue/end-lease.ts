import { packJson } from '../history/pack-json.ts';
import type { Judgement, JudgementError } from '../model/queue/judgement.ts';
import type { LeaseKey } from './queue.ts';
import type { QueueDb, Step } from './tables.ts';
import { charge, settle } from './tenants.ts';

/**
 * Leases that may end without an answer. One loss may be the machine's, and the second time a submission is held alone;
 * a submission that takes down three workers is not judged.
 */
const MOST_LOST = 3;
/** Of what compilers and candidates print, in a document that is kept. */
const MOST_TEXT = 64 * 1024;

type How = 'answered' | 'failed' | 'lost' | 'returned';

/**
 * The fence: an answer counts under the lease that is in force by the database's clock, and under no other. Undefined:
 * the lease is over, and nothing was changed.
 */
async function endLease(
  { db, now_ms }: Step,
  worker: string,
  { id, generation }: LeaseKey,
  change: { readonly state: string; readonly how: How; readonly error?: string | null; readonly lost?: 1 },
) {
  const { state, how, error = null, lost } = change;
  const isOver = state !== 'queued';
  const ended = await db
    .updateTable('submissions')
    .set((eb) => ({
      state,
      error,
      expires_ms: null,
      finished_ms: isOver ? now_ms : null,
      lost: eb('lost', '+', lost ?? 0),
    }))
    .where('id', '=', id)
    .where('generation', '=', generation)
    .where('worker', '=', worker)
    .where('state', '=', 'leased')
    .where('expires_ms', how === 'lost' ? '<' : '>=', now_ms)
    .returningAll()
    .executeTakeFirst();
  if (ended === undefined) return undefined;
  await db
    .updateTable('leases')
    .set({ ended_ms: now_ms, how })
    .where('submission_n', '=', ended.n)
    .where('generation', '=', generation)
    .execute();
  return ended;
}

export async function answerLease(
  step: Step,
  worker: string,
  lease: LeaseKey,
  judgement: Judgement,
): Promise<boolean> {
  const ended = await endLease(step, worker, lease, { state: 'judged', how: 'answered' });
  if (ended === undefined) return wasAnswered(step, worker, lease);
  const { speedup, cost } = judgement;
  const { n } = await step.db
    .insertInto('judgements')
    .values({
      submission_n: ended.n,
      problem: ended.problem,
      identity: ended.identity!,
      device_class: ended.judge_class!,
      sources_sha256: ended.sources_sha256,
      verdict: judgement.verdict,
      correct: Number(judgement.correct),
      reward: judgement.reward,
      estimate: speedup?.estimate ?? null,
      low: speedup?.low ?? null,
      high: speedup?.high ?? null,
      worker,
      judged_ms: step.now_ms,
      document: packJson(shortened(judgement)),
    })
    .returning('n')
    .executeTakeFirstOrThrow();
  await step.db.updateTable('submissions').set({ judgement_n: n }).where('n', '=', ended.n).execute();
  await settle(step, ended.tenant, { charged_s: ended.charged_s, took_s: cost.wall_s });
  return true;
}

/** Its commit was not heard of, and it is told again. */
async function wasAnswered({ db }: Step, worker: string, { id, generation }: LeaseKey): Promise<boolean> {
  const found = await db
    .selectFrom('leases as l')
    .innerJoin('submissions as s', 's.n', 'l.submission_n')
    .select('l.how')
    .where('s.id', '=', id)
    .where('l.generation', '=', generation)
    .where('l.worker', '=', worker)
    .executeTakeFirst();
  return found?.how === 'answered';
}

function shortened(judgement: Judgement): Judgement {
  const cut = (text: string) => (text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}\n…` : text);
  const { build_log, output } = judgement;
  return {
    ...judgement,
    ...(build_log !== undefined && { build_log: cut(build_log) }),
    ...(output !== undefined && { output: cut(output) }),
  };
}

/** The worker lives, and could not judge it: another one may, and after three the submission has this for an answer. */
export async function failLease(
  step: Step,
  worker: string,
  lease: LeaseKey,
  error: JudgementError['error'],
): Promise<boolean> {
  const lost = await lostBefore(step, lease);
  const isLast = lost + 1 >= MOST_LOST;
  const ended = await endLease(step, worker, lease, {
    state: isLast ? 'failed' : 'queued',
    how: 'failed',
    error: isLast ? JSON.stringify(error) : null,
    lost: 1,
  });
  return ended !== undefined;
}

export async function returnLease(step: Step, worker: string, lease: LeaseKey): Promise<boolean> {
  const ended = await endLease(step, worker, lease, { state: 'queued', how: 'returned' });
  if (ended !== undefined) await charge(step, ended.tenant, -ended.charged_s);
  return ended !== undefined;
}

async function lostBefore({ db }: Step, { id }: LeaseKey): Promise<number> {
  const row = await db.selectFrom('submissions').select('lost').where('id', '=', id).executeTakeFirst();
  return row?.lost ?? 0;
}

/** Leases whose time is over. */
export async function overdue(
  db: QueueDb,
  now_ms: number,
): Promise<readonly (LeaseKey & { readonly worker: string })[]> {
  const rows = await db
    .selectFrom('submissions')
    .select(['id', 'generation', 'worker'])
    .where('state', '=', 'leased')
    .where('expires_ms', '<', now_ms)
    .orderBy('expires_ms')
    .limit(100)
    .execute();
  return rows.map(({ id, generation, worker }) => ({ id, generation, worker: worker! }));
}

export async function loseLease(step: Step, worker: string, lease: LeaseKey): Promise<boolean> {
  const lost = await lostBefore(step, lease);
  const isLast = lost + 1 >= MOST_LOST;
  const error: JudgementError['error'] = {
    kind: 'unavailable',
    message: `${MOST_LOST} workers were lost while they held this candidate.`,
    hint: 'It may crash the process or the machine that judges it. Submit it again to retry.',
  };
  const ended = await endLease(step, worker, lease, {
    state: isLast ? 'failed' : 'queued',
    how: 'lost',
    error: isLast ? JSON.stringify(error) : null,
    lost: 1,
  });
  if (ended === undefined) return false;
  // Held alone, it is what the worker's time went to; else it may have been somebody else's doing.
  const held_s = (step.now_ms - ended.leased_ms!) / 1000;
  if (ended.alone === 1) await charge(step, ended.tenant, Math.max(0, held_s - ended.charged_s));
  return true;
}
