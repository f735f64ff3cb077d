import type { CommitFacts } from '../model/history/stored-run.ts';
import type { Db } from './database.ts';
import { internCommits } from './intern.ts';
import { retime } from './retime.ts';

export async function putCommits(db: Db, commits: readonly CommitFacts[]): Promise<void> {
  const { corrected } = await internCommits(db, commits);
  if (corrected.length > 0) await retime(db, corrected);
}
