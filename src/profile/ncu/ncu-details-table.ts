import { identityOf, type LaunchIdentity } from './ncu-identity.ts';
import { LaunchBuilder } from './ncu-launch.ts';
import { NumberReader } from './ncu-number-reader.ts';
import { metricByDisplayName } from './ncu-display-names.ts';
import { isMetricName, type NcuHeader } from './ncu-header.ts';
import { numberValue, parseNumber, type DecimalMark } from './ncu-numbers.ts';
import { quoted, type NcuProblems } from './ncu-problems.ts';
import { baseUnit } from './ncu-units.ts';

/** What a rule row says, while how its numbers are written is not yet known. */
interface RuleRow {
  readonly launch: LaunchBuilder;
  readonly section: string;
  readonly rule: string;
  readonly type: string;
  readonly description: string;
  readonly speedup: string;
}

/** The details page: a row for every metric and every rule of every launch. */
export class DetailsTable {
  readonly #header: NcuHeader;
  readonly #problems: NcuProblems;
  readonly #numbers: NumberReader;
  readonly #valueColumn: number;
  readonly #builders = new Map<string, LaunchBuilder>();
  /** In the order of the file; a launch without a number of its own may be here several times under one key. */
  readonly #launches: LaunchBuilder[] = [];
  readonly #ruleRows: RuleRow[] = [];

  constructor(header: NcuHeader, problems: NcuProblems) {
    this.#header = header;
    this.#problems = problems;
    this.#numbers = new NumberReader(problems);
    // `--print-summary` prints minimum, maximum and average over launches instead of a value.
    this.#valueColumn = header.columns.get('Metric Value') ?? header.columns.get('Average') ?? -1;
    if (!header.columns.has('Metric Value')) {
      problems.add('summaries', header.line, 'the table has averages over launches, not single launches');
    }
  }

  /** The only field in which a line may break. */
  get breakableColumn(): number | undefined {
    return this.#header.columns.get('Rule Description');
  }

  /** Metric rows may end after the value, with or without a last separator; rule rows are as wide as the header. */
  fits(fields: readonly string[]): boolean {
    const { width, hasTail } = this.#header;
    if (fields.length === width) return true;
    if (hasTail && fields.length === width + 1 && fields.at(-1) === '') return true;
    const short = this.#valueColumn + 1;
    return fields.length === short || (fields.length === short + 1 && fields.at(-1) === '');
  }

  addRow(fields: readonly string[], line: number): void {
    const identity = identityOf(fields, this.#header);
    if (typeof identity === 'string') {
      this.#problems.add('rows that do not fit their table', line, `a row ${identity}: left out`);
      return;
    }
    const name = this.#field(fields, 'Metric Name');
    const rule = this.#field(fields, 'Rule Name');
    if (name !== '' && rule === '') this.#addMetric(fields, identity, name, line);
    else if (name === '' && rule !== '') this.#addRule(fields, identity, rule);
    else {
      const what = name === '' ? 'names neither a metric nor a rule' : 'names a metric and a rule';
      this.#problems.add('rows that do not fit their table', line, `a row ${what}: left out`);
    }
  }

  finish(): readonly LaunchBuilder[] {
    const mark = this.#numbers.finish();
    for (const row of this.#ruleRows) addRule(row, mark);
    return this.#withoutStrays();
  }

  #addMetric(fields: readonly string[], identity: LaunchIdentity, name: string, line: number): void {
    const section = this.#field(fields, 'Section Name');
    const column = this.#header.columns.get('Metric Unit');
    const unit = column === undefined ? undefined : fields[column]?.trim();
    const base = unit === undefined ? undefined : baseUnit(unit);
    const known = isMetricName(name) ? name : metricByDisplayName(section, name, base?.unit ?? '?');
    const key = known ?? (section === '' ? name : `${section} / ${name}`);
    const launch = this.#launch(identity, key);
    launch.rows += 1;
    launch.mention(key);
    const invocations = this.#field(fields, 'Invocations');
    if (invocations !== '') launch.setText('Invocations', invocations);
    this.#numbers.read(launch, key, fields[this.#valueColumn] ?? '', unit, line);
  }

  #addRule(fields: readonly string[], identity: LaunchIdentity, rule: string): void {
    const launch = this.#launch(identity, undefined);
    launch.rows += 1;
    this.#ruleRows.push({
      launch,
      section: this.#field(fields, 'Section Name'),
      rule,
      type: this.#field(fields, 'Rule Type'),
      description: this.#field(fields, 'Rule Description'),
      speedup: this.#field(fields, 'Estimated Speedup'),
    });
  }

  /** The launch of a row. Without launch numbers, a metric that comes again begins the next launch. */
  #launch(identity: LaunchIdentity, key: string | undefined): LaunchBuilder {
    const { process, id, name, grid, block } = identity;
    const own = JSON.stringify([process, id, name, grid, block]);
    const known = this.#builders.get(own);
    const isNext = id === undefined && key !== undefined && known?.isMentioned(key) === true;
    if (known !== undefined && !isNext) return known;
    const launch = new LaunchBuilder(identity);
    this.#builders.set(own, launch);
    this.#launches.push(launch);
    return launch;
  }

  /** A number that two kernels claim: the one with a few rows only is a damaged name, not a launch. */
  #withoutStrays(): readonly LaunchBuilder[] {
    const most = new Map<string, number>();
    const numberOf = ({ identity: { process, id } }: LaunchBuilder): string | undefined =>
      id === undefined ? undefined : `${process ?? ''}/${id}`;
    for (const launch of this.#launches) {
      const number = numberOf(launch);
      if (number !== undefined) most.set(number, Math.max(most.get(number) ?? 0, launch.rows));
    }
    return this.#launches.filter((launch) => {
      const isStray = launch.rows * 2 < (most.get(numberOf(launch) ?? '') ?? 0);
      if (isStray) {
        const { id, name } = launch.identity;
        const what = `${launch.rows} rows left out: launch ${id} is elsewhere not ${quoted(name)}`;
        this.#problems.add('rows of other kernels', this.#header.line, what);
      }
      return !isStray;
    });
  }

  #field(fields: readonly string[], name: string): string {
    const column = this.#header.columns.get(name);
    return column === undefined ? '' : (fields[column]?.trim() ?? '');
  }
}

function addRule({ launch, speedup, ...rule }: RuleRow, mark: DecimalMark): void {
  launch.rules.push({ ...rule, speedupPct: numberValue(speedup, parseNumber(speedup), mark, 0) });
}
