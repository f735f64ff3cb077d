import type { ListedSession } from '../../model/history/history-api.ts';
import { reviveWarnings } from '../../model/learn/lesson.ts';
import type { Session } from '../../model/learn/session.ts';
import { hashOf } from '../../os/canonical-json.ts';
import type { Db } from '../database.ts';
import type { Page, PageRequest } from '../history.ts';
import { packJson, unpackJson } from '../pack-json.ts';
import { sessionSummary } from '../session-summary.ts';
import { isAfter, pageLimit, pageOfRows } from './page-of-rows.ts';

/** Of two documents of one session the one with the higher revision is the later, and stays. */
export async function putSession(
  db: Db,
  session: Session,
): Promise<{ readonly id: string; readonly stored: boolean }> {
  const { id, revision, started_at } = session;
  const row = await db
    .insertInto('sessions')
    .values({
      id,
      revision,
      started_ms: Date.parse(started_at),
      summary: JSON.stringify(sessionSummary(session)),
      hash: sessionHash(session),
      body: packJson(session),
    })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => ({
          revision: eb.ref('excluded.revision'),
          started_ms: eb.ref('excluded.started_ms'),
          summary: eb.ref('excluded.summary'),
          hash: eb.ref('excluded.hash'),
          body: eb.ref('excluded.body'),
        }))
        .whereRef('sessions.revision', '<', 'excluded.revision' as never),
    )
    .returning('n')
    .executeTakeFirst();
  return { id, stored: row !== undefined };
}

/** Newest first. */
export async function findSessions(db: Db, page: PageRequest): Promise<Page<ListedSession>> {
  const limit = pageLimit(page);
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'started_ms', 'summary'])
    .where(isAfter(page, ['started_ms', 'id']))
    .orderBy('started_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return pageOfRows(
    rows,
    limit,
    ({ started_ms }) => started_ms,
    ({ summary }) => JSON.parse(summary) as ListedSession,
  );
}

export async function findSession(db: Db, id: string): Promise<Session | undefined> {
  const row = await db.selectFrom('sessions').select('body').where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : sessionIn(row.body);
}

/** Oldest first. */
export async function findAllSessions(db: Db): Promise<readonly Session[]> {
  const rows = await db.selectFrom('sessions').select('body').orderBy('started_ms').orderBy('id').execute();
  return rows.map(({ body }) => sessionIn(body));
}

/** By id: how far each is, without reading what is in it. */
export async function sessionRevisions(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db.selectFrom('sessions').select(['id', 'revision']).orderBy('n').execute();
  return new Map(rows.map(({ id, revision }) => [id, revision]));
}

/** Those whose documents are not what was stored, a sentence each. */
export async function sessionProblems(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'revision', 'hash', 'body'])
    .orderBy('n')
    .execute();
  return rows.flatMap(({ id, revision, hash, body }) => {
    try {
      const session = unpackJson(body) as Session;
      const isSame = session.id === id && session.revision === revision && sessionHash(session) === hash;
      return isSame ? [] : [`session ${id}: its contents are not what was stored`];
    } catch (error) {
      return [`session ${id}: its document cannot be read: ${(error as Error).message}`];
    }
  });
}

function sessionIn(body: Uint8Array): Session {
  return unpackJson(body, reviveWarnings) as Session;
}

function sessionHash(session: Session): string {
  return hashOf(session).slice(0, 40);
}
