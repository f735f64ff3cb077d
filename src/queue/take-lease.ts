import { unpackJson } from '../history/pack-json.ts';
import type { Lease, LeaseAsked, OfferedJudge } from './queue.ts';
import type { Step } from './tables.ts';
import { charge } from './tenants.ts';

/** `answered`: what was next has the answer of the same sources; ask again. */
type Taken = Lease | { readonly state: 'nothing' | 'drain' | 'answered' };

/**
 * The next submission for a worker: of the tenant that had the least of its share, the one of the highest priority that
 * came first. On PostgreSQL rows that another worker is just taking are passed over, so that workers never wait for each
 * other.
 */
export async function takeLease(step: Step, asked: LeaseAsked): Promise<Taken> {
  const { db, now_ms } = step;
  const judges = await inForce(step, asked.judges);
  if (judges.length === 0) return { state: 'nothing' };
  for (const tenant of await tenantsInTurn(step, judges)) {
    const next = await headOf(step, tenant.name, judges);
    if (next === undefined) continue;
    const judge = judges.find(
      ({ problem, device_class }) =>
        problem === next.problem && (next.device_class === null || next.device_class === device_class),
    )!;
    if (next.fresh === 0 && (await answerKnown(step, next, judge))) return { state: 'answered' };
    const alone = next.lost > 0;
    if (alone && asked.holds > 0) return { state: 'drain' };
    const generation = next.generation + 1;
    const charged_s = tenant.mean_s;
    await db
      .updateTable('submissions')
      .set({
        state: 'leased',
        generation,
        worker: asked.worker,
        identity: judge.identity,
        judge_class: judge.device_class,
        leased_ms: now_ms,
        expires_ms: now_ms + Math.round(1000 * asked.lease_s),
        charged_s,
        alone: Number(alone),
      })
      .where('n', '=', next.n)
      .execute();
    await db
      .insertInto('leases')
      .values({ submission_n: next.n, generation, worker: asked.worker, began_ms: now_ms })
      .execute();
    await charge(step, tenant.name, charged_s);
    return {
      state: 'leased',
      id: next.id,
      generation,
      judge,
      files: unpackJson(next.files) as Record<string, string>,
      sources_sha256: next.sources_sha256,
      alone,
    };
  }
  return { state: 'nothing' };
}

/** A worker whose judge was replaced by a newer one judges nothing any more: all answers are by the same judge. */
async function inForce({ db }: Step, judges: readonly OfferedJudge[]): Promise<OfferedJudge[]> {
  const rows = await db.selectFrom('judges').select(['problem', 'device_class', 'identity']).execute();
  return judges.filter((own) =>
    rows.some(
      ({ problem, device_class, identity }) =>
        problem === own.problem && device_class === own.device_class && identity === own.identity,
    ),
  );
}

function tenantsInTurn({ db }: Step, judges: readonly OfferedJudge[]) {
  return db
    .selectFrom('tenants as t')
    .select(['t.name', 't.mean_s'])
    .where('t.suspended', '=', 0)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('submissions as s')
          .select('s.n')
          .whereRef('s.tenant', '=', 't.name')
          .where('s.state', '=', 'queued')
          .where('s.problem', 'in', problemsOf(judges)),
      ),
    )
    .orderBy('t.virtual_s')
    .orderBy('t.name')
    .execute();
}

function headOf({ db, kind }: Step, tenant: string, judges: readonly OfferedJudge[]) {
  const found = db
    .selectFrom('submissions as s')
    .selectAll('s')
    .where('s.tenant', '=', tenant)
    .where('s.state', '=', 'queued')
    .where((eb) =>
      eb.or(
        judges.map(({ problem, device_class }) =>
          eb.and([
            eb('s.problem', '=', problem),
            eb.or([eb('s.device_class', 'is', null), eb('s.device_class', '=', device_class)]),
          ]),
        ),
      ),
    )
    // The same sources are under way: their answer will do.
    .where((eb) =>
      eb.or([
        eb('s.fresh', '=', 1),
        eb.not(
          eb.exists(
            eb
              .selectFrom('submissions as twin')
              .select('twin.n')
              .whereRef('twin.sources_sha256', '=', 's.sources_sha256')
              .whereRef('twin.problem', '=', 's.problem')
              .where('twin.state', '=', 'leased'),
          ),
        ),
      ]),
    )
    .orderBy('s.priority', 'desc')
    .orderBy('s.n')
    .limit(1);
  return (kind === 'postgres' ? found.forUpdate('s').skipLocked() : found).executeTakeFirst();
}

async function answerKnown(
  { db, kind, now_ms }: Step,
  { n, sources_sha256 }: { readonly n: number; readonly sources_sha256: string },
  { problem, identity }: OfferedJudge,
): Promise<boolean> {
  const newest = db
    .selectFrom('judgements')
    .select('n')
    .where('identity', '=', identity)
    .where('problem', '=', problem)
    .where('sources_sha256', '=', sources_sha256)
    .orderBy('n', 'desc')
    .limit(1);
  // Held until this submission refers to it, so that retention does not remove it in between.
  const known = await (kind === 'postgres' ? newest.forKeyShare() : newest).executeTakeFirst();
  if (known === undefined) return false;
  await db
    .updateTable('submissions')
    .set({ state: 'judged', judgement_n: known.n, finished_ms: now_ms })
    .where('n', '=', n)
    .execute();
  return true;
}

function problemsOf(judges: readonly OfferedJudge[]): string[] {
  return [...new Set(judges.map(({ problem }) => problem))];
}
