/** What the pages have in common. */
import { cloneElement, isValidElement, toChildArray, type ComponentChildren } from 'preact';

import type { Fact } from '../environment-facts.ts';

type NamedValue = readonly [name: string, value: ComponentChildren];

/** Names and values; what is not known is left out, and where nothing is known, the list. */
export function Facts(props: { readonly facts: readonly NamedValue[]; readonly class?: string }) {
  const known = knownFacts(props.facts);
  if (known.length === 0) return null;
  return (
    <dl class={props.class ?? 'panel'}>
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The same in one line. */
export function FactsLine({ facts }: { readonly facts: readonly NamedValue[] }) {
  return (
    <p class="facts">
      {separated(
        knownFacts(facts).map(([name, value]) => (
          <>
            {name} <b>{value}</b>
          </>
        )),
        ' · ',
      )}
    </p>
  );
}

function knownFacts(facts: readonly NamedValue[]): readonly NamedValue[] {
  return facts.filter(([, value]) => value !== undefined && value !== null && value !== '');
}

export function separated(
  items: readonly ComponentChildren[],
  separator: ComponentChildren,
): ComponentChildren[] {
  return items.flatMap((item, index) => (index === 0 ? [item] : [separator, item]));
}

/** More than these stand closer together. */
const MANY_COLUMNS = 12;

/**
 * A table. On a narrow screen each row becomes a card, in which the column's name stands before each value: every cell
 * carries it. Children are rows of one cell for each column.
 */
export function DataTable(props: {
  readonly columns: readonly (readonly [name: string, side?: 'left'])[];
  readonly class?: string;
  readonly caption?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class={`${props.class ?? 'table panel'}${props.columns.length > MANY_COLUMNS ? ' many' : ''}`}>
      <table>
        {props.caption !== undefined && <caption>{props.caption}</caption>}
        <thead>
          <tr>
            {props.columns.map(([name, side]) => (
              <th class={side} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{toChildArray(props.children).map((row) => namedCells(row, props.columns))}</tbody>
      </table>
    </div>
  );
}

function namedCells(row: ComponentChildren, columns: readonly (readonly [name: string, side?: 'left'])[]) {
  if (!isValidElement(row)) return row;
  const { children } = row.props as { readonly children?: ComponentChildren };
  const cells = toChildArray(children).map((cell, index) =>
    isValidElement(cell) ? cloneElement(cell, { 'data-name': columns[index]?.[0] }) : cell,
  );
  return cloneElement(row, {}, cells);
}

/** What a component that renders one cell has to hand on to it. */
export interface CellProps {
  readonly 'data-name'?: string | undefined;
}

/** A list with its title. Renders nothing if there are no items. */
export function Items(props: {
  readonly class: string;
  readonly title?: ComponentChildren;
  readonly label?: string;
  readonly items: readonly ComponentChildren[];
}) {
  const { title, label, items } = props;
  if (items.length === 0) return null;
  return (
    <section aria-label={label}>
      {title !== undefined && <h2>{title}</h2>}
      <ul class={props.class}>{items}</ul>
    </section>
  );
}

export function pairs(facts: readonly Fact[]): NamedValue[] {
  return facts.map(({ name, value }) => [name, value]);
}
