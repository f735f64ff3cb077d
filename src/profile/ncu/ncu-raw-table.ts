import { identityOf } from './ncu-identity.ts';
import { LaunchBuilder } from './ncu-launch.ts';
import { NumberReader } from './ncu-number-reader.ts';
import type { NcuHeader } from './ncu-header.ts';
import { quoted, type NcuProblems } from './ncu-problems.ts';
import { baseUnit } from './ncu-units.ts';

/** The raw page: a column for every metric, a row of units, then a row for every launch. */
export class RawTable {
  readonly #header: NcuHeader;
  readonly #problems: NcuProblems;
  readonly #numbers: NumberReader;
  readonly #launches: LaunchBuilder[] = [];
  #units: readonly string[] | undefined;
  #firstUnits: readonly string[] | undefined;
  #isOfOtherColumns = false;

  constructor(header: NcuHeader, problems: NcuProblems) {
    this.#header = header;
    this.#problems = problems;
    this.#numbers = new NumberReader(problems);
    for (const column of header.unknown) {
      problems.add('unknown columns', header.line, `unknown column ${quoted(column)}`);
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
      this.#takeUnits(fields, line);
      return;
    }
    if (this.#isOfOtherColumns) return;
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

  /** A second row of units begins another export; where its header is lost, only the same columns may go on. */
  #takeUnits(units: readonly string[], line: number): void {
    const first = this.#firstUnits;
    const isFirst = first === undefined && this.#launches.length === 0;
    const isSame =
      first !== undefined &&
      this.#header.metrics.every(
        ({ column }) => baseUnit(first[column] ?? '')?.unit === baseUnit(units[column] ?? '')?.unit,
      );
    this.#isOfOtherColumns = !isFirst && !isSame;
    if (this.#isOfOtherColumns) {
      this.#problems.add(
        'joined exports',
        line,
        'units without their header: the rows after them are left out',
      );
    }
    this.#firstUnits ??= units;
    this.#units = units;
  }

  /** It says nothing about a launch. */
  #isUnitsRow(fields: readonly string[]): boolean {
    return this.#header.identity.every((column) => fields[column]?.trim() === '');
  }

  #namesNoKernel(fields: readonly string[]): boolean {
    return fields[this.#header.columns.get('Kernel Name') ?? -1]?.trim() === '';
  }
}
