import { Fragment, type ComponentChildren } from 'preact';

import { adjust } from '../common/router.ts';
import { Keyed } from './keyed-rows.tsx';

export interface Column<Row> {
  readonly name: string;
  /** Text to the left, numbers to the right. */
  readonly side?: 'left' | 'right';
  /** Left out where there is little room. */
  readonly spare?: boolean;
  /** What rows are ordered by when its head is pressed; kept in the address as `sort`, with `-` for the other way. */
  readonly sort?: string;
  readonly cell: (row: Row) => ComponentChildren;
}

/** Rows of one group follow each other, under a head of their own. */
export interface Grouping<Row> {
  readonly of: (row: Row) => string;
  readonly head: (name: string) => ComponentChildren;
}

/** On narrow screens each row becomes a card, with the column's name before each value. */
export function Table<Row>(props: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  readonly toneOf?: (row: Row) => string;
  /** What is shown below a row that is open; undefined where it is not. */
  readonly detailOf?: (row: Row) => ComponentChildren;
  /** As the address has it. */
  readonly sorted?: string | undefined;
  readonly grouped?: Grouping<Row> | undefined;
}) {
  const { caption, columns, rows, idOf, toneOf, detailOf, sorted, grouped } = props;
  return (
    <div class="table panel">
      <table>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.name} column={column} sorted={sorted} />
            ))}
          </tr>
        </thead>
        <Keyed>
          {rows.map((row, at) => {
            const detail = detailOf?.(row);
            const group = grouped?.of(row);
            const before = rows[at - 1];
            const isFirst = before === undefined || grouped?.of(before) !== group;
            return (
              <Fragment key={idOf(row)}>
                {group !== undefined && isFirst ? (
                  <tr class="group">
                    <th colSpan={columns.length} scope="rowgroup">
                      {grouped?.head(group)}
                    </th>
                  </tr>
                ) : null}
                <tr class={toneOf?.(row) ?? ''} data-row={idOf(row)}>
                  {columns.map(({ name, side, spare, cell }) => (
                    <td key={name} class={classOf(side, spare)} data-name={name}>
                      {cell(row)}
                    </td>
                  ))}
                </tr>
                {detail === undefined ? null : (
                  <tr class="detail">
                    <td colSpan={columns.length}>{detail}</td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </Keyed>
      </table>
    </div>
  );
}

function Head<Row>({
  column: { name, side, spare, sort },
  sorted,
}: {
  readonly column: Column<Row>;
  readonly sorted: string | undefined;
}) {
  const classes = classOf(side, spare);
  if (sort === undefined)
    return (
      <th scope="col" class={classes}>
        {name}
      </th>
    );
  const isDown = sorted === `-${sort}`;
  const order = sorted === sort ? 'ascending' : isDown ? 'descending' : 'none';
  const marks = { ascending: ' ▲', descending: ' ▼', none: '' } as const;
  return (
    <th scope="col" class={classes} aria-sort={order}>
      <button
        type="button"
        class="sort"
        onClick={() => adjust({ sort: sorted === sort ? `-${sort}` : sort })}
      >
        {name}
        <span aria-hidden="true">{marks[order]}</span>
      </button>
    </th>
  );
}

function classOf(side: 'left' | 'right' | undefined, spare: boolean | undefined): string {
  return `${side ?? 'right'}${spare === true ? ' spare' : ''}`;
}
