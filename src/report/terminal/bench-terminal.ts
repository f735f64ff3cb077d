import type { BenchMeasurement, BenchReport } from '../../model/reports/bench-report.ts';
import { faultText, isToldBy, lostText } from '../../model/measure/fault.ts';
import type { Column, ColumnId } from '../bench-columns.ts';
import { benchColumns, preparedInputs } from '../bench-columns.ts';
import type { BenchGroup, GatheredWarning } from '../bench-groups.ts';
import {
  benchGroups,
  gatheredWarnings,
  isOnlyChecked,
  subjectText,
  unmeasuredText,
} from '../bench-groups.ts';
import { deviceFacts, hostFacts } from '../environment-facts.ts';
import { faultLines } from './fault-terminal.ts';
import type { Paint } from './paint.ts';
import { painter } from './paint.ts';
import { displayWidth, padEnd, padStart, plainLines, plainText, truncate, wrap } from '../text/plain-text.ts';
import { skippedViews, type SkippedView } from '../skipped-view.ts';
import { sparkline } from '../sparkline.ts';

export interface TerminalOptions {
  /** Columns of the terminal. */
  readonly columns: number;
  readonly color: boolean;
}

const GAP = '  ';
const MARK_WIDTH = 2;
/** A report stays a table, however narrow the window is: it wraps there rather than vanish. */
const NARROWEST = 60;
const WIDEST = 120;

/** What the terminal shows of the many columns, and in which order it gives them up when room is short. */
const SHOWN: readonly ColumnId[] = [
  'case',
  'mode',
  'median',
  'interval',
  'p95',
  'cv',
  'between',
  'runs',
  'throughput',
  'bandwidth',
  'prepare',
  'prepared',
  'times-floor',
  'ceiling',
];
const GIVEN_UP: readonly (ColumnId | 'distribution')[] = [
  'times-floor',
  'ceiling',
  'prepared',
  'p95',
  'bandwidth',
  'runs',
  'interval',
  'distribution',
  'between',
  'cv',
];

