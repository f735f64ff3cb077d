import type {
  Diagnosis,
  Finding,
  LaunchDiagnosis,
  ProfileComparison,
  SpeedOfLight,
} from '../../model/profile/diagnosis.ts';
import { hotLinesLines } from './hot-lines-terminal.ts';
import { findingLineText, lineChangeText } from '../text/line-text.ts';
import { LIMITED_BY } from '../text/limiter-text.ts';
import { painter, type Paint } from './paint.ts';
import { hanging, padEnd, padStart, plainText, truncate } from '../text/plain-text.ts';
import { formatIn, timeUnit } from '../text/units.ts';

export interface DiagnosisTerminalOptions {
  readonly color?: boolean;
  readonly columns?: number;
  /** Also what ncu's rules said, where rules come from, and which metrics were not collected. */
  readonly verbose?: boolean;
}

/** More launches than this are a list to choose from, not one to read. */
const SHOWN_LAUNCHES = 12;
const SHOWN_CHANGES = 5;
const MAX_COLUMNS = 110;
const BAR_COLUMNS = 30;
const US_PER_MS = 1000;

const UNITS: readonly (readonly [key: keyof SpeedOfLight, label: string])[] = [
  ['compute_pct', 'compute'],
  ['memory_pct', 'memory'],
  ['dram_pct', '· DRAM'],
  ['l2_pct', '· L2'],
  ['l1_pct', '· L1'],
  ['tensor_pct', 'tensor'],
  ['occupancy_pct', 'occupancy'],
];

