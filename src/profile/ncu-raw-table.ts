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
    const { width, hasTail } = this.#header;
    return fields.length === width || (hasTail && fields.length === width + 1 && fields.at(-1) === '');
  }

  addRow(fields: readonly string[], line: number): void {
    if (this.#isUnitsRow(fields)) {
      this.#units = fields;
      return;
    }
    const identity = identityOf(fields, this.#header);
    if (typeof identity === 'string') {
      this.#problems.add('rows that do not fit their table', line, `a row ${identity}: left out`);
      if (this.#namesNoKernel(fields)) this.#units = undefined;
      return;
    }
    const launch = new LaunchBuilder(identity);
    this.#launches.push(launch);
    for (const { name, column } of this.#header.metrics) {
      this.#numbers.read(launch, name, fields[column] ?? '', this.#units?.[column], line);
    }
  }

  /** A line that is left out may have been the units of the rows after it, where files were joined. */
  noteLostLine(text: string): void {
    if (/^(?:""|\s*)[,;\t]/.test(text)) this.#units = undefined;
  }

  finish(): readonly LaunchBuilder[] {
    this.#numbers.finish();
    return this.#launches;
  }

  /** It says nothing about a launch. */
  #isUnitsRow(fields: readonly string[]): boolean {
    return this.#header.identity.every((column) => fields[column]?.trim() === '');
  }

  #namesNoKernel(fields: readonly string[]): boolean {
    return fields[this.#header.columns.get('Kernel Name') ?? -1]?.trim() === '';
  }
}
