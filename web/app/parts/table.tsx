import { Fragment, type ComponentChildren } from 'preact';

import { Keyed } from './keyed-rows.tsx';

export interface Column<Row> {
  readonly name: string;
  /** Text to the left, numbers to the right. */
  readonly side?: 'left' | 'right';
  /** Left out where there is little room. */
  readonly spare?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
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
}) {
  const { caption, columns, rows, idOf, toneOf, detailOf } = props;
  return (
    <div class="table panel">
      <table>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, side, spare }) => (
              <th key={name} scope="col" class={classOf(side, spare)}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <Keyed>
          {rows.map((row) => {
            const detail = detailOf?.(row);
            return (
              <Fragment key={idOf(row)}>
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

function classOf(side: 'left' | 'right' | undefined, spare: boolean | undefined): string {
  return `${side ?? 'right'}${spare === true ? ' spare' : ''}`;
}
