import type { Kysely } from 'kysely';

/** What the engines spell differently in a table's definition; nothing else of a query differs. */
export interface ColumnTypes {
  readonly number: 'integer' | 'bigserial';
  readonly bytes: 'blob' | 'bytea';
}

/** One version of the tables. Both ways keep every fact that the other version can hold. */
export interface Migration {
  readonly version: number;
  up(db: Kysely<unknown>, types: ColumnTypes): Promise<void>;
  down(db: Kysely<unknown>, types: ColumnTypes): Promise<void>;
}
