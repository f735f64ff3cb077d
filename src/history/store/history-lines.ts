/**
 * A store as lines of JSON, one fact each, and back without loss: `pawl history export` and `import`. Runs come
 * oldest first, each after the commits it names.
 */
import { z } from 'zod';

import { keptNoteSchema } from '../../model/history/note.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { profileReportSchema } from '../../model/profile/profile-report.ts';
import { sessionSchema } from '../../model/learn/session.ts';
import { SIDES, commitFactsSchema } from '../../model/history/stored-run.ts';
import { trialSchema } from '../../model/tune/study.ts';
import { allOf, studyParts } from '../all-of.ts';
import type { StoredContents } from '../history.ts';
import type { SqlHistory } from './sql-history.ts';

const HISTORY_SCHEMA = 'pawl.history/1';

const levelSchema = z.object({
  level_ms: z.number().positive().nullable(),
  low_ms: z.number().positive().nullable(),
  high_ms: z.number().positive().nullable(),
  between_pct: z.number().nonnegative().nullable(),
  cv_pct: z.number().nonnegative().nullable(),
  processes: z.int().nonnegative(),
  samples: z.int().nonnegative(),
});

/** Loose where the hash says whether it is what was stored; strict in what is computed with before that. */
const contentsSchema = z.object({
  id: z.string().regex(/^[0-9a-f]{40}$/),
  document: z.looseObject({ kind: z.string(), started_at: z.string(), sides: z.looseObject({}) }),
  commits: z.array(commitFactsSchema),
  measurements: z.array(
    z.object({
      side: z.enum(SIDES),
      position: z.int().nonnegative(),
      hash: z.string().regex(/^[0-9a-f]{32}$/),
      thin: z.union([z.literal(0), z.literal(1), z.literal(2)]),
      level: levelSchema,
      series: z.array(z.looseObject({ samples_ms: z.array(z.number().positive()) })),
    }),
  ),
});

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('history'), schema: z.literal(HISTORY_SCHEMA) }),
  z.object({ type: z.literal('run'), run: contentsSchema }),
  z.object({
    type: z.literal('profile'),
    report: profileReportSchema,
    files: z.record(z.string(), z.string()),
  }),
  z.object({
    type: z.literal('study'),
    study: z.object({
      id: z.string(),
      kernel: z.string(),
      started_at: z.string(),
      finished_at: z.string().optional(),
      document: z.unknown(),
    }),
    trials: z.array(trialSchema),
  }),
  z.object({ type: z.literal('session'), session: sessionSchema }),
  z.object({ type: z.literal('note'), note: keptNoteSchema }),
]);

export async function* exportLines(store: SqlHistory): AsyncGenerator<string> {
  yield JSON.stringify({ type: 'history', schema: HISTORY_SCHEMA });
  for (const id of await store.runIds()) {
    const run = await store.contents(id);
    if (run !== undefined) yield JSON.stringify({ type: 'run', run });
  }
  for await (const { id } of allOf((cursor) => store.profiles({}, cursor))) {
    const { report, files } = (await store.profile(id))!;
    yield JSON.stringify({ type: 'profile', report, files });
  }
  for await (const { id } of allOf((cursor) => store.studies(cursor))) {
    yield JSON.stringify({ type: 'study', ...studyParts((await store.study(id))!) });
  }
  for (const session of await store.allSessions()) yield JSON.stringify({ type: 'session', session });
  for (const note of await store.keptNotes()) yield JSON.stringify({ type: 'note', note });
}

/** Stores what a line says; `where` names the line for people. */
export async function importLine(
  store: SqlHistory,
  line: string,
  where: string,
): Promise<boolean | undefined> {
  const parsed = lineSchema.safeParse(parseJson(line, where));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new PawlError(
      'bad-data',
      `${where} is not a line of ${HISTORY_SCHEMA}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim(),
    );
  }
  const fact = parsed.data;
  switch (fact.type) {
    case 'history':
      return undefined;
    case 'run':
      return (await store.putContents(fact.run as unknown as StoredContents)).stored;
    case 'profile':
      return (await store.putProfile(fact.report, fact.files)).stored;
    case 'study':
      await store.putStudy(fact.study, fact.trials);
      return true;
    case 'session':
      return (await store.putSession(fact.session)).stored;
    case 'note':
      return store.putNote(fact.note);
  }
}

function parseJson(line: string, where: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new PawlError('bad-data', `${where} is not JSON: the file may be truncated.`);
  }
}
