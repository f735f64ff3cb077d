/**
 * A second, slower and simpler look at a file: from which intact row could this number have come? It shares with the
 * reader only the two tables of names and units.
 */
import type { LaunchProfile, Profile } from '../../src/model/profile/profile.ts';
import { metricByDisplayName } from '../../src/profile/ncu/ncu-display-names.ts';
import { baseUnit } from '../../src/profile/ncu/ncu-units.ts';

interface Cell {
  readonly text: string;
  readonly unit: string;
}

interface Row {
  readonly fields: readonly string[];
  /** The last row of units before it. */
  readonly units: readonly string[] | undefined;
  readonly field: (name: string) => string;
}

interface Table {
  readonly names: readonly string[];
  readonly isDetails: boolean;
  readonly hasTail: boolean;
  readonly rows: Row[];
}

/** What is wrong with the result; empty: nothing. */
export function violations(text: string, profile: Profile): readonly string[] {
  const tables = tablesOf(text.replace(/^\uFEFF/, ''));
  return profile.launches.flatMap((launch) => launchViolations(launch, tables));
}

function launchViolations(launch: LaunchProfile, tables: readonly Table[]): string[] {
  const wrong: string[] = [];
  const own = tables.map((table) => ({ table, rows: table.rows.filter((row) => isOf(row, launch)) }));
  for (const [key, { value, unit }] of launch.metrics) {
    const cells = own.flatMap(({ table, rows }) => rows.flatMap((row) => cellsOf(key, row, table)));
    if (!cells.some((cell) => couldMean(cell, value, unit))) {
      wrong.push(
        `${launch.name} ${launch.id}: ${key} = ${value} ${unit}, but the file has ${JSON.stringify(cells)}`,
      );
    }
  }
  const rows = own.flatMap((each) => each.rows);
  for (const { rule, speedupPct } of launch.ncuRules) {
    if (speedupPct === undefined) continue;
    const said = rows
      .filter((row) => row.field('Rule Name') === rule)
      .map((row) => row.field('Estimated Speedup'));
    if (!said.some((text) => readings(text).includes(speedupPct))) {
      wrong.push(
        `${launch.name}: rule ${rule} claims ${speedupPct} %, but the file has ${JSON.stringify(said)}`,
      );
    }
  }
  return wrong;
}

function isOf(row: Row, { name, id }: LaunchProfile): boolean {
  return row.field('Kernel Name') === name && (id === undefined || row.field('ID') === id);
}

function cellsOf(key: string, row: Row, table: Table): Cell[] {
  if (!table.isDetails) {
    return table.names.flatMap((name, column) => {
      if (name !== key) return [];
      const text = row.fields[column] ?? '';
      // A percentage is one by its name, also where the units are lost.
      const units = [row.units?.[column]?.trim() ?? '?', ...(key.includes('pct') ? ['%'] : [])];
      return units.map((unit) => ({ text, unit }));
    });
  }
  const [section, name, unit] = [
    row.field('Section Name'),
    row.field('Metric Name'),
    row.field('Metric Unit'),
  ];
  const names = [
    name,
    `${section} / ${name}`,
    metricByDisplayName(section, name, baseUnit(unit)?.unit ?? '?'),
  ];
  if (!names.includes(key)) return [];
  const known = table.names.includes('Metric Unit') ? unit : key.includes('pct') ? '%' : '?';
  return [
    { text: row.field(table.names.includes('Metric Value') ? 'Metric Value' : 'Average'), unit: known },
  ];
}

function couldMean(cell: Cell, value: number, unit: string): boolean {
  const base = baseUnit(cell.unit);
  if (base === undefined || base.unit !== unit) return false;
  return readings(cell.text).some((read) => {
    const scaled = read * 10 ** base.shift;
    return Math.abs(scaled - value) <= Math.abs(value) * 1e-12;
  });
}

