import type { Metric } from '../../model/profile/profile.ts';
import type { LaunchBuilder } from './ncu-launch.ts';
import { evidenceOf, numberValue, parseNumber, type DecimalMark, type ParsedNumber } from './ncu-numbers.ts';
import { quoted, type NcuProblems } from './ncu-problems.ts';
import { baseUnit, countsWhole, unitByName, type BaseUnit } from './ncu-units.ts';

/** A number that the rest of the table decides on. */
interface Waiting {
  readonly launch: LaunchBuilder;
  readonly key: string;
  readonly text: string;
  readonly parsed: ParsedNumber;
  readonly base: BaseUnit;
  readonly line: number;
}

/** The numbers of one table: reads what is certain at once, and the rest when the decimal mark is known. */
export class NumberReader {
  readonly #problems: NcuProblems;
  readonly #seen = new Map<string, ParsedNumber>();
  readonly #demands = new Map<string, string | undefined>();
  readonly #metrics = new Map<string, Map<number, Metric>>();
  readonly #waiting: Waiting[] = [];
  #points = 0;
  #commas = 0;

  constructor(problems: NcuProblems) {
    this.#problems = problems;
  }

  /** `key`: the raw metric name where it is known. `unit` undefined: the table does not say it. */
  read(launch: LaunchBuilder, key: string, text: string, unit: string | undefined, line: number): void {
    const parsed = this.#parse(text);
    if (parsed.form === 'absent') return;
    const demanded = this.#demanded(key);
    if (parsed.form === 'text') {
      if (demanded === undefined && (unit === undefined || unit === '')) launch.setText(key, text.trim());
      else this.#problems.add('values that are not numbers', line, `${key}: ${quoted(text)} is not a number`);
      return;
    }
    // Percentages alone are never rescaled, so only they can do without their unit.
    const base = baseUnit(unit ?? (demanded === '%' ? '%' : '?'));
    if (base === undefined) {
      const what = unit === undefined ? 'it has no unit' : `unknown unit ${quoted(unit)}`;
      this.#problems.add('metrics with an unknown unit', line, `${key} left out: ${what}`);
      return;
    }
    if (demanded !== undefined && demanded !== base.unit) {
      const what = `${key} left out: it is not measured in ${quoted(unit ?? '')}`;
      this.#problems.add('metrics with a wrong unit', line, what);
      return;
    }
    this.#weigh(key, text, parsed, base);
    // With a unit, a number that can be read in one way only is itself evidence: no other can change its reading.
    const isCertain = parsed.form === 'whole' || (parsed.form !== 'either' && base.unit !== '');
    const number = { launch, key, text, parsed, base, line };
    if (isCertain) this.#set(number, 'mixed');
    else this.#waiting.push(number);
  }

  /** When the table has ended: reads what waited, and says what stays unknown. */
  finish(): DecimalMark {
    const mark = this.#mark();
    for (const waiting of this.#waiting.splice(0)) this.#set(waiting, mark);
    return mark;
  }

  #weigh(key: string, text: string, parsed: ParsedNumber, base: BaseUnit): void {
    // A list such as "1,2" in a metric without a unit does not show how numbers are written.
    if (parsed.form === 'whole' || (base.unit === '' && parsed.form !== 'either')) return;
    const evidence = evidenceOf(text, parsed, parsed.form === 'either' && countsWhole(key, base));
    if (evidence === '.') this.#points += 1;
    if (evidence === ',') this.#commas += 1;
  }

  #mark(): DecimalMark {
    if (this.#points > 0 && this.#commas > 0) return 'mixed';
    if (this.#points > 0) return '.';
    return this.#commas > 0 ? ',' : 'unknown';
  }

  #set({ launch, key, text, parsed, base, line }: Waiting, mark: DecimalMark): void {
    // "1,2" without a unit may be a list: only a table of decimal commas makes a number of it.
    const mayBeList = base.unit === '' && parsed.form === 'comma' && mark !== ',';
    const value = mayBeList ? undefined : numberValue(text, parsed, mark, base.shift);
    if (value === undefined) {
      const why =
        parsed.form === 'either'
          ? 'may have a thousands separator or a decimal point: the file does not show which'
          : 'is not written like the other numbers of the file';
      this.#problems.add('ambiguous numbers', line, `${key} left out: ${quoted(text)} ${why}`);
    } else if (!launch.set(key, this.#metric(value, base.unit))) {
      this.#problems.add(
        'metrics given twice',
        line,
        `${key} left out: it occurs twice, with different values`,
      );
    }
  }

  /** Most numbers of a profile come again and again, zero above all. */
  #metric(value: number, unit: string): Metric {
    const ofUnit = this.#metrics.get(unit) ?? new Map<number, Metric>();
    this.#metrics.set(unit, ofUnit);
    const metric = ofUnit.get(value) ?? { value, unit };
    ofUnit.set(value, metric);
    return metric;
  }

  #demanded(key: string): string | undefined {
    if (!this.#demands.has(key)) this.#demands.set(key, unitByName(key));
    return this.#demands.get(key);
  }

  #parse(text: string): ParsedNumber {
    const known = this.#seen.get(text);
    if (known !== undefined) return known;
    const parsed = parseNumber(text);
    this.#seen.set(text, parsed);
    return parsed;
  }
}
