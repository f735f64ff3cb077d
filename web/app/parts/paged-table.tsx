import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';

import { Table } from './table.tsx';

/** A browser takes seconds to lay out thousands of rows, and few are read. */
const FIRST_ROWS = 100;
const MORE_ROWS = 400;

/** A table that shows its first rows, and more of them when asked. */
export function PagedTable<Row>(props: ComponentProps<typeof Table<Row>>) {
  const { rows } = props;
  const [most, setMost] = useState(FIRST_ROWS);
  const left = rows.length - most;
  return (
    <>
      <Table {...props} rows={rows.slice(0, most)} />
      {left <= 0 ? null : (
        <button type="button" class="more" onClick={() => setMost(most + MORE_ROWS)}>
          {`${Math.min(left, MORE_ROWS)} more of ${rows.length} rows`}
        </button>
      )}
    </>
  );
}
