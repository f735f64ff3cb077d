import type { EntryKey, LogRecord, Provenance, WaiveRecord } from '../../model/judge/baseline.ts';
import { caseLabel } from '../../model/judge/case-key.ts';
import { faultText, type Fault } from '../../model/measure/fault.ts';
import { loadTexts, type Load } from '../../model/device/load.ts';
import { padEnd, padStart, plainText, rowText } from '../text/plain-text.ts';
import { timeText } from '../text/units.ts';

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
  if (!exists) return `There is no baseline at ${path} yet. \`pawl check --update\` writes one.\n`;
  const rows = entries.map(({ text, median_ms, processes, provenance }) => [
    timeText(median_ms),
    `${processes} ${processes === 1 ? 'process' : 'processes'}`,
    originText(provenance),
    plainText(text),
  ]);
  return lines([
    `${path}: ${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}`,
    ...table(rows, columns),
    ...waivers.map(
      ({ n, pattern, expires, author, reason, slower_pct }) =>
        `waiver ${n}: ${plainText(pattern)} ${slower_pct === undefined ? 'however slow' : `up to ${slower_pct} % slower`} until ${expires}, ${plainText(author)}: ${plainText(reason)}`,
    ),
    ...problems.map((problem) => `✗ ${plainText(problem)}`),
  ]);
}

function originText({ how, time, commit, dirty, load }: Provenance): string {
  const changes = dirty === true ? ' + changes' : '';
  const under = load === undefined ? '' : ', under load';
  return `${how} ${time.slice(0, 10)} at ${commit?.slice(0, 10) ?? 'no commit'}${changes}${under}`;
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
  readonly loaded: readonly { readonly key: EntryKey; readonly load: Load; readonly isKept: boolean }[];
}

export function renderAdvance(result: Advanced): string {
  const { first, advanced, accepted, kept, refused, unproven, loaded } = result;
  return lines(
    table([
      ...first.map(({ key, note }) => ['first', caseText(key), plainText(note)]),
      ...advanced.map((key) => ['advanced', caseText(key), '']),
      ...accepted.map((key) => ['accepted', caseText(key), '']),
      ...kept.map(({ key, why }) => ['kept', caseText(key), plainText(why)]),
      ...refused.map(({ case: name, fault }) => ['refused', plainText(name), plainText(faultText(fault))]),
      ...unproven.map(({ case: name, why }) => ['unproven', plainText(name), plainText(why)]),
      ...loaded.map(({ key, load, isKept }) => [
        isKept ? 'under load' : 'left out',
        caseText(key),
        `${loadTexts(load).join('; ')}${isKept ? '' : ': measure again on an idle machine, or --accept-load'}`,
      ]),
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
  readonly history: {
    readonly state: 'checked' | 'not-committed' | 'no-repository';
    readonly shallow?: boolean;
    readonly breaks?: readonly { readonly message: string }[];
  };
}

export function renderVerification({ path, sound, problems, signature, history }: Verified): string {
  const faults = [...problems, ...(history.breaks ?? []).map(({ message }) => message)];
  return lines([
    sound ? `✓ ${path} is as Pawl wrote it` : `✗ ${path} is not as Pawl wrote it`,
    ...faults.map((fault) => `  ✗ ${plainText(fault)}`),
    `  history: ${HISTORY[history.state]} · signature: ${signature}`,
    ...(history.shallow === true ? SHALLOW : []),
  ]);
}

const HISTORY: Readonly<Record<Verified['history']['state'], string>> = {
  checked: 'every version in this clone was checked',
  'not-committed': 'not checked: the file is in no commit',
  'no-repository': 'not checked: this folder is not in a git repository',
};

const SHALLOW = [
  '  ! this clone is shallow: versions of the file before its oldest commit were not checked',
  '    → git fetch --unshallow, and verify again',
];

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
