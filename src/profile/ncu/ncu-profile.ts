import type { LaunchProfile, Profile } from '../../model/profile/profile.ts';
import { linesOf, splitRecord, type CsvRecord, type TextLine } from './ncu-csv.ts';
import { DetailsTable } from './ncu-details-table.ts';
import { noLaunchError } from './ncu-failure.ts';
import { isBrokenHeader, isHeaderFragment, parseHeader, type NcuHeader } from './ncu-header.ts';
import type { LaunchBuilder } from './ncu-launch.ts';
import { NcuProblems, quoted } from './ncu-problems.ts';
import { RawTable } from './ncu-raw-table.ts';

/** A field that breaks over more lines than this is a quote that never ends. */
const MAX_BROKEN_LINES = 40;

/**
 * Reads what `ncu --csv` printed, with whatever else the file holds: ncu's own messages and the program's output
 * before, between and after the rows, and several tables one after the other. Strict about meaning: a row that is
 * cut off or does not fit its header is left out and said. `file` names it in messages.
 */
export function parseNcuProfile(text: string, file = 'the file'): Profile {
  const reader = new NcuCsvReader();
  for (const line of linesOf(text.startsWith('\uFEFF') ? text.slice(1) : text)) reader.add(line);
  const { source, launches, problems } = reader.finish();
  if (launches.length === 0) throw noLaunchError(file, text, problems);
  return { source, launches, problems };
}

interface OpenRow {
  readonly line: number;
  text: string;
  more: number;
}

class NcuCsvReader {
  readonly #problems = new NcuProblems();
  readonly #raw: LaunchBuilder[] = [];
  readonly #details: LaunchBuilder[] = [];
  #header: NcuHeader | undefined;
  #table: RawTable | DetailsTable | undefined;
  #open: OpenRow | undefined;

  add(line: TextLine): void {
    const { text, number } = line;
    if (this.#open !== undefined && this.#continue(this.#open, line)) return;
    if (text.startsWith('==')) {
      if (text.startsWith('==ERROR=='))
        this.#problems.add('errors of ncu', number, `ncu says ${quoted(text)}`);
      return;
    }
    const header = parseHeader(text, number);
    if (header !== undefined) {
      this.#endTable();
      this.#header = header;
      this.#table =
        header.page === 'raw'
          ? new RawTable(header, this.#problems)
          : new DetailsTable(header, this.#problems);
    } else if (isBrokenHeader(text)) {
      this.#endAtBrokenHeader(number);
    } else if (this.#header !== undefined && isRowLike(text, this.#header)) {
      this.#addRow(splitRecord(text, this.#header.dialect), line);
    } else if (this.#header !== undefined && isHeaderFragment(text, this.#header.dialect)) {
      this.#endAtBrokenHeader(number);
    }
  }

  finish(): Profile {
    this.#endTable();
    giveRules(this.#details, this.#raw);
    const source = this.#raw.length > 0 ? 'raw' : 'details';
    const launches: readonly LaunchProfile[] = [...this.#raw, ...this.#details]
      .filter((launch) => !launch.isEmpty && !launch.isMerged)
      .map((launch) => launch.profile());
    return { source, launches, problems: this.#problems.list() };
  }

  #addRow(record: CsvRecord, { number, text, isUnfinished }: TextLine): void {
    const table = this.#table;
    if (table === undefined || this.#header === undefined) return;
    if (record.state === 'open') {
      if (record.fields.length - 1 === table.breakableColumn) this.#open = { line: number, text, more: 0 };
      else this.#leaveOut(number, 'is cut off', text);
    } else if (record.state === 'broken') {
      this.#leaveOut(number, record.why, text);
    } else if (!table.fits(record.fields)) {
      const why = `has ${record.fields.length} fields where the header has ${this.#header.width}`;
      this.#leaveOut(number, why, text);
    } else {
      // Without quotes and a line break, the last number may be cut off.
      const mayBeCut = isUnfinished && !text.trimEnd().endsWith('"');
      table.addRow(mayBeCut ? [...record.fields.slice(0, -1), ''] : record.fields, number);
      if (mayBeCut && record.fields.at(-1) !== '') {
        this.#problems.add('fields left out', number, 'the last field may be cut off: left out');
      }
    }
  }

  /** True where the line belongs to a row that is still open. */
  #continue(open: OpenRow, line: TextLine): boolean {
    const header = this.#header;
    const endsHere = /^(?:"\d+"|==)/.test(line.text) || open.more >= MAX_BROKEN_LINES || header === undefined;
    if (endsHere) {
      this.#open = undefined;
      this.#leaveOut(open.line, 'is cut off', open.text);
      return false;
    }
    open.text += `\n${line.text}`;
    open.more += 1;
    const record = splitRecord(open.text, header.dialect);
    if (record.state === 'open') return true;
    this.#open = undefined;
    this.#addRow(withoutEstimate(record, header), { ...line, number: open.line });
    return true;
  }

  #endAtBrokenHeader(line: number): void {
    this.#endTable();
    this.#problems.add('broken headers', line, 'a header is broken: the rows after it are left out');
  }

  #leaveOut(line: number, why: string, text: string): void {
    if (this.#header !== undefined && isHeaderFragment(text, this.#header.dialect)) {
      this.#open = undefined;
      this.#endAtBrokenHeader(line);
      return;
    }
    this.#problems.add('rows left out', line, `a row ${why}: left out`);
    if (this.#table instanceof RawTable) this.#table.noteLostLine(text);
  }

  #endTable(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open !== undefined) this.#problems.add('rows left out', open.line, 'a row is cut off: left out');
    const all = this.#header?.page === 'raw' ? this.#raw : this.#details;
    for (const launch of this.#table?.finish() ?? []) all.push(launch);
    this.#table = undefined;
    this.#header = undefined;
  }
}

/** What follows a line break may be the end of another row whose start is lost: its text is kept, no number. */
function withoutEstimate(record: CsvRecord, { columns }: NcuHeader): CsvRecord {
  if (record.state !== 'whole') return record;
  const estimate = columns.get('Estimated Speedup');
  return { ...record, fields: record.fields.map((field, at) => (at === estimate ? '' : field)) };
}

/** Program output between rows is passed over; what looks like a piece of a row is worth a word. */
function isRowLike(text: string, { dialect: { separator, quotesAll }, width }: NcuHeader): boolean {
  if (quotesAll) return text.startsWith('"') || text.split(`"${separator}"`).length > 3;
  return text.split(separator).length * 2 > width;
}

/** The two pages of one capture in one file: the raw page's launch gets what ncu's rules said of it. */
function giveRules(details: readonly LaunchBuilder[], raw: readonly LaunchBuilder[]): void {
  const keyOf = ({ identity: { process, id, name } }: LaunchBuilder): string =>
    JSON.stringify([process, id, name]);
  const byKey = new Map(raw.map((launch) => [keyOf(launch), launch]));
  for (const launch of details) {
    const same = launch.identity.id === undefined ? undefined : byKey.get(keyOf(launch));
    if (same === undefined) continue;
    if (same.rules.length === 0) same.rules.push(...launch.rules);
    launch.isMerged = true;
  }
}
