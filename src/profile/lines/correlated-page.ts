/**
 * Reads ncu's source page with both texts (`--page source --csv --print-source cuda,sass`): a table per file, a row per
 * line of it, and below it the line's instructions. One that was inlined stands below its line and below its callers'.
 */
import { linesOf, splitRecord } from '../ncu/ncu-csv.ts';
import type { CapturedLines, FunctionLines, Located, Place } from './code-lines.ts';
import { readSourcePage, type SourceTable } from './source-page.ts';

export interface CorrelatedPage {
  readonly captured: readonly CapturedLines[];
  /** The source that the page holds. */
  readonly textOf: (file: string, line: number) => string | undefined;
}

const DIALECT = { separator: ',', quotesAll: true } as const;

/** One function, from all files that it has lines of. */
interface OpenFunction {
  readonly name: string;
  readonly files: Set<string>;
  /** The page's own rows, as a table by instruction has them. */
  readonly rows: string[];
  readonly places: Map<string, Place[]>;
}

/** Undefined for a page without lines of the source. */
export function readCorrelatedPage(text: string): CorrelatedPage | undefined {
  const functions: OpenFunction[] = [];
  const sources = new Map<string, string>();
  let file = '';
  let columns: { readonly line: number; readonly source: number; readonly address: number } | undefined;
  let line = 0;
  for (const { text: row } of linesOf(text)) {
    if (!row.startsWith('"')) continue;
    const record = splitRecord(row, DIALECT);
    if (record.state !== 'whole') continue;
    const { fields } = record;
    if (fields[0] === 'File Path') [file, columns] = [fields[1] ?? '', undefined];
    else if (fields[0] === 'Function Name') open(fields[1] ?? '');
    else if (fields[0] === 'Kernel Name') [file, columns] = ['', undefined];
    else if (fields.includes('Line No') && fields.includes('Address')) {
      columns = {
        line: fields.indexOf('Line No'),
        source: fields.indexOf('Source'),
        address: fields.indexOf('Address'),
      };
      functions.at(-1)?.rows.push(row);
      line = 0;
    } else if (columns !== undefined) add(fields, row);
  }
  const captured = functions.flatMap(capturedOf);
  if (captured.length === 0) return undefined;
  return { captured, textOf: (name, number) => sources.get(`${name}:${number}`) };

  /** A file that the function has already is that of its next launch. */
  function open(name: string): void {
    const last = functions.at(-1);
    if (last === undefined || last.name !== name || last.files.has(file))
      functions.push({ name, files: new Set(), rows: [], places: new Map() });
    functions.at(-1)!.files.add(file);
  }

  function add(fields: readonly string[], row: string): void {
    const own = functions.at(-1);
    if (own === undefined || columns === undefined) return;
    const number = fields[columns.line] ?? '';
    if (/^\d+$/u.test(number)) {
      line = Number(number);
      sources.set(`${file}:${line}`, (fields[columns.source] ?? '').trim());
    }
    const address = fields[columns.address] ?? '';
    if (!/^(?:0x)?[0-9a-f]+$/iu.test(address) || line === 0) return;
    const places = own.places.get(address);
    if (places === undefined) own.rows.push(row);
    own.places.set(address, [...(places ?? []), { file, line }]);
  }
}

function capturedOf({ name, rows, places }: OpenFunction): CapturedLines[] {
  const [header, ...instructions] = rows.filter((row, index) => index === 0 || !row.startsWith('"Line No"'));
  if (header === undefined) return [];
  const addressOf = (row: string): bigint => BigInt(/"(0x[0-9a-f]+)"/iu.exec(row)?.[1] ?? '0');
  const ordered = instructions.toSorted((one, other) => (addressOf(one) < addressOf(other) ? -1 : 1));
  const page = [`"Function Name","${name.replaceAll('"', '""')}"`, header, ...ordered].join('\n');
  const [table] = readSourcePage(page).tables;
  return table === undefined ? [] : [{ table, lines: functionLines(table, places) }];
}

function functionLines(
  { first, instructions }: SourceTable,
  places: ReadonlyMap<string, readonly Place[]>,
): FunctionLines {
  const size = new Map<string, number>();
  for (const each of places.values())
    for (const key of new Set(each.map(keyOf))) size.set(key, (size.get(key) ?? 0) + 1);
  const rows: { address: number; located: Located }[] = [];
  for (const { address } of instructions) {
    const found = places.get(`0x${(first + address).toString(16)}`);
    if (found === undefined) continue;
    const located = chainOf(found, size);
    // A row holds until the next begins, as in the compiler's own table.
    if (rows.length === 0 || textOf(rows.at(-1)!.located) !== textOf(located))
      rows.push({ address, located });
  }
  return rows;
}

/**
 * Of the lines that ncu puts an instruction to, the one with the most of the function's code is taken for where it was
 * written: a call has the instructions alone that ncu counts to both. How they are nested is not on the page.
 */
function chainOf(places: readonly Place[], size: ReadonlyMap<string, number>): Located {
  const distinct = new Map(places.map((place) => [keyOf(place), place]));
  const [place, ...callers] = [...distinct]
    .toReversed()
    .toSorted(([one], [other]) => (size.get(other) ?? 0) - (size.get(one) ?? 0))
    .map(([, each]) => each);
  return { place: place!, callers };
}

function textOf({ place, callers }: Located): string {
  return [place, ...callers].map(keyOf).join(' ');
}

function keyOf({ file, line }: Place): string {
  return `${file}:${line}`;
}
