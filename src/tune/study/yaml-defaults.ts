import { isMap, isScalar, isSeq, parseDocument, stringify, type Node } from 'yaml';

import { PawlError } from '../../model/pawl-error.ts';
import type { TunableValue, Variant } from '../../model/problem/variant.ts';

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The text of a pawl.yaml with other defaults of a kernel's tunables. Only the values themselves are rewritten:
 * comments, quotes, order and spacing of everything else stay as they are.
 *
 * @throws {PawlError} where the file writes a tunable in a way that has no place for a default
 */
export function withTunableDefaults(text: string, kernel: string, defaults: Variant): string {
  const document = parseDocument(text, { keepSourceTokens: true });
  const edits = Object.entries(defaults).map(([tunable, value]) =>
    editFor(text, document.getIn(['kernels', kernel, 'tunables', tunable], true), tunable, value),
  );
  let result = text;
  // From the end, so that the places of the others stay right.
  for (const { start, end, text: written } of edits.toSorted((one, other) => other.start - one.start)) {
    result = result.slice(0, start) + written + result.slice(end);
  }
  return result;
}

function editFor(text: string, node: unknown, tunable: string, value: TunableValue): Edit {
  const written = stringify(value).trim();
  if (isSeq(node)) {
    const { start, end } = rangeOf(node);
    const list = text.slice(start, end);
    // A list alone has no place for a default: it becomes the values of a mapping.
    if (node.flow === true) return { start, end, text: `{ values: ${list}, default: ${written} }` };
    if (list.includes('#')) throw unwritable(tunable, value);
    const values = node.items.map((item) => (isScalar(item) ? text.slice(...span(item)) : ''));
    const tail = /\s*$/.exec(list)?.[0] ?? '';
    return { start, end, text: `{ values: [${values.join(', ')}], default: ${written} }${tail}` };
  }
  if (!isMap(node)) throw unwritable(tunable, value);
  const pairOf = (name: string) => node.items.find(({ key }) => isScalar(key) && key.value === name);
  const existing = pairOf('default')?.value;
  if (isScalar(existing)) return { ...rangeOf(existing), text: written };
  const values = pairOf('values');
  if (existing !== undefined || !isSeq(values?.value) || !isScalar(values.key))
    throw unwritable(tunable, value);
  if (node.flow === true) {
    const { end } = rangeOf(values.value);
    return { start: end, end, text: `, default: ${written}` };
  }
  const { start } = rangeOf(values.key);
  const indent = ' '.repeat(start - (text.lastIndexOf('\n', start - 1) + 1));
  return { start, end: start, text: `default: ${written}\n${indent}` };
}

function rangeOf(node: Node): { readonly start: number; readonly end: number } {
  const [start, end] = span(node);
  return { start, end };
}

/** Of the value itself, without what follows it. */
function span({ range }: Node): [start: number, end: number] {
  if (range === null || range === undefined) throw new Error('a node of a parsed document has no range');
  return [range[0], range[1]];
}

function unwritable(tunable: string, value: TunableValue): PawlError {
  return new PawlError(
    'bad-data',
    `The way pawl.yaml writes ${tunable} has no place for a default.`,
    `Write it as { values: […], default: ${String(value)} }.`,
  );
}