export function renderDiagnosis(diagnosis: Diagnosis, options: DiagnosisTerminalOptions = {}): string {
  const paint = painter(options.color ?? false);
  const columns = Math.max(40, Math.min(options.columns ?? 100, MAX_COLUMNS));
  const view = { paint, columns, verbose: options.verbose ?? false };
  const { kernels, comparisons = [], problems = [], hot_lines, without_lines } = diagnosis;
  const parts = [
    ...comparisons.map((comparison) => comparisonLines(comparison, view)),
    ...kernels.slice(0, SHOWN_LAUNCHES).flatMap((kernel, at) => {
      const hot = hot_lines?.[at];
      const block = kernelLines(kernel, view);
      return hot === undefined ? [block] : [block, hotLinesLines(hot, view)];
    }),
  ];
  const rest = kernels.length - SHOWN_LAUNCHES;
  if (rest > 0) parts.push([paint('dim', `and ${rest} more launches: choose with --kernel or --launch`)]);
  if (without_lines !== undefined) parts.push(withoutLines(without_lines, view));
  if (problems.length > 0) {
    parts.push(problems.flatMap((problem) => hanging(`${paint('yellow', '!')} `, 2, problem, columns)));
  }
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

const WITHOUT_LINES = {
  'not-there': 'No samples per line in the file. To see which lines cost most:',
  'other-launches':
    'The source page and the metrics have different launches. To export both from one report:',
} as const;

function withoutLines(
  { reason, collect }: NonNullable<Diagnosis['without_lines']>,
  { paint }: View,
): string[] {
  return [paint('dim', WITHOUT_LINES[reason]), ...collect.map((one) => paint('dim', `  ${one}`))];
}

interface View {
  readonly paint: Paint;
  readonly columns: number;
  readonly verbose: boolean;
}

function kernelLines(kernel: LaunchDiagnosis, { paint, columns, verbose }: View): string[] {
  const lines = [
    paint('bold', truncate(plainText(kernel.name), columns)),
    `${paint('cyan', LIMITED_BY[kernel.limiter])}${paint('dim', facts(kernel))}`,
    ...undecidedLines(kernel, columns),
    '',
    ...bars(kernel.speed_of_light ?? {}, paint),
  ];
  for (const [at, finding] of kernel.findings.entries()) {
    lines.push('', ...findingLines(finding, at + 1, { paint, columns, verbose }));
  }
  if (kernel.not_collected.length > 0)
    lines.push('', ...notCollected(kernel.not_collected, { paint, columns, verbose }));
  if (verbose) lines.push(...ncuRuleLines(kernel, { paint, columns, verbose }));
  return lines;
}

/** What would decide, and the line that collects it: a question without that is of no use. */
function undecidedLines({ undecided }: LaunchDiagnosis, columns: number): string[] {
  if (undecided === undefined) return [];
  return [
    ...hanging('  ', 2, `Not decided: ${undecided.why}. To decide it, collect:`, columns),
    // Whole, to be copied.
    `  ${plainText(undecided.collect)}`,
  ];
}

function facts({ duration_us, grid, block, device, compute_capability, id }: LaunchDiagnosis): string {
  const size = (dims: readonly number[]): string => dims.join('×');
  const said = [
    duration_us === undefined ? undefined : time(duration_us),
    grid === undefined ? undefined : `grid ${size(grid)}`,
    block === undefined ? undefined : `block ${size(block)}`,
    device === undefined ? undefined : plainText(device),
    compute_capability === undefined ? undefined : `CC ${compute_capability}`,
    id === undefined ? undefined : `launch ${id}`,
  ].filter((fact) => fact !== undefined);
  return said.length === 0 ? '' : ` · ${said.join(' · ')}`;
}

function time(duration_us: number): string {
  const unit = timeUnit([duration_us / US_PER_MS]);
  return `${formatIn(duration_us / US_PER_MS, unit, 2)} ${unit.name}`;
}

function bars(shares: SpeedOfLight, paint: Paint): string[] {
  const rows = UNITS.flatMap(([key, label]) => {
    const share = shares[key];
    if (share === undefined) return [];
    const filled = Math.round((Math.min(Math.max(share, 0), 100) / 100) * BAR_COLUMNS);
    const bar = `${'█'.repeat(filled)}${paint('dim', '░'.repeat(BAR_COLUMNS - filled))}`;
    return [`  ${padEnd(label, 10)} ${bar} ${padStart(share.toFixed(1), 5)} %`];
  });
  return rows.length === 0 ? [paint('dim', '  no throughput was collected')] : rows;
}

function findingLines(finding: Finding, number: number, { paint, columns, verbose }: View): string[] {
  const gain =
    finding.expected_gain_pct > 0
      ? paint('green', `  up to ${share(finding.expected_gain_pct)} % of the time`)
      : '';
  const evidence = Object.entries(finding.evidence).map(
    ([name, value]) => `${plainText(name)} ${figure(value)}`,
  );
  const lines = [
    `${padStart(`${number}.`, 4)} ${paint('bold', finding.rule)}${gain}`,
    ...hanging('     ', 5, finding.diagnosis, columns),
    ...(finding.lines ?? []).flatMap((line) =>
      hanging(`     ${paint('cyan', 'at')} `, 8, findingLineText(line), columns),
    ),
    ...hanging(`     ${paint('green', '→')} `, 7, finding.fix, columns),
    ...hanging('     ', 5, evidence.join(' · '), columns).map((line) => paint('dim', line)),
  ];
  if (!verbose) return lines;
  const more = [
    finding.gain_basis === undefined ? '' : `gain: ${finding.gain_basis}`,
    finding.source === undefined ? '' : `source: ${finding.source}`,
  ];
  for (const text of more) {
    if (text !== '') lines.push(...hanging('     ', 5, text, columns).map((line) => paint('dim', line)));
  }
  return lines;
}

function notCollected(metrics: readonly string[], { paint, columns, verbose }: View): string[] {
  const what = `${metrics.length} ${metrics.length === 1 ? 'metric was' : 'metrics were'} not collected`;
  if (!verbose) return [paint('dim', `  ${what}: --verbose names them; \`ncu --set full\` collects more`)];
  return hanging('  ', 4, `${what}: ${metrics.join(', ')}`, columns).map((line) => paint('dim', line));
}

function ncuRuleLines({ ncu_rules = [] }: LaunchDiagnosis, { paint, columns }: View): string[] {
  if (ncu_rules.length === 0) return [];
  const rules = ncu_rules.flatMap(({ rule, type, description, speedup_pct }) => {
    const gain = speedup_pct === undefined ? '' : `, ncu's estimate ${figure(speedup_pct)} %`;
    return [`  ${type} ${rule}${gain}`, ...hanging('    ', 4, description, columns)];
  });
  return ['', paint('dim', "What ncu's own rules said:"), ...rules.map((line) => paint('dim', line))];
}

/** What changed from one profile to the other; the sentence first. */
export function comparisonLines(
  comparison: ProfileComparison,
  { paint, columns }: Pick<View, 'paint' | 'columns'>,
): string[] {
  const { before_us, after_us, moved } = comparison;
  const lines = [
    ...hanging('', 0, comparison.summary, columns).map((line) => paint('bold', line)),
    paint('dim', truncate(plainText(comparison.kernel), columns)),
  ];
  if (before_us !== undefined && after_us !== undefined)
    lines.push(`  ${time(before_us)} → ${time(after_us)}`);
  const changes = [
    ['appeared', 'red', comparison.appeared],
    ['vanished', 'green', comparison.vanished],
    ['still there', 'dim', comparison.persisted],
  ] as const;
  for (const [word, style, rules] of changes) {
    if (rules.length > 0) lines.push(`  ${padEnd(word, 12)}${paint(style, rules.join(', '))}`);
  }
  const slower = (comparison.lines ?? []).slice(0, SHOWN_CHANGES);
  for (const line of slower) lines.push(truncate(`  ${lineChangeText(line)}`, columns));
  const width = Math.max(0, ...moved.map(({ metric }) => metric.length));
  for (const { metric, before, after, unit } of moved) {
    lines.push(
      `  ${padEnd(plainText(metric), width)}  ${figure(before)} → ${figure(after)} ${plainText(unit)}`.trimEnd(),
    );
  }
  return lines;
}

function share(percent: number): string {
  return percent < 10 ? percent.toFixed(1) : percent.toFixed(0);
}

/** Four digits that matter, with thousands apart. By hand: the locale's own formatter takes longer than the diagnosis. */
function figure(value: number): string {
  const rounded = Number(value.toPrecision(4));
  const [whole = '', ...fraction] = String(rounded).split('.');
  if (whole.includes('e')) return whole;
  return [whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ','), ...fraction].join('.');
}
