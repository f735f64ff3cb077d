import { setTimeout as sleep } from 'node:timers/promises';

import { Pool, type PoolClient, type QueryResultRow } from 'pg';

import { codeOf, isPassing, messageOf } from '../../os/postgres.ts';
import { PawlError } from '../../model/pawl-error.ts';

export type Connection = PoolClient;

export interface DatabaseOptions {
  /** How long a database that went away is waited for. */
  readonly patience_s: number;
  /** For the first answer: an address that is wrong should be told at once. */
  readonly firstPatience_s?: number;
}

const FIRST_PATIENCE_S = 15;
const CONNECT_TIMEOUT_MS = 10_000;
/** A connection whose other end is gone without a word would otherwise never answer. */
const QUERY_TIMEOUT_MS = 60_000;
const BACKOFF_MS = 50;
const MOST_BACKOFF_MS = 3000;

/** A PostgreSQL that may be restarted while it is used: work is done again until it is done or patience ends. */
export class StudyDatabase {
  readonly #pool: Pool;
  readonly #patience_ms: number;
  #hasAnswered = false;

  private constructor(url: string, patience_ms: number) {
    this.#patience_ms = patience_ms;
    this.#pool = new Pool({
      connectionString: url,
      max: 2,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'pawl',
    });
    // An idle connection that breaks is replaced by the next one who needs it.
    this.#pool.on('error', () => undefined);
  }

  static async open(url: string, options: DatabaseOptions): Promise<StudyDatabase> {
    const database = new StudyDatabase(url, 1000 * options.patience_s);
    try {
      await database.#patiently(1000 * (options.firstPatience_s ?? FIRST_PATIENCE_S), async (client) => {
        await client.query('select 1');
      });
    } catch (error) {
      await database.close();
      throw error;
    }
    return database;
  }

  /**
   * Runs the work in a transaction. Where the answer to its commit is lost, it runs again: the work must know what it
   * has done before, by a token of its own.
   */
  transaction<Result>(work: (client: Connection) => Promise<Result>): Promise<Result> {
    return this.#patiently(this.#patience_ms, async (client) => {
      await client.query('begin');
      const result = await work(client);
      await client.query('commit');
      return result;
    });
  }

  /** One statement that changes nothing, or the same thing however often it runs. */
  async query<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
    const result = await this.#patiently(this.#patience_ms, (client) => client.query<Row>(text, [...values]));
    return result.rows;
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #patiently<Result>(
    patience_ms: number,
    work: (client: Connection) => Promise<Result>,
  ): Promise<Result> {
    const until_ms = performance.now() + patience_ms;
    for (let attempt = 0; ; attempt++) {
      try {
        const result = await this.#once(work);
        this.#hasAnswered = true;
        return result;
      } catch (error) {
        // Later it is a name server's trouble, which passes.
        const isWrongAddress = !this.#hasAnswered && codeOf(error) === 'ENOTFOUND';
        if (isWrongAddress || !isPassing(error)) throw explained(error);
        if (performance.now() >= until_ms) throw unavailable(error);
        // Many workers lost the database at the same moment; they must not come back at the same moment.
        const longest_ms = Math.min(MOST_BACKOFF_MS, BACKOFF_MS * 2 ** attempt);
        await sleep(longest_ms * (0.5 + Math.random() / 2));
      }
    }
  }

  async #once<Result>(work: (client: Connection) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect();
    const ignore = () => undefined;
    // While it is lent, a broken connection is this borrower's to hear of; the query under way throws it.
    client.on('error', ignore);
    let isSound = false;
    try {
      const result = await work(client);
      isSound = true;
      return result;
    } finally {
      client.off('error', ignore);
      // A connection in the middle of something is closed, which also rolls its transaction back.
      client.release(!isSound);
    }
  }
}

function unavailable(error: unknown): PawlError {
  return new PawlError(
    'unavailable',
    `The study store does not answer: ${messageOf(error)}.`,
    'Is PostgreSQL up, and --store its address as postgresql://USER@HOST/DATABASE?',
  );
}

/** Who may not log in, or names a database that is not there, reads so; anything else is a bug and stays what it is. */
function explained(error: unknown): unknown {
  const code = codeOf(error);
  if (/^(?:28...|42501)$/.test(code)) {
    return new PawlError('permission', `The study store refuses: ${messageOf(error)}.`, 'Look at --store.');
  }
  if (code === '3D000' || code === 'ENOTFOUND') {
    return new PawlError('usage', `There is no such study store: ${messageOf(error)}.`, 'Look at --store.');
  }
  return error;
}
