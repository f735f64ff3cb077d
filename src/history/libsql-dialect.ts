import type {
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  Driver,
  Kysely,
  QueryResult,
  TransactionSettings,
} from 'kysely';
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type Database from 'libsql';

import { isBusy } from './store-failure.ts';

/** How long a writer waits for its turn; a turn is one run, which takes well under a second. */
const TURN_MS = 60_000;
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;
/** Statements that are asked for again and again; the texts of long inserts differ, so the oldest leave. */
const STATEMENTS = 100;

/**
 * SQLite through libsql's synchronous interface. Kysely's own dialect begins transactions that only read until they
 * first write, and with several writers that write then fails at once; these take the write lock when they begin,
 * and wait for it without holding up the event loop.
 */
export class LibsqlDialect implements Dialect {
  readonly #open: () => Database.Database;

  constructor(open: () => Database.Database) {
    this.#open = open;
  }

  createDriver(): Driver {
    return new LibsqlDriver(this.#open);
  }

  createQueryCompiler() {
    return new SqliteQueryCompiler();
  }

  createAdapter() {
    return new SqliteAdapter();
  }

  createIntrospector(db: Kysely<unknown>) {
    return new SqliteIntrospector(db);
  }
}

class LibsqlDriver implements Driver {
  readonly #open: () => Database.Database;
  #connection: LibsqlConnection | undefined;
  /** The one connection's users, in order of arrival. */
  #turn: Promise<void> = Promise.resolve();
  #release: () => void = () => undefined;

  constructor(open: () => Database.Database) {
    this.#open = open;
  }

  init(): Promise<void> {
    this.#connection = new LibsqlConnection(this.#open());
    return Promise.resolve();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#turn;
    let release = () => undefined as void;
    this.#turn = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    this.#release = release;
    return this.#connection!;
  }

  async beginTransaction(_: DatabaseConnection, { accessMode }: TransactionSettings): Promise<void> {
    if (accessMode === 'read only') return this.#connection!.exec('begin');
    const patience = performance.now() + TURN_MS;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        return this.#connection!.exec('begin immediate');
      } catch (error) {
        if (!isBusy(error) || performance.now() > patience) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  commitTransaction(): Promise<void> {
    this.#connection!.exec('commit');
    return Promise.resolve();
  }

  rollbackTransaction(): Promise<void> {
    // A full disk ends the transaction by itself.
    if (this.#connection!.inTransaction) this.#connection!.exec('rollback');
    return Promise.resolve();
  }

  releaseConnection(): Promise<void> {
    this.#release();
    return Promise.resolve();
  }

  destroy(): Promise<void> {
    this.#connection?.close();
    return Promise.resolve();
  }
}

class LibsqlConnection implements DatabaseConnection {
  readonly #db: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();

  constructor(db: Database.Database) {
    this.#db = db;
  }

  get inTransaction(): boolean {
    return this.#db.inTransaction;
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = this.#prepare(sql);
    // A vacuum goes on page by page as its rows are asked for, and has no columns: `run` would end it after one page.
    if (statement.reader || sql.startsWith('pragma ')) {
      const rows = statement.all(parameters) as Record<string, unknown>[];
      for (const row of rows) withBytes(row);
      return Promise.resolve({ rows: rows as Row[] });
    }
    const { changes } = statement.run(parameters);
    return Promise.resolve({ rows: [], numAffectedRows: BigInt(changes) });
  }

  // oxlint-disable-next-line require-yield
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('streaming is not needed: large answers are read in pages');
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  #prepare(sql: string): Database.Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql);
    if (this.#statements.size >= STATEMENTS) {
      this.#statements.delete(this.#statements.keys().next().value!);
    }
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** libsql hands out a blob as an `ArrayBuffer`; pg as bytes. */
function withBytes(row: Record<string, unknown>): void {
  for (const name in row) {
    const value = row[name];
    if (value instanceof ArrayBuffer) row[name] = new Uint8Array(value);
  }
}
