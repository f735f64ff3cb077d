import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

import { PawlError } from '../model/pawl-error.ts';
import { QUEUE_ROLES, type QueueRole } from '../model/queue/queue.ts';
import type { Caller, TokenAsked } from './queue.ts';
import type { QueueDb, Step } from './tables.ts';

const DAY_MS = 86_400_000;

/** `pawl_ID_SECRET`: by its id a token is found, revoked and named in lists, and its secret is in no table. */
const TOKEN = /^pawl_([0-9a-f]{12})_([0-9a-f]{64})$/;

/** The secret is 256 random bits, which no table of guesses holds: one round of SHA-256 keeps it. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export async function createToken(
  { db, now_ms }: Step,
  { tenant, roles, label, days }: TokenAsked,
): Promise<{ readonly id: string; readonly token: string }> {
  const known = await db.selectFrom('tenants').select('name').where('name', '=', tenant).executeTakeFirst();
  if (known === undefined) {
    throw new PawlError(
      'usage',
      `There is no tenant ${tenant}.`,
      `Create it first: pawl queue tenant ${tenant}`,
    );
  }
  const id = randomBytes(6).toString('hex');
  const secret = randomBytes(32).toString('hex');
  await db
    .insertInto('tokens')
    .values({
      id,
      tenant,
      roles: roles.join(','),
      hash: hashOf(secret),
      label: label ?? null,
      created_ms: now_ms,
      expires_ms: days === undefined ? null : now_ms + Math.round(days * DAY_MS),
      revoked_ms: null,
    })
    .execute();
  return { id, token: `pawl_${id}_${secret}` };
}

export async function revokeToken({ db, now_ms }: Step, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('tokens')
    .set({ revoked_ms: now_ms })
    .where('id', '=', id)
    .where('revoked_ms', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function callerOf(db: QueueDb, token: string, now_ms: number): Promise<Caller | undefined> {
  const [, id, secret] = TOKEN.exec(token) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  const row = await db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined || row.revoked_ms !== null) return undefined;
  if (row.expires_ms !== null && row.expires_ms <= now_ms) return undefined;
  if (!timingSafeEqual(Buffer.from(row.hash, 'hex'), Buffer.from(hashOf(secret), 'hex'))) return undefined;
  return { token: id, tenant: row.tenant, roles: rolesOf(row.roles) };
}

export function rolesOf(text: string): QueueRole[] {
  const said = text.split(',');
  return QUEUE_ROLES.filter((role) => said.includes(role));
}
