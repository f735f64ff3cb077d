import { splitRecord, type CsvDialect } from './ncu-csv.ts';

/** What ncu says about a launch beside its metrics, by column name; 2021's files have `Kernel Time` and no sizes. */
const IDENTITY_COLUMNS = new Set([
  'ID',
  'Process ID',
  'Process Name',
  'Host Name',
  'Kernel Name',
  'Kernel Time',
  'Context',
  'Stream',
  'Block Size',
  'Grid Size',
  'Device',
  'CC',
  'Invocations',
]);

/** `gpu__time_duration.sum`, `inst_executed`, `FBSP.TriageCompute.dramc__throughput.avg`. */
const METRIC_NAME = /^[A-Za-z][\w.:]*\w$/;

export function isMetricName(text: string): boolean {
  return text.includes('_') && METRIC_NAME.test(text);
}

/** The first row of a table: which page it is, and which column holds what. */
export interface NcuHeader {
  readonly page: 'raw' | 'details';
  readonly line: number;
  readonly dialect: CsvDialect;
  readonly width: number;
  /** The header ends with a separator, and so may its rows. */
  readonly hasTail: boolean;
  /** Columns by name, but a raw page's metrics. */
  readonly columns: ReadonlyMap<string, number>;
  /** A raw page's metrics. */
  readonly metrics: readonly { readonly name: string; readonly column: number }[];
  /** Columns that say which launch a row is about. */
  readonly identity: readonly number[];
  /** Columns that are none of these. */
  readonly unknown: readonly string[];
}

/** Finds a header by its columns, wherever they stand. `undefined`: the line is none. */
export function parseHeader(text: string, line: number): NcuHeader | undefined {
  if (!text.includes('Kernel Name')) return undefined;
  // A program that prints without a line break leaves its words before the header.
  const start = text.indexOf('"ID"');
  const header = start > 0 && !text.startsWith('"') ? text.slice(start) : text;
  const quotesAll = header.trimStart().startsWith('"');
  for (const separator of [',', ';', '\t']) {
    const dialect = { separator, quotesAll };
    const record = splitRecord(header, dialect);
    if (record.state !== 'whole' || record.fields.length < 3) continue;
    const found = headerOf(record.fields, dialect, line);
    if (found !== undefined) return found;
  }
  return undefined;
}

const HEADER_WORDS = ['Kernel Name', 'Process ID', 'Metric Name'];
const HEADER_FIELD =
  /(?:^|[^\w ])(?:ID|Process ID|Process Name|Host Name|Kernel Name|Context|Stream|Block Size|Grid Size|Device|CC|(?:Section|Metric|Rule) Name|Metric (?:Unit|Value))(?=$|[^\w ])/g;

/** A header that is damaged: the rows after it are not those of the table before. */
export function isBrokenHeader(text: string): boolean {
  if (!HEADER_WORDS.some((word) => text.includes(word))) return false;
  return (text.match(HEADER_FIELD)?.length ?? 0) > 1;
}

const FRAGMENT_WORDS = new Set([
  ...IDENTITY_COLUMNS,
  'Section Name',
  'Metric Name',
  'Metric Unit',
  'Metric Value',
  'Minimum',
  'Maximum',
  'Average',
  'Rule Name',
  'Rule Type',
  'Rule Description',
  'Estimated Speedup Type',
  'Estimated Speedup',
]);

/** What is left of a header whose start or end is lost. Only to be asked about lines that are not rows. */
export function isHeaderFragment(text: string, { separator, quotesAll }: CsvDialect): boolean {
  // Keys of JSON that a program prints are not columns.
  const fields = quotesAll
    ? Array.from(text.matchAll(/"([^"]+)"(?!\s*:)/g), ([, field = '']) => field)
    : text.split(separator);
  const names = fields.map((field) => field.trim());
  const words = names.filter((name) => FRAGMENT_WORDS.has(name)).length;
  return words > 1 || names.filter((name) => name.includes('__') && isMetricName(name)).length > 2;
}

function headerOf(fields: readonly string[], dialect: CsvDialect, line: number): NcuHeader | undefined {
  const names = fields.map((field) => field.trim());
  // A last separator with nothing after it is not a column.
  const hasTail = names.at(-1) === '';
  const width = hasTail ? names.length - 1 : names.length;
  const columns = new Map<string, number>();
  const metrics: { name: string; column: number }[] = [];
  const unknown: string[] = [];
  const isDetails = names.includes('Metric Name');
  for (const [column, name] of names.slice(0, width).entries()) {
    if (!isDetails && isMetricName(name)) metrics.push({ name, column });
    else if (columns.has(name)) return undefined;
    else {
      columns.set(name, column);
      if (!isDetails && !IDENTITY_COLUMNS.has(name)) unknown.push(name);
    }
  }
  if (!columns.has('Kernel Name')) return undefined;
  // Two headers on one line, where a file was cut off and another joined to it.
  if (names.some(isBrokenHeader)) return undefined;
  if (isDetails && !columns.has('Metric Value') && !columns.has('Average')) return undefined;
  if (!isDetails && metrics.length === 0) return undefined;
  const identity = [...columns].flatMap(([name, column]) => (IDENTITY_COLUMNS.has(name) ? [column] : []));
  return {
    page: isDetails ? 'details' : 'raw',
    line,
    dialect,
    width,
    hasTail,
    columns,
    metrics,
    identity,
    unknown,
  };
}
