import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { LoadedConfig } from '../../config/load-config.ts';
import { isPostgres } from '../../os/postgres.ts';
import { hasSqlite } from '../../history/sqlite-driver.ts';
import { foldSession } from './fold-session.ts';
import { readJournal } from './session-journal.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { OnProgress } from '../../model/measure/progress.ts';
import type { Session } from '../../model/learn/session.ts';
import { storePlace } from '../../history/store-place.ts';
import { sessionNames, sessionsFolder } from './session-folders.ts';

/**
 * All sessions that are known here, oldest first: those of this project's folder and those of its history, where a
 * team keeps everybody's. Of two documents of one session the later counts.
 */
export async function earlierSessions(
  config: LoadedConfig,
  onProgress?: OnProgress,
): Promise<readonly Session[]> {
  const byId = new Map<string, Session>();
  const known = [...(await ownSessions(config, onProgress)), ...(await storedSessions(config, onProgress))];
  for (const session of known) {
    const other = byId.get(session.id);
    if (other === undefined || session.revision > other.revision) byId.set(session.id, session);
  }
  return [...byId.values()].toSorted((one, other) => (one.started_at < other.started_at ? -1 : 1));
}

/** An unreadable journal is reported; the others are still read. */
async function ownSessions(
  { root }: Pick<LoadedConfig, 'root'>,
  onProgress?: OnProgress,
): Promise<readonly Session[]> {
  const sessions: Session[] = [];
  for (const name of await sessionNames(root)) {
    try {
      const records = await readJournal(join(sessionsFolder(root), name));
      if (records.length > 0) sessions.push(foldSession(records));
    } catch (error) {
      if (!(error instanceof PawlError)) throw error;
      onProgress?.({ type: 'note', level: 'warning', text: `session ${name} is left out: ${error.message}` });
    }
  }
  return sessions;
}

/** A team's store that does not answer does not stop the work. */
async function storedSessions(config: LoadedConfig, onProgress?: OnProgress): Promise<readonly Session[]> {
  if (!config.config.history || !hasSqlite()) return [];
  const { store: place } = storePlace(config, undefined, process.env);
  // Where there is no history yet, there are no sessions, and reading does not create one.
  if (!isPostgres(place) && !existsSync(place)) return [];
  try {
    const { openStore } = await import('../../history/store/open-store.ts');
    const store = await openStore(place, { patience_ms: 5_000 });
    try {
      return await store.allSessions();
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof PawlError)) throw error;
    onProgress?.({ type: 'note', level: 'warning', text: `history: ${error.message}` });
    return [];
  }
}