/** The report as a table for people. */
export function renderBenchTerminal(report: BenchReport, options: TerminalOptions): string {
  const width = Math.min(WIDEST, Math.max(NARROWEST, options.columns));
  const paint = painter(options.color);
  const groups = benchGroups(report);
  const blocks = [
    environmentBlock(report, width, paint),
    ...groups.map((group) => groupBlock(group, report, width, paint)),
    groups.length === 0 ? [paint('yellow', 'nothing was measured')] : legendBlock(report, width, paint),
    skippedBlock(report, width, paint),
    warningsBlock(gatheredWarnings(report), width, paint),
    faultsBlock(report, width, paint),
    lostBlock(report, width, paint),
    ceilingBlock(report, width),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** What follows from how near a kernel is to what its device can do. */
function ceilingBlock({ measurements }: BenchReport, width: number): string[] {
  return measurements.flatMap((one) => {
    const advice = one.state === 'measured' ? one.roofline?.advice : undefined;
    if (advice === undefined) return [];
    return wrap(`${plainText(one.case)}: ${plainText(advice)}`, width - MARK_WIDTH).map(
      (line, index) => `${index === 0 ? '→' : ' '} ${line}`,
    );
  });
}

/** Facts that fit a line; the rest is in the file and the other reports. */
const HEADLINE = new Set([
  'device',
  'driver',
  'CUDA',
  'SMs',
  'cores',
  'pinned to CPU',
  'pinned to CPUs',
  'clocks',
]);
const SECOND_LINE = new Set([
  'commit',
  'host',
  'compiler',
  'nvcc',
  'Pawl',
  'started',
  'took',
  'sandbox',
  'load',
]);

function environmentBlock(report: BenchReport, width: number, paint: Paint): string[] {
  const [device, ...details] = deviceFacts(report).filter(({ name }) => HEADLINE.has(name));
  const host = hostFacts(report).filter(({ name }) => SECOND_LINE.has(name));
  const text = (fact: { name: string; value: string }): string => `${fact.name} ${fact.value}`;
  const lines: string[] = [];
  if (device !== undefined) {
    const name = truncate(device.name === 'device' ? device.value : text(device), width);
    const [first, ...more] = joinFacts(details.map(text), width - displayWidth(name) - 3, width);
    lines.push(paint('bold', name) + (first === undefined ? '' : paint('dim', ` · ${first}`)));
    lines.push(...more.map((line) => paint('dim', line)));
  }
  lines.push(...joinFacts(host.map(text), width, width).map((line) => paint('dim', line)));
  return lines;
}

/** Packs facts into lines, the first of which may be shorter than the others. */
function joinFacts(facts: readonly string[], firstWidth: number, width: number): string[] {
  const lines: string[] = [];
  for (const fact of facts) {
    const room = lines.length <= 1 ? firstWidth : width;
    const longer = lines.length === 0 ? fact : `${lines.at(-1)!} · ${fact}`;
    if (lines.length > 0 && displayWidth(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(truncate(fact, lines.length === 0 ? firstWidth : width));
  }
  return lines;
}

function groupBlock(group: BenchGroup, report: BenchReport, width: number, paint: Paint): string[] {
  const { kernel, variant, mode, device, measurements } = group;
  const title = [paint('bold', truncate(kernel, width - 8))];
  if (mode !== undefined) title.push(mode);
  if (device !== undefined) title.push(truncate(device, width - 8));
  const titleLine = title.join(' · ');
  const variantLines = variant === '' ? [] : [paint('dim', truncate(variant.replaceAll(',', ' '), width))];

  const { columns, distribution, caseWidth } = fittedColumns(group, report, width);
  const widths = columns.map((column) =>
    column.id === 'case'
      ? caseWidth
      : Math.max(displayWidth(column.header), ...measurements.map((one) => displayWidth(column.cell(one)))),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) =>
        columns[i]!.align === 'left' ? padEnd(cell, widths[i]!) : padStart(cell, widths[i]!),
      )
      .join(GAP);
  const header = line(columns.map((column) => column.header)) + (distribution ? `${GAP}distribution` : '');
  const rows = measurements.map((one) => {
    const mark = markOf(one, paint);
    if (one.state === 'unmeasured') {
      return `${mark} ${padEnd(truncate(plainText(one.case), caseWidth), caseWidth)}${GAP}${paint(isOnlyChecked(one) ? 'green' : 'red', unmeasuredText(one))}`;
    }
    const cells = columns.map((column, i) => {
      const cell = truncate(column.cell(one), widths[i]!);
      if (column.align === 'left') return padEnd(cell, widths[i]!);
      return paintCell(column, padStart(cell, widths[i]!), one, report, paint);
    });
    const tail = distribution ? GAP + paint('cyan', sparkline(one.histogram.counts)) : '';
    return `${mark} ${cells.join(GAP)}${tail}`.trimEnd();
  });
  return [titleLine, ...variantLines, paint('dim', `${' '.repeat(MARK_WIDTH)}${header}`.trimEnd()), ...rows];
}

function paintCell(
  column: Column,
  text: string,
  one: BenchMeasurement,
  { thresholds }: BenchReport,
  paint: Paint,
): string {
  if (column.id === 'median') return paint('bold', text);
  if (column.id === 'cv' && one.state === 'measured' && (one.cv_pct ?? 0) > thresholds.cv_pct) {
    return paint('yellow', text);
  }
  return text;
}

/** Gives up columns until the table fits, then cuts the case names. */
function fittedColumns(
  group: BenchGroup,
  report: BenchReport,
  width: number,
): { columns: Column[]; distribution: boolean; caseWidth: number } {
  const all = benchColumns(group, report);
  const hidden = new Set<ColumnId | 'distribution'>(group.mode === undefined ? [] : ['mode']);
  const bins = Math.max(
    'distribution'.length,
    ...group.measurements.map((one) => (one.state === 'measured' ? one.histogram.counts.length : 0)),
  );
  const pick = (): Column[] =>
    all.filter(
      ({ id }) => (SHOWN.includes(id) && !hidden.has(id)) || (id === 'plus-minus' && hidden.has('interval')),
    );
  const measured = group.measurements.some(({ state }) => state === 'measured');
  const needed = (): number =>
    MARK_WIDTH +
    pick()
      .map((column) =>
        Math.max(
          displayWidth(column.header),
          ...group.measurements.map((one) => displayWidth(column.cell(one))),
        ),
      )
      .reduce((sum, one) => sum + one + GAP.length, -GAP.length) +
    (hidden.has('distribution') || !measured ? 0 : GAP.length + bins);
  for (const id of GIVEN_UP) {
    if (needed() <= width) break;
    hidden.add(id);
  }
  const longestCase = Math.max(4, ...group.measurements.map((one) => displayWidth(plainText(one.case))));
  const caseWidth = Math.max(8, longestCase - Math.max(0, needed() - width));
  return { columns: pick(), distribution: measured && !hidden.has('distribution'), caseWidth };
}

function markOf(one: BenchMeasurement, paint: Paint): string {
  const { state, check } = one;
  if (check === 'failed' || (state === 'unmeasured' && !isOnlyChecked(one))) return paint('red', '✗');
  return check === 'passed' ? paint('green', '✓') : paint('dim', '·');
}

function legendBlock({ interval, measurements }: BenchReport, width: number, paint: Paint): string[] {
  const confidence = Math.round(100 * interval.confidence);
  const parts = measurements.every(isOnlyChecked)
    ? []
    : [`median: of the process medians, with its ${confidence} % bootstrap interval`];
  if (measurements.some((one) => one.processes > 1)) parts.push('between: spread of the process medians');
  const prepared = preparedInputs(measurements);
  if (prepared !== '') parts.push(`prepare: preparation of ${prepared} before calls, not part of the times`);
  const states = new Set(measurements.map(({ check }) => check));
  if (states.has('passed')) parts.push('✓ result checked');
  if (states.has('failed')) parts.push('✗ wrong');
  if (states.has('not-checked')) parts.push('· not checked');
  return joinFacts(parts, width, width).map((line) => paint('dim', line));
}

/** Kernels without a measurement: those that do not build, with the compiler's words, and those that cannot run here. */
function skippedBlock({ skipped }: BenchReport, width: number, paint: Paint): string[] {
  return skippedViews(skipped).flatMap((view) => skippedLines(view, width, paint));
}

function skippedLines(
  { kernel, isBroken, what, said, hint }: SkippedView,
  width: number,
  paint: Paint,
): string[] {
  const [first, ...more] = wrap(`${kernel}: not measured: ${what}`, width - 2);
  return [
    `${isBroken ? paint('red', '✗') : paint('yellow', '!')} ${first!}`,
    ...more.map((line) => `  ${line}`),
    ...said.map((line) => `  ${paint('dim', truncate(`│ ${line}`, width - 2))}`),
    ...wrap(hint === undefined ? '' : `→ ${hint}`, width - 2)
      .filter((line) => line !== '')
      .map((line) => `  ${paint('dim', line)}`),
  ];
}

function warningsBlock(warnings: readonly GatheredWarning[], width: number, paint: Paint): string[] {
  return warnings.flatMap(({ kind, message, remedy, subjects }, index) => {
    const style = kind === 'incorrect' || kind === 'lost-series' ? 'red' : 'yellow';
    const about = subjects.length === 0 ? message : `${subjectList(subjects)}: ${message}`;
    const [first, ...more] = wrap(about, width - 2);
    // One remedy serves all the warnings that ask for it.
    const cure =
      remedy === undefined || warnings[index + 1]?.remedy === remedy
        ? []
        : wrap(`→ ${plainText(remedy)}`, width - 2);
    return [
      `${paint(style, '!')} ${first!}`,
      ...more.map((line) => `  ${line}`),
      ...cure.map((line) => `  ${paint('dim', line)}`),
    ];
  });
}

function subjectList(subjects: readonly string[]): string {
  const named = subjects.slice(0, 3).join(', ');
  return subjects.length > 3 ? `${named} and ${subjects.length - 3} more` : named;
}

/** What is wrong, where the warnings above say that something is. */
function faultsBlock({ measurements }: BenchReport, width: number, paint: Paint): string[] {
  return measurements.flatMap((one) => {
    if (one.fault === undefined) return [];
    const [first, ...more] = wrap(`${subjectText(one)}: ${plainText(faultText(one.fault))}`, width - 2);
    return [
      `${paint('red', '✗')} ${first!}`,
      ...[...more, ...faultLines(one.fault, width - 2, paint)].map((line) => `  ${line}`),
    ];
  });
}

/** What the lost processes said last; what a fault says already is not said again. */
function lostBlock({ measurements }: BenchReport, width: number, paint: Paint): string[] {
  return measurements.flatMap((one) =>
    one.lost
      .filter((lost) => one.fault === undefined || !isToldBy(lost, one.fault))
      .flatMap((lost) => lostLines(one, lost, width, paint)),
  );
}

function lostLines(
  measurement: BenchMeasurement,
  lost: BenchMeasurement['lost'][number],
  width: number,
  paint: Paint,
): string[] {
  const { process, reason, output } = lost;
  const what = `${subjectText(measurement)}, process ${process}: ${plainText(reason)}: ${plainText(lostText(lost))}`;
  const [first, ...more] = wrap(what, width - 2);
  return [
    `${paint('red', '✗')} ${first!}`,
    ...more.map((line) => `  ${line}`),
    ...plainLines(output ?? '', 3).map((line) => `  ${paint('dim', truncate(`│ ${line}`, width - 2))}`),
  ];
}
