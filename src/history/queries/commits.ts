import type { Db } from '../database.ts';
import type { MeasuredCommit } from '../history.ts';
import { inChunks } from '../in-chunks.ts';
import { commitOfRow } from './rows.ts';

/** Those of `shas` that are known here. */
export async function findCommits(db: Db, shas: readonly string[]): Promise<MeasuredCommit[]> {
  const found: MeasuredCommit[] = [];
  await inChunks(shas, 1, async (chunk) => {
    const rows = await db
      .selectFrom('commits')
      .select(['sha', 'parent', 'time_ms', 'subject', 'author'])
      .select((eb) =>
        eb
          .selectFrom('runs')
          .select((each) => each.fn.max('pull_request').as('most'))
          .whereRef('runs.commit_n', '=', 'commits.n')
          .as('pull_request'),
      )
      .where('sha', 'in', [...chunk])
      .execute();
    for (const { pull_request, ...row } of rows) {
      found.push({ ...commitOfRow(row), ...(pull_request === null ? {} : { pull_request }) });
    }
  });
  return found;
}
