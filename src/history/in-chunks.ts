/** SQLite takes 32,766 parameters a statement, PostgreSQL 65,535. */
const PARAMETERS = 30_000;

/** Rows of `columns` values each, as many at a time as one statement can take. */
export async function inChunks<Row>(
  rows: readonly Row[],
  columns: number,
  action: (rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  const size = Math.floor(PARAMETERS / columns);
  for (let start = 0; start < rows.length; start += size) await action(rows.slice(start, start + size));
}
