import { defined } from '../model/defined.ts';
import { QUEUE_STATUS_SCHEMA, type QueueStatus } from '../model/queue/queue.ts';
import type { QueueDb, QueueTables } from './tables.ts';
import { tenantOf, type TenantRow } from './tenants.ts';
import { rolesOf } from './tokens.ts';

/** Workers that were not heard of for longer are not shown. */
const SHOWN_MS = 24 * 3_600_000;

export async function queueStatus(db: QueueDb, now_ms: number): Promise<QueueStatus> {
  const tenants = await db.selectFrom('tenants').selectAll().orderBy('name').execute();
  const tokens = await db.selectFrom('tokens').selectAll().orderBy('created_ms').orderBy('id').execute();
  const counts = await db
    .selectFrom('submissions')
    .select((eb) => [
      'tenant',
      'state',
      eb.fn.countAll<number>().as('count'),
      eb.fn.min('submitted_ms').as('oldest_ms'),
    ])
    .groupBy(['tenant', 'state'])
    .execute();
  const workers = await db
    .selectFrom('workers as w')
    .select((eb) => [
      'w.worker',
      'w.device_class',
      'w.began_ms',
      'w.seen_ms',
      eb
        .selectFrom('submissions as s')
        .select((inner) => inner.fn.countAll<number>().as('holds'))
        .whereRef('s.worker', '=', 'w.worker')
        .where('s.state', '=', 'leased')
        .as('holds'),
    ])
    .where('w.ended_ms', 'is', null)
    .where('w.seen_ms', '>', now_ms - SHOWN_MS)
    .orderBy('w.began_ms')
    .execute();
  return {
    schema: QUEUE_STATUS_SCHEMA,
    tenants: tenants.map((row) =>
      statusOf(
        row,
        counts.filter(({ tenant }) => tenant === row.name),
        tokens.filter(({ tenant }) => tenant === row.name),
      ),
    ),
    problems: await offeredProblems(db),
    workers: workers.map(({ worker, device_class, began_ms, seen_ms, holds }) => ({
      worker,
      device_class,
      began_at: timeOf(began_ms)!,
      seen_at: timeOf(seen_ms)!,
      holds: holds ?? 0,
    })),
  };
}

type TenantStatus = QueueStatus['tenants'][number];

function statusOf(
  row: TenantRow,
  counts: readonly { readonly state: string; readonly count: number; readonly oldest_ms: number }[],
  tokens: readonly QueueTables['tokens'][],
): TenantStatus {
  const of = (state: string) => counts.find((one) => one.state === state);
  const number = (state: string) => of(state)?.count ?? 0;
  return {
    ...tenantOf(row),
    queued: number('queued'),
    leased: number('leased'),
    judged: number('judged'),
    failed: number('failed'),
    ...defined({ oldest_queued_at: timeOf(of('queued')?.oldest_ms) }),
    tokens: tokens.map(tokenStatus),
  };
}

function tokenStatus(token: QueueTables['tokens']): TenantStatus['tokens'][number] {
  const { id, roles, created_ms, label, expires_ms, revoked_ms } = token;
  return {
    id,
    roles: rolesOf(roles),
    created_at: timeOf(created_ms)!,
    ...defined({
      label: label ?? undefined,
      expires_at: timeOf(expires_ms),
      revoked_at: timeOf(revoked_ms),
    }),
  };
}

async function offeredProblems(db: QueueDb): Promise<QueueStatus['problems']> {
  const problems = await db.selectFrom('problems').select('name').orderBy('name').execute();
  const judges = await db.selectFrom('judges').selectAll().orderBy('device_class').execute();
  return problems.map(({ name }) => ({
    problem: name,
    judges: judges
      .filter(({ problem }) => problem === name)
      .map(({ device_class, identity, reference, since_ms }) => ({
        device_class,
        identity,
        reference,
        since: timeOf(since_ms)!,
      })),
  }));
}

function timeOf(ms: number | null | undefined): string | undefined {
  return ms === null || ms === undefined ? undefined : new Date(ms).toISOString();
}
