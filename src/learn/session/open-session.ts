import { join } from 'node:path';

import { loadConfig, type LoadedConfig } from '../../config/load-config.ts';
import { foldSession, judgeState, keptState } from './fold-session.ts';
import { appendToJournal, lockSessionWork, readJournal } from './session-journal.ts';
import { ownHint, PawlError } from '../../model/pawl-error.ts';
import type { SessionRecord, UntimedSessionRecord } from '../../model/learn/session-record.ts';
import type { Session } from '../../model/learn/session.ts';
import { recordSession } from '../../history/store/record-run.ts';
import { sessionNames, sessionsFolder } from './session-folders.ts';
import type { SessionTarget, Working } from './session-options.ts';
import { runContext } from '../../os/run-context.ts';

/** One session that a command works on. */
export class OpenSession {
  readonly loaded: LoadedConfig;
  readonly folder: string;
  readonly #now: () => Date;
  #records: readonly SessionRecord[];
  #session: Session;

  private constructor(
    loaded: LoadedConfig,
    folder: string,
    records: readonly SessionRecord[],
    now: () => Date,
  ) {
    this.loaded = loaded;
    this.folder = folder;
    this.#records = records;
    this.#session = foldSession(records);
    this.#now = now;
  }

  /** The session named, or the latest that has not ended. */
  static async open(target: SessionTarget & Pick<Working, 'now'>): Promise<OpenSession> {
    const loaded = await loadConfig(target.config);
    const { now } = runContext(target);
    const names = await sessionNames(loaded.root);
    if (target.session !== undefined && !names.includes(target.session)) {
      throw new PawlError(
        'usage',
        `There is no session ${target.session.slice(0, 100)}.`,
        names.length === 0 ? START_HINT : `\`pawl session list\` shows them; the latest is ${names.at(-1)!}.`,
      );
    }
    const wanted = target.session === undefined ? names.toReversed() : [target.session];
    for (const name of wanted) {
      const folder = join(sessionsFolder(loaded.root), name);
      const records = await readJournal(folder);
      if (records.length === 0) continue;
      const opened = new OpenSession(loaded, folder, records, now);
      if (target.session !== undefined || opened.session.state !== 'ended') return opened;
    }
    throw new PawlError('usage', 'No session is open.', START_HINT);
  }

  get session(): Session {
    return this.#session;
  }

  get records(): readonly SessionRecord[] {
    return this.#records;
  }

  /** The commit that the next try is compared with. */
  get kept(): string {
    return keptState(this.#records);
  }

  /** The commit by whose judge everything in the session is judged. */
  get judge(): string {
    return judgeState(this.#records);
  }

  /** Writes down what happened, at once and for good. */
  async add(...records: readonly UntimedSessionRecord[]): Promise<Session> {
    this.#records = await appendToJournal(this.folder, (before) => {
      if (foldSession(before).state === 'ended' && records.some(({ type }) => type !== 'annotated')) {
        throw ended(this.#session.id);
      }
      const at = this.#now().toISOString();
      return records.map((record) => timed(record, at));
    });
    this.#session = foldSession(this.#records);
    return this.#session;
  }

  /** Again from the disk: another command may have taken a note meanwhile. */
  async refresh(): Promise<void> {
    this.#records = await readJournal(this.folder);
    this.#session = foldSession(this.#records);
  }
}

function timed(record: UntimedSessionRecord, at: string): SessionRecord {
  return { ...record, at };
}

const START_HINT = ownHint(
  'Start one: pawl session start --goal "1.2x on CASE" --kernel KERNEL',
  'session start',
);

function ended(id: string): PawlError {
  return new PawlError('usage', `The session ${id} has ended.`, START_HINT);
}

/** Opens a session, changes it, and keeps the outcome in history. */
export async function changeSession<T>(
  options: SessionTarget & Working,
  change: (opened: OpenSession) => Promise<T>,
): Promise<T> {
  const opened = await OpenSession.open(options);
  const before = opened.session.revision;
  try {
    return await change(opened);
  } finally {
    if (opened.session.revision !== before) await recordSession(opened.session, options);
  }
}

/** The same for commands that measure, of which a session has one at a time. */
export async function workOnSession<T>(
  options: SessionTarget & Working,
  purpose: string,
  work: (opened: OpenSession) => Promise<T>,
): Promise<T> {
  return changeSession(options, async (opened) => {
    if (opened.session.state === 'ended') throw ended(opened.session.id);
    const lock = await lockSessionWork(opened.folder, purpose, (options.wait_s ?? 0) * 1000);
    try {
      // What was waited for has written its own lines.
      await opened.refresh();
      return await work(opened);
    } finally {
      await lock.release();
    }
  });
}
