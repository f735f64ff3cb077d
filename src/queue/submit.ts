import { packJson } from '../history/pack-json.ts';
import { defined } from '../model/defined.ts';
import type { Refusal, Submitted, SubmitAsked } from './queue.ts';
import type { Step } from './tables.ts';
import { beginTurn, lockedTenant, type TenantRow } from './tenants.ts';

const DAY_MS = 86_400_000;

function refused(
  limit: Refusal['limit'],
  message: string,
  more: Pick<Refusal, 'hint' | 'wait_s'> = {},
): Refusal {
  return { state: 'refused', limit, message, ...defined(more) };
}

/**
 * Takes a submission, or says why not. Sources that were judged by the same judge have their answer at once.
 *
 * @param id the same where the step is done again because its commit was not heard of
 */
export async function submit(step: Step, asked: SubmitAsked, id: string): Promise<Submitted | Refusal> {
  const { db, now_ms } = step;
  const tenant = await lockedTenant(step, asked.tenant);
  if (tenant === undefined) return refused('unknown-tenant', `There is no tenant ${asked.tenant}.`);
  const known = await earlier(step, asked, id);
  if (known !== undefined) return known;
  if (tenant.suspended === 1) return refused('suspended', `The tenant ${tenant.name} is suspended.`);
  const problem = await db
    .selectFrom('problems')
    .select('name')
    .where('name', '=', asked.problem)
    .executeTakeFirst();
  if (problem === undefined) return unknownProblem(step, asked.problem);
  const tooFast = await takeFromBucket(step, tenant);
  if (tooFast !== undefined) return tooFast;
  const answer = asked.fresh ? undefined : await knownAnswer(step, asked);
  if (answer === undefined) {
    const full = await overQuota(step, tenant);
    if (full !== undefined) return full;
    await beginTurn(step, tenant);
  }
  await db
    .insertInto('submissions')
    .values({
      id,
      tenant: tenant.name,
      client_id: asked.id ?? null,
      author: asked.author ?? null,
      problem: asked.problem,
      device_class: asked.device_class ?? null,
      sources_sha256: asked.sources_sha256,
      files: packJson(asked.files),
      bytes: Object.values(asked.files).reduce((sum, text) => sum + Buffer.byteLength(text), 0),
      priority: asked.priority,
      fresh: Number(asked.fresh),
      state: answer === undefined ? 'queued' : 'judged',
      submitted_ms: now_ms,
      finished_ms: answer === undefined ? null : now_ms,
      generation: 0,
      lost: 0,
      charged_s: 0,
      alone: 0,
      judgement_n: answer ?? null,
    })
    .execute();
  return { state: 'taken', id, isNew: true };
}

/** A client that had no answer sends the same again. */
async function earlier(
  { db }: Step,
  { tenant, id: clientId, problem, sources_sha256 }: SubmitAsked,
  id: string,
): Promise<Submitted | Refusal | undefined> {
  const found = await db
    .selectFrom('submissions')
    .select(['id', 'problem', 'sources_sha256'])
    .where('tenant', '=', tenant)
    .where((eb) =>
      eb.or([eb('id', '=', id), ...(clientId === undefined ? [] : [eb('client_id', '=', clientId)])]),
    )
    .executeTakeFirst();
  if (found === undefined) return undefined;
  if (found.id === id) return { state: 'taken', id, isNew: true };
  if (found.problem === problem && found.sources_sha256 === sources_sha256) {
    return { state: 'taken', id: found.id, isNew: false };
  }
  return refused('other-sources', `The id ${clientId} was used for another problem or other sources.`, {
    hint: 'Give each candidate its own id.',
  });
}

async function unknownProblem({ db }: Step, problem: string): Promise<Refusal> {
  const rows = await db.selectFrom('problems').select('name').orderBy('name').limit(50).execute();
  const names = rows.map(({ name }) => name).join(', ');
  return refused('unknown-problem', `The queue does not offer problem ${problem}.`, {
    hint:
      names === ''
        ? 'No problem is offered yet. Start a worker: pawl queue work --problem NAME'
        : `Problems: ${names}`,
  });
}

async function takeFromBucket({ db, now_ms }: Step, tenant: TenantRow): Promise<Refusal | undefined> {
  const { name, bucket, bucket_ms, rate_per_s, burst } = tenant;
  const passed_s = Math.max(0, now_ms - bucket_ms) / 1000;
  const filled = Math.min(burst, bucket + passed_s * rate_per_s);
  if (filled < 1) {
    const wait_s = Math.max(1, Math.ceil((1 - filled) / rate_per_s));
    return refused('too-fast', `${name} may submit ${rate_per_s} candidates per second.`, { wait_s });
  }
  await db
    .updateTable('tenants')
    .set({ bucket: filled - 1, bucket_ms: now_ms })
    .where('name', '=', name)
    .execute();
  return undefined;
}

async function overQuota({ db, now_ms }: Step, tenant: TenantRow): Promise<Refusal | undefined> {
  const { name, most_queued, most_per_day } = tenant;
  const day = Math.floor(now_ms / DAY_MS);
  const today = tenant.day === day ? tenant.day_count : 0;
  if (today >= most_per_day) {
    const wait_s = Math.ceil(((day + 1) * DAY_MS - now_ms) / 1000);
    return refused('day-full', `${name} may submit ${most_per_day} candidates per day.`, { wait_s });
  }
  const { queued } = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('submissions')
        .select('n')
        .where('tenant', '=', name)
        .where('state', '=', 'queued')
        .limit(most_queued)
        .as('waiting'),
    )
    .select((eb) => eb.fn.countAll<number>().as('queued'))
    .executeTakeFirstOrThrow();
  if (queued >= most_queued) {
    const wait_s = Math.max(1, Math.ceil(tenant.mean_s));
    return refused('queue-full', `${name} may have ${most_queued} candidates waiting.`, { wait_s });
  }
  await db
    .updateTable('tenants')
    .set({ day, day_count: today + 1 })
    .where('name', '=', name)
    .execute();
  return undefined;
}

/** Of the judges that are in force, the newest judgement of the same sources. */
async function knownAnswer(
  { db, kind }: Step,
  { problem, device_class, sources_sha256 }: SubmitAsked,
): Promise<number | undefined> {
  let found = db
    .selectFrom('judgements as j')
    .innerJoin('judges as o', (join) =>
      join.onRef('o.identity', '=', 'j.identity').onRef('o.problem', '=', 'j.problem'),
    )
    .select('j.n')
    .where('j.sources_sha256', '=', sources_sha256)
    .where('j.problem', '=', problem);
  if (device_class !== undefined) found = found.where('o.device_class', '=', device_class);
  const newest = found.orderBy('j.n', 'desc').limit(1);
  // Held until this submission refers to it, so that retention does not remove it in between.
  return (await (kind === 'postgres' ? newest.forKeyShare('j') : newest).executeTakeFirst())?.n;
}
