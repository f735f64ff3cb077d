import type { Tenant } from '../model/queue/queue.ts';
import type { QueueTables, Step } from './tables.ts';

/** Of a tenant for which nothing else was said. */
const DEFAULTS: Omit<Tenant, 'name'> = {
  weight: 1,
  most_queued: 1000,
  most_per_day: 10_000,
  rate_per_s: 10,
  burst: 100,
  suspended: false,
};

/** Until a tenant's submissions have shown what one takes: about what a small kernel on a GPU does. */
const FIRST_MEAN_S = 2;
/** Weight of the newest in the mean: the last ten or so count. */
const NEWEST = 0.1;

export type TenantRow = QueueTables['tenants'];

export async function putTenant(
  { db, now_ms }: Step,
  name: string,
  settings: Partial<Omit<Tenant, 'name'>>,
): Promise<Tenant> {
  const before = await db.selectFrom('tenants').selectAll().where('name', '=', name).executeTakeFirst();
  const tenant = { ...(before === undefined ? { name, ...DEFAULTS } : tenantOf(before)), ...settings };
  const { suspended, name: _, ...limits } = tenant;
  const columns = { ...limits, suspended: Number(suspended) };
  if (before !== undefined) {
    await db.updateTable('tenants').set(columns).where('name', '=', name).execute();
    return tenant;
  }
  const fresh = {
    virtual_s: 0,
    mean_s: FIRST_MEAN_S,
    bucket: tenant.burst,
    bucket_ms: now_ms,
    day: 0,
    day_count: 0,
  };
  await db
    .insertInto('tenants')
    .values({ name, ...columns, ...fresh, created_ms: now_ms })
    .execute();
  return tenant;
}

export function tenantOf(row: TenantRow): Tenant {
  const { name, weight, most_queued, most_per_day, rate_per_s, burst, suspended } = row;
  return { name, weight, most_queued, most_per_day, rate_per_s, burst, suspended: suspended === 1 };
}

/** Locked until the step ends: limits of one tenant are checked by one request at a time. */
export function lockedTenant({ db, kind }: Step, name: string): Promise<TenantRow | undefined> {
  const found = db.selectFrom('tenants').selectAll().where('name', '=', name);
  return (kind === 'postgres' ? found.forNoKeyUpdate() : found).executeTakeFirst();
}

/** Seconds of a worker count against the tenant's share. */
export async function charge({ db }: Step, tenant: string, seconds: number): Promise<void> {
  if (seconds === 0) return;
  await db
    .updateTable('tenants')
    .set((eb) => ({ virtual_s: eb('virtual_s', '+', eb(eb.val(seconds), '/', eb.ref('weight'))) }))
    .where('name', '=', tenant)
    .execute();
}

/** What a submission took replaces what was charged for it in advance, and is what the next one is expected to take. */
export async function settle(
  step: Step,
  tenant: string,
  { charged_s, took_s }: { readonly charged_s: number; readonly took_s: number },
): Promise<void> {
  await charge(step, tenant, took_s - charged_s);
  await step.db
    .updateTable('tenants')
    .set((eb) => ({
      mean_s: eb(eb('mean_s', '*', eb.val(1 - NEWEST)), '+', eb.val(NEWEST * took_s)),
    }))
    .where('name', '=', tenant)
    .execute();
}

/**
 * A tenant that had nothing waiting begins where the others are: time in which it asked for nothing is not saved up, and
 * time that it used while no one else waited does not count against it. Where no one else waits, all tenants start even.
 */
export async function beginTurn({ db }: Step, tenant: TenantRow): Promise<void> {
  const isOpen = await db
    .selectFrom('submissions')
    .select('n')
    .where('tenant', '=', tenant.name)
    .where('state', 'in', ['queued', 'leased'])
    .limit(1)
    .executeTakeFirst();
  if (isOpen !== undefined) return;
  const others = await db
    .selectFrom('tenants as t')
    .select((eb) => eb.fn.min('t.virtual_s').as('least'))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('submissions as s')
          .select('s.n')
          .whereRef('s.tenant', '=', 't.name')
          .where('s.state', 'in', ['queued', 'leased']),
      ),
    )
    .executeTakeFirst();
  const all = await db
    .selectFrom('tenants')
    .select((eb) => eb.fn.max('virtual_s').as('most'))
    .executeTakeFirst();
  const level = others?.least ?? all?.most ?? 0;
  if (level <= tenant.virtual_s) return;
  await db.updateTable('tenants').set({ virtual_s: level }).where('name', '=', tenant.name).execute();
}
