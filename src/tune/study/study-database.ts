import type { Pool, PoolClient, QueryResultRow } from 'pg';

import { codeOf, isPassing, messageOf, retry } from '../../os/postgres.ts';
import { postgresPool } from '../../os/postgres-pool.ts';
import { PawlError } from '../../model/pawl-error.ts';

export type Connection = PoolClient;

export interface DatabaseOptions {
  /** How long a database that went away is waited for. */
  readonly patience_s: number;
  /** For the first answer: an address that is wrong should be told at once. */
  readonly firstPatience_s?: number;
}

const FIRST_PATIENCE_S = 15;
/** A connection whose other end is gone without a word would otherwise never answer. */
const QUERY_TIMEOUT_MS = 60_000;
const LONGEST_PAUSE_MS = 3000;
/**
 * A worker that is suspended in the middle of a transaction keeps its locks, and every other worker waits for them: the
 * server ends it. For each transaction by itself, since poolers refuse settings of a whole connection.
 */
const BEGIN = "begin; set local idle_in_transaction_session_timeout = '10s'";

/** A PostgreSQL that may be restarted while it is used: work is done again until it is done or patience ends. */
export class StudyDatabase {
  readonly #pool: Pool;
  readonly #patience_ms: number;
  #hasAnswered = false;

  private constructor(url: string, patience_ms: number) {
    this.#patience_ms = patience_ms;
    this.#pool = postgresPool(url, { max: 2, query_timeout: QUERY_TIMEOUT_MS });
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
      await client.query(BEGIN);
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
    // Later it is a name server's trouble, which passes.
    const isWrongAddress = (error: unknown) => !this.#hasAnswered && codeOf(error) === 'ENOTFOUND';
    const mayPass = (error: unknown) => !isWrongAddress(error) && isPassing(error);
    try {
      const patience = { patience_ms, mayPass, longestPause_ms: LONGEST_PAUSE_MS };
      const result = await retry(() => this.#once(work), patience);
      this.#hasAnswered = true;
      return result;
    } catch (error) {
      throw mayPass(error) ? unavailable(error) : explained(error);
    }
  }

  async #once<Result>(work: (client: Connection) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect();
    let isSound = false;
    try {
      const result = await work(client);
      isSound = true;
      return result;
    } finally {
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
