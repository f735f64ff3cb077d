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
    const demanded = unitByName(key);
    if (parsed.form === 'text') {
      if (demanded === undefined && (unit === undefined || unit === '')) launch.setText(key, text.trim());
      else this.#problems.add('values that are no number', line, `${key}: ${quoted(text)} is no number`);
      return;
    }
    // Percentages alone are never rescaled, so only they can do without their unit.
    const base = baseUnit(unit ?? (demanded === '%' ? '%' : '?'));
    if (base === undefined) {
      const what = unit === undefined ? 'its unit is not said' : `its unit ${quoted(unit)} is not known`;
      this.#problems.add('metrics whose unit is not understood', line, `${key} left out: ${what}`);
      return;
    }
    if (demanded !== undefined && demanded !== base.unit) {
      const what = `${key} left out: it is not measured in ${quoted(unit ?? '')}`;
      this.#problems.add('metrics in a unit that is not theirs', line, what);
      return;
    }
    const evidence = evidenceOf(text, parsed, countsWhole(key, base));
    // A list such as «1,2» in a metric without a unit is no evidence of how numbers are written.
    if (base.unit !== '' || parsed.form === 'either') {
      if (evidence === '.') this.#points += 1;
      if (evidence === ',') this.#commas += 1;
    }
    if (parsed.form === 'whole') this.#set({ launch, key, text, parsed, base, line }, 'unknown');
    else this.#waiting.push({ launch, key, text, parsed, base, line });
  }

  /** When the table has ended: reads what waited, and says what stays unknown. */
  finish(): DecimalMark {
    const mark = this.#mark();
    for (const waiting of this.#waiting.splice(0)) this.#set(waiting, mark);
    return mark;
  }

  #mark(): DecimalMark {
    if (this.#points > 0 && this.#commas > 0) return 'mixed';
    if (this.#points > 0) return '.';
    return this.#commas > 0 ? ',' : 'unknown';
  }

  #set({ launch, key, text, parsed, base, line }: Waiting, mark: DecimalMark): void {
    // «1,2» without a unit may be a list: only a table of decimal commas makes a number of it.
    const mayBeList = base.unit === '' && parsed.form === 'comma' && mark !== ',';
    const value = mayBeList ? undefined : numberValue(text, parsed, mark, base.shift);
    if (value === undefined) {
      const why =
        parsed.form === 'either'
          ? 'can be read as thousands or as a fraction, and the file does not tell which'
          : 'is not written like the other numbers of the file';
      this.#problems.add(
        'numbers that can be read in two ways',
        line,
        `${key} left out: ${quoted(text)} ${why}`,
      );
    } else if (!launch.set(key, { value, unit: base.unit })) {
      this.#problems.add(
        'metrics given twice',
        line,
        `${key} left out: it is there twice, with different values`,
      );
    }
  }

  #parse(text: string): ParsedNumber {
    const known = this.#seen.get(text);
    if (known !== undefined) return known;
    const parsed = parseNumber(text);
    this.#seen.set(text, parsed);
    return parsed;
  }
}
