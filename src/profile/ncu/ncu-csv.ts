/** How a table writes its fields: ncu quotes all of them; spreadsheets that saved the file again quote some. */
export interface CsvDialect {
  readonly separator: string;
  readonly quotesAll: boolean;
}

/** `open`: the line ends inside the last of `fields`. */
export type CsvRecord =
  | { readonly state: 'whole'; readonly fields: readonly string[] }
  | { readonly state: 'open'; readonly fields: readonly string[] }
  | { readonly state: 'broken'; readonly why: string };

const STRAY_QUOTE = { state: 'broken', why: 'has a misplaced quote' } as const;

/** One line into its fields (RFC 4180), refusing what no writer of the dialect writes. */
export function splitRecord(line: string, dialect: CsvDialect): CsvRecord {
  return quickSplit(line, dialect) ?? carefulSplit(line, dialect);
}

/** Nearly every line: all fields quoted, no quote within, perhaps a last separator with nothing after it. */
function quickSplit(line: string, { separator, quotesAll }: CsvDialect): CsvRecord | undefined {
  if (!quotesAll || !line.startsWith('"')) return undefined;
  const hasTail = line.endsWith(`"${separator}`);
  if (!hasTail && !line.endsWith('"')) return undefined;
  if (line.length < 2) return undefined;
  const fields = line.slice(1, hasTail ? -2 : -1).split(`"${separator}"`);
  if (fields.some((field) => field.includes('"'))) return undefined;
  if (hasTail) fields.push('');
  return { state: 'whole', fields };
}

function carefulSplit(line: string, { separator, quotesAll }: CsvDialect): CsvRecord {
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    while (line[at] === ' ') at++;
    if (line[at] === '"') {
      const end = closingQuote(line, at + 1);
      if (end === -1) {
        fields.push(unescaped(line.slice(at + 1)));
        return { state: 'open', fields };
      }
      fields.push(unescaped(line.slice(at + 1, end)));
      at = end + 1;
      while (line[at] === ' ') at++;
      if (at < line.length && line[at] !== separator) return STRAY_QUOTE;
    } else {
      const next = line.indexOf(separator, at);
      const field = line.slice(at, next === -1 ? line.length : next).trim();
      if (field.includes('"')) return STRAY_QUOTE;
      if (quotesAll && field !== '') return { state: 'broken', why: 'has a field without quotes' };
      fields.push(field);
      at = next === -1 ? line.length : next;
    }
    if (at >= line.length) return { state: 'whole', fields };
    at += separator.length;
    if (at >= line.length) return { state: 'whole', fields: [...fields, ''] };
  }
}

/** The quote that ends a field; a doubled one stands for itself. */
function closingQuote(line: string, from: number): number {
  for (let at = line.indexOf('"', from); at !== -1; at = line.indexOf('"', at + 1)) {
    if (line[at + 1] !== '"') return at;
    at += 1;
  }
  return -1;
}

function unescaped(field: string): string {
  return field.includes('"') ? field.replaceAll('""', '"') : field;
}

export interface TextLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** The file ends here without a line break: the line may be cut off. */
  readonly isUnfinished: boolean;
}

/** The lines of a text, whichever line breaks it has, in one pass. */
export function* linesOf(text: string): Generator<TextLine> {
  let number = 0;
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at);
    const stop = end === -1 ? text.length : end;
    number += 1;
    const line = text.slice(at, stop > at && text[stop - 1] === '\r' ? stop - 1 : stop);
    yield { number, text: line, isUnfinished: end === -1 };
    at = stop + 1;
  }
}
