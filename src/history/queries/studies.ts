import { sql } from 'kysely';

import { defined } from '../../model/defined.ts';
import type { StoredStudy, StudySummary } from '../../model/history/history-api.ts';
import type { Trial } from '../../model/tune/study.ts';
import type { Db } from '../database.ts';
import type { Page, PageRequest, StudyFacts } from '../history.ts';
import { inChunks } from '../in-chunks.ts';
import { studyTold } from './study-told.ts';
import { iso } from './rows.ts';
import { isAfter, pageLimit, pageOfRows } from './page-of-rows.ts';

/** An outcome that is known stays: a trial is decided once. */
export async function putStudy(db: Db, study: StudyFacts, trials: readonly Trial[]): Promise<void> {
  const values = {
    id: study.id,
    kernel: study.kernel,
    started_ms: Date.parse(study.started_at),
    finished_ms: study.finished_at === undefined ? null : Date.parse(study.finished_at),
    document: JSON.stringify(study.document ?? null),
  };
  const { n } = await db
    .insertInto('studies')
    .values(values)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        finished_ms: sql<number | null>`coalesce(excluded.finished_ms, studies.finished_ms)`,
        document: eb.ref('excluded.document'),
      })),
    )
    .returning('n')
    .executeTakeFirstOrThrow();
  const rows = trials
    .map((trial) => ({
      study_n: n,
      number: trial.number,
      time_ms: trial.outcome?.status === 'measured' ? trial.outcome.time_ms : null,
      done: trial.outcome === undefined ? 0 : 1,
      document: JSON.stringify(trial),
    }))
    .sort((a, b) => a.number - b.number);
  await inChunks(rows, 5, async (chunk) => {
    await db
      .insertInto('trials')
      .values([...chunk])
      .onConflict((conflict) =>
        conflict
          .columns(['study_n', 'number'])
          .doUpdateSet((eb) => ({
            time_ms: eb.ref('excluded.time_ms'),
            done: eb.ref('excluded.done'),
            document: eb.ref('excluded.document'),
          }))
          .where('trials.done', '=', 0),
      )
      .execute();
  });
}

function selectStudies(db: Db) {
  return db
    .selectFrom('studies')
    .leftJoin('trials', 'trials.study_n', 'studies.n')
    .select((eb) => [
      'studies.n as n',
      'studies.id as id',
      'studies.kernel as kernel',
      'studies.started_ms as started_ms',
      'studies.finished_ms as finished_ms',
      eb.fn.count<number>('trials.number').as('trials'),
      eb.fn.count<number>('trials.time_ms').as('measured'),
      eb.fn.min<number | null>('trials.time_ms').as('best_ms'),
    ])
    .groupBy(['studies.n', 'studies.id', 'studies.kernel', 'studies.started_ms', 'studies.finished_ms']);
}

type StudyRow = Awaited<ReturnType<ReturnType<typeof selectStudies>['execute']>>[number];

function summaryOf(
  { id, kernel, started_ms, finished_ms, trials, measured, best_ms }: StudyRow,
  document: string | undefined,
): StudySummary {
  return {
    id,
    kernel,
    started_at: iso(started_ms),
    ...(finished_ms === null ? {} : { finished_at: iso(finished_ms) }),
    trials,
    measured,
    ...defined({ best_ms }),
    ...(document === undefined ? {} : studyTold(JSON.parse(document))),
  };
}

/** Newest first. */
export async function findStudies(db: Db, page: PageRequest): Promise<Page<StudySummary>> {
  const limit = pageLimit(page);
  const rows = await selectStudies(db)
    .where(isAfter(page, ['studies.started_ms', 'studies.id']))
    .orderBy('studies.started_ms', 'desc')
    .orderBy('studies.id', 'desc')
    .limit(limit + 1)
    .execute();
  const documents = await documentsOf(db, rows);
  return pageOfRows(
    rows,
    limit,
    ({ started_ms }) => started_ms,
    (row) => summaryOf(row, documents.get(row.n)),
  );
}

/** By the studies' numbers; apart from the list, whose rows are grouped by all of their columns. */
async function documentsOf(db: Db, rows: readonly StudyRow[]): Promise<Map<number, string>> {
  if (rows.length === 0) return new Map();
  const found = await db
    .selectFrom('studies')
    .select(['n', 'document'])
    .where(
      'n',
      'in',
      rows.map(({ n }) => n),
    )
    .execute();
  return new Map(found.map(({ n, document }) => [n, document]));
}

export async function findStudy(db: Db, id: string): Promise<StoredStudy | undefined> {
  const row = await selectStudies(db).where('studies.id', '=', id).executeTakeFirst();
  if (row === undefined) return undefined;
  const { document } = await db
    .selectFrom('studies')
    .select('document')
    .where('n', '=', row.n)
    .executeTakeFirstOrThrow();
  const trials = await db
    .selectFrom('trials')
    .select('document')
    .where('study_n', '=', row.n)
    .orderBy('number')
    .execute();
  return {
    ...summaryOf(row, document),
    document: JSON.parse(document) as unknown,
    trials_list: trials.map((each) => JSON.parse(each.document) as Trial),
  };
}
