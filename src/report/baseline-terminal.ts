import type { EntryKey, LogRecord, Provenance, WaiveRecord } from '../model/baseline.ts';
import { caseLabel } from '../model/case-key.ts';
import { faultText, type Fault } from '../model/fault.ts';
import { padEnd, padStart, plainText, rowText } from './plain-text.ts';
import { timeText } from './units.ts';

/** What `pawl ratchet show` has to say. */
interface ShownBaseline {
  readonly path: string;
  readonly exists: boolean;
  readonly entries: readonly {
    readonly text: string;
    readonly median_ms: number;
    readonly processes: number;
    readonly provenance: Provenance;
  }[];
  readonly waivers: readonly WaiveRecord[];
  readonly problems: readonly string[];
}

export function renderBaseline(
  { path, exists, entries, waivers, problems }: ShownBaseline,
  columns?: number,
): string {
  if (!exists) return `There is no baseline yet at ${path}. \`pawl check --update\` writes one.\n`;
  const rows = entries.map(({ text, median_ms, processes, provenance }) => [
    timeText(median_ms),
    `${processes} ${processes === 1 ? 'process' : 'processes'}`,
    `${provenance.how} ${provenance.time.slice(0, 10)} at ${provenance.commit?.slice(0, 10) ?? 'no commit'}`,
    plainText(text),
  ]);
  return lines([
    `${path}: ${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}`,
    ...table(rows, columns),
    ...waivers.map(
      ({ n, pattern, expires, author, reason }) =>
        `waiver ${n}: ${plainText(pattern)} until ${expires}, ${plainText(author)}: ${plainText(reason)}`,
    ),
    ...problems.map((problem) => `✗ ${plainText(problem)}`),
  ]);
}

export function renderBaselineLog(records: readonly LogRecord[], columns?: number): string {
  const rows = records.map((record) => [
    `${record.n}`,
    record.time.slice(0, 16).replace('T', ' '),
    record.type,
    'key' in record ? caseText(record.key) : '',
    plainText(record.summary) + ('reason' in record ? ` (${plainText(record.reason)})` : ''),
    `${plainText(record.author)}${record.commit === undefined ? '' : ` at ${record.commit.slice(0, 10)}`}`,
  ]);
  return rows.length === 0 ? 'The log is empty.\n' : lines(table(rows, columns));
}

interface Advanced {
  readonly first: readonly { readonly key: EntryKey; readonly note: string }[];
  readonly advanced: readonly EntryKey[];
  readonly accepted: readonly EntryKey[];
  readonly kept: readonly { readonly key: EntryKey; readonly why: string }[];
  readonly refused: readonly { readonly case: string; readonly fault: Fault }[];
  readonly unproven: readonly { readonly case: string; readonly why: string }[];
}

export function renderAdvance({ first, advanced, accepted, kept, refused, unproven }: Advanced): string {
  return lines(
    table([
      ...first.map(({ key, note }) => ['first', caseText(key), plainText(note)]),
      ...advanced.map((key) => ['advanced', caseText(key), '']),
      ...accepted.map((key) => ['accepted', caseText(key), '']),
      ...kept.map(({ key, why }) => ['kept', caseText(key), plainText(why)]),
      ...refused.map(({ case: name, fault }) => ['refused', plainText(name), plainText(faultText(fault))]),
      ...unproven.map(({ case: name, why }) => ['unproven', plainText(name), plainText(why)]),
    ]),
  );
}

function caseText(key: EntryKey): string {
  return plainText(caseLabel(key));
}

interface Verified {
  readonly path: string;
  readonly sound: boolean;
  readonly problems: readonly string[];
  readonly signature: string;
  readonly history: { readonly state: string; readonly breaks?: readonly { readonly message: string }[] };
}

export function renderVerification({ path, sound, problems, signature, history }: Verified): string {
  const faults = [...problems, ...(history.breaks ?? []).map(({ message }) => message)];
  return lines([
    sound ? `✓ ${path} is as Pawl wrote it` : `✗ ${path} is not as Pawl wrote it`,
    ...faults.map((fault) => `  ✗ ${plainText(fault)}`),
    `  history: ${history.state} · signature: ${signature}`,
  ]);
}

/** Without a number of columns, as in a pipe, a row is a line. */
function table(rows: readonly (readonly string[])[], columns = Number.POSITIVE_INFINITY): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => {
    const cells = row.map((cell, column) => (column === 0 ? padStart : padEnd)(cell, widths[column] ?? 0));
    return rowText(cells, columns - 2).replaceAll(/^/gmu, '  ');
  });
}

function lines(parts: readonly string[]): string {
  return `${parts.join('\n')}\n`;
}