/** The number that a text is with a decimal point, and with a decimal comma. */
function readings(written: string): number[] {
  const bare = written.trim().replaceAll(/['’ \u00a0\u202f]/g, '');
  if (!/^[+-]?\d[\d.,]*(?:e[+-]?\d+)?$/i.test(bare)) return [];
  return [Number(bare.replaceAll(',', '')), Number(bare.replaceAll('.', '').replace(',', '.'))].filter(
    Number.isFinite,
  );
}

const IDENTITY =
  'ID,Process ID,Process Name,Host Name,Kernel Name,Kernel Time,Context,Stream,Block Size,Grid Size,Device,CC,Invocations'.split(
    ',',
  );

function tablesOf(whole: string): Table[] {
  const tables: Table[] = [];
  let open: { readonly table: Table; readonly split: Split } | undefined;
  let units: readonly string[] | undefined;
  const lines = whole.split('\n');
  for (const [at, ended] of lines.entries()) {
    const line = ended.replace(/\r$/, '');
    const words = line
      .split(/[",;\t]+/)
      .filter((word) => IDENTITY.includes(word) || word.startsWith('Metric '));
    if (words.length > 1) {
      open = headerOf(line);
      units = undefined;
      if (open !== undefined) tables.push(open.table);
      continue;
    }
    if (open === undefined) continue;
    const { table, split } = open;
    const fields = split(line);
    if (fields === undefined || !isIntact(fields, table)) continue;
    const isCut = at === lines.length - 1 && !line.trimEnd().endsWith('"');
    const row = rowOf(isCut ? [...fields.slice(0, -1), ''] : fields, units, table.names);
    if (!table.isDetails && IDENTITY.every((name) => row.field(name) === '')) units = row.fields;
    else table.rows.push(row);
  }
  return tables;
}

function rowOf(fields: readonly string[], units: Row['units'], names: readonly string[]): Row {
  return { fields, units, field: (name) => fields[names.indexOf(name)]?.trim() ?? '' };
}

function isIntact(fields: readonly string[], { names, isDetails, hasTail }: Table): boolean {
  const tail = fields.at(-1) === '' ? 1 : 0;
  const short = Math.max(names.indexOf('Metric Value'), names.indexOf('Average')) + 1;
  const widths = [names.length];
  if (hasTail) widths.push(names.length + tail);
  if (isDetails && short > 0) widths.push(short, short + tail);
  return widths.includes(fields.length);
}

type Split = (line: string) => string[] | undefined;

function headerOf(line: string): { readonly table: Table; readonly split: Split } | undefined {
  const text = line.startsWith('"') ? line : line.slice(Math.max(0, line.indexOf('"ID"')));
  const allQuoted = text.trimStart().startsWith('"');
  for (const separator of [',', ';', '\t']) {
    const split = (row: string): string[] | undefined => fieldsOf(row, separator, allQuoted);
    const names = split(text)?.map((name) => name.trim());
    if (names === undefined || names.length < 3 || !names.includes('Kernel Name')) continue;
    if (!names.some((name) => name === 'Metric Name' || name.includes('__'))) continue;
    const hasTail = names.at(-1) === '';
    if (hasTail) names.pop();
    return {
      table: { names, hasTail, isDetails: names.includes('Metric Name'), rows: [] },
      split,
    };
  }
  return undefined;
}

function fieldsOf(line: string, separator: string, allQuoted: boolean): string[] | undefined {
  const fields: string[] = [];
  const pattern = new RegExp(` *(?:"((?:[^"]|"")*)" *|([^"${separator}]*))(${separator}|$)`, 'y');
  for (;;) {
    const match = pattern.exec(line);
    if (match === null) return undefined;
    const [, quoted, bare = '', end] = match;
    if (quoted === undefined && allQuoted && bare.trim() !== '') return undefined;
    fields.push(quoted?.replaceAll('""', '"') ?? bare.trim());
    if (end === '') return fields;
  }
}
