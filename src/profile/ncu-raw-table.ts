import { identityOf } from './ncu-identity.ts';
import { LaunchBuilder } from './ncu-launch.ts';
import { NumberReader } from './ncu-number-reader.ts';
import type { NcuHeader } from './ncu-header.ts';
import { quoted, type NcuProblems } from './ncu-problems.ts';

/** The raw page: a column for every metric, a row of units, then a row for every launch. */
export class RawTable {
  readonly #header: NcuHeader;
  readonly #problems: NcuProblems;
  readonly #numbers: NumberReader;
  readonly #launches: LaunchBuilder[] = [];
  #units: readonly string[] | undefined;

  constructor(header: NcuHeader, problems: NcuProblems) {
    this.#header = header;
    this.#problems = problems;
    this.#numbers = new NumberReader(problems);
    for (const column of header.unknown) {
      problems.add(
        'columns that are not understood',
        header.line,
        `column ${quoted(column)} is not understood`,
      );
    }
  }

  get breakableColumn(): undefined {
    return undefined;
  }

  fits(fields: readonly string[]): boolean {
    const { width } = this.#header;
    return fields.length === width || (fields.length === width + 1 && fields.at(-1) === '');
  }

  addRow(fields: readonly string[], line: number): void {
    if (this.#isUnitsRow(fields)) {
      this.#units = fields;
      return;
    }
    const identity = identityOf(fields, this.#header);
    if (typeof identity === 'string') {
      this.#problems.add('rows that do not fit their table', line, `a row ${identity}: left out`);
      return;
    }
    const launch = new LaunchBuilder(identity);
    this.#launches.push(launch);
    for (const { name, column } of this.#header.metrics) {
      this.#numbers.read(launch, name, fields[column] ?? '', this.#units?.[column], line);
    }
  }

  finish(): readonly LaunchBuilder[] {
    this.#numbers.finish();
    return this.#launches;
  }

  /** It says nothing about a launch, and comes before the first one. */
  #isUnitsRow(fields: readonly string[]): boolean {
    if (this.#units !== undefined || this.#launches.length > 0) return false;
    return this.#header.identity.every((column) => fields[column]?.trim() === '');
  }
}
