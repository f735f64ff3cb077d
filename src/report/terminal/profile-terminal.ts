import { defined } from '../../model/defined.ts';
import { DIAGNOSIS_SCHEMA } from '../../model/profile/diagnosis-words.ts';
import type {
  Capture,
  CodeReport,
  Counter,
  ProfileReport,
  RooflineReport,
} from '../../model/profile/profile-report.ts';
import { variantText } from '../../model/problem/variant.ts';
import { costText } from '../text/cost-text.ts';
import { comparisonLines, renderDiagnosis, type DiagnosisTerminalOptions } from './diagnosis-terminal.ts';
import { hotLinesLines } from './hot-lines-terminal.ts';
import { mixBoundText } from '../text/line-text.ts';
import { painter, type Paint } from './paint.ts';
import { padEnd, padStart, plainText, wrap } from '../text/plain-text.ts';

/** What was profiled and how, the diagnosis as `pawl diagnose` shows it, and where the files are. */
export function renderProfile(report: ProfileReport, options: DiagnosisTerminalOptions = {}): string {
  const paint = painter(options.color ?? false);
  const columns = Math.max(40, options.columns ?? 100);
  const { head, base, skipped } = report;
  const blocks: string[][] = [headLines(report, paint)];
  if (skipped !== undefined) {
    blocks.push([
      ...wrap(`${paint('yellow', '!')} not profiled: ${plainText(skipped.message)}`, columns),
      ...wrap(`  → ${plainText(skipped.remedy)}`, columns),
    ]);
  }
  if (head?.diagnosis !== undefined) {
    const { comparisons } = report;
    const diagnosis = {
      ...head.diagnosis,
      schema: DIAGNOSIS_SCHEMA,
      ...defined({ comparisons }),
    } as const;
    blocks.push([renderDiagnosis(diagnosis, options).trimEnd()]);
  } else if (report.comparisons !== undefined) {
    for (const comparison of report.comparisons) blocks.push(comparisonLines(comparison, { paint, columns }));
  } else if (report.summary !== undefined) {
    blocks.push(wrap(plainText(report.summary), columns).map((line) => paint('bold', line)));
  }
  const { static_lines = [], sampled, mix_bound } = report;
  if (mix_bound !== undefined) blocks.push(wrap(plainText(mixBoundText(mix_bound)), columns));
  for (const hot of [
    ...(head?.hot_lines ?? []),
    ...static_lines,
    ...(sampled === undefined ? [] : [sampled]),
  ])
    blocks.push(hotLinesLines(hot, { paint, columns, verbose: options.verbose === true }));
  if (report.code !== undefined) blocks.push(codeLines(report.code, columns, paint));
  if (head?.counters !== undefined) blocks.push(counterLines(head.counters, base?.counters));
  if (head?.roofline !== undefined) blocks.push(rooflineLines(head.roofline, columns));
  const notes = [head, base].flatMap((side) => side?.notes ?? []);
  blocks.push([...new Set(notes)].flatMap((note) => wrap(`! ${plainText(note)}`, columns)));
  if (report.folder !== undefined) {
    const page = report.pages?.['html'];
    blocks.push([
      ...(page === undefined ? [] : [`page   ${report.folder}/${page}`]),
      paint('dim', `files  ${report.folder}`),
    ]);
  }
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function codeLines({ findings }: CodeReport, columns: number, paint: Paint): string[] {
  if (findings.length === 0) return ['No rule applies to the compiled code.'];
  return [
    paint('bold', 'The compiled code (static: nothing was measured)'),
    ...findings.flatMap(({ rule, diagnosis, fix, expected_gain_pct }) => [
      ...wrap(`${rule} (up to ${Math.round(expected_gain_pct)} %): ${plainText(diagnosis)}`, columns),
      ...wrap(`  → ${plainText(fix)}`, columns),
    ]),
  ];
}

function headLines(report: ProfileReport, paint: Paint): string[] {
  const variant = variantText(report.variant);
  const facts = [
    `${report.kernel}/${report.case}`,
    ...(variant === '' ? [] : [variant]),
    report.mode,
    ...(report.head?.device?.name === undefined ? [] : [plainText(report.head.device.name)]),
  ];
  return [
    paint('bold', facts.join(' · ')),
    ...sideLine('now', report.head, paint),
    ...sideLine('base', report.base, paint),
    ...(report.device_s === 0 ? [] : [paint('dim', costText({ ...report, wall_s: report.seconds }))]),
  ];
}

function sideLine(name: string, side: Capture | undefined, paint: Paint): string[] {
  if (side === undefined) return [];
  const { profiler, commit, dirty, seconds } = side;
  const control =
    profiler.clock_control === undefined
      ? []
      : [
          `clocks as they are, caches ${profiler.cache_control === 'all' ? 'flushed' : 'left'} between passes`,
        ];
  const facts = [
    ...(commit === undefined ? [] : [`${commit.slice(0, 12)}${dirty === true ? ' with changes' : ''}`]),
    `${profiler.name}${profiler.version === undefined ? '' : ` ${profiler.version}`}`,
    ...(profiler.set === undefined ? [] : [`set ${profiler.set}`]),
    ...control,
    `took ${seconds.toFixed(1)} s`,
  ];
  return [paint('dim', `${padEnd(name, 4)} ${facts.join(' · ')}`)];
}

function counterLines(counters: readonly Counter[], before: readonly Counter[] | undefined): string[] {
  const width = Math.max(0, ...counters.map(({ name }) => name.length));
  const was = (name: string): number | undefined => before?.find((one) => one.name === name)?.per_call;
  const rows = counters.map(({ name, per_call }) => {
    const then = was(name);
    const from = then === undefined ? '' : `${padStart(figure(then), 12)} → `;
    return `  ${padEnd(plainText(name), width)} ${from}${padStart(figure(per_call), 12)} per call`;
  });
  return [...rows, ...ratioLines(counters, width)];
}

const RATIOS: readonly (readonly [label: string, over: string, under: string, scale: number])[] = [
  ['instructions/cycle', 'instructions', 'cycles', 1],
  ['% of cache references missed', 'cache-misses', 'cache-references', 100],
  ['% of branches mispredicted', 'branch-misses', 'branches', 100],
];

function ratioLines(counters: readonly Counter[], width: number): string[] {
  const of = (name: string): number => counters.find((one) => one.name === name)?.per_call ?? 0;
  return RATIOS.flatMap(([label, over, under, scale]) =>
    of(under) > 0
      ? [`  ${padEnd('', width)} ${padStart(((scale * of(over)) / of(under)).toFixed(2), 12)} ${label}`]
      : [],
  );
}

function rooflineLines(
  { of_ceiling_pct, bound, distance, basis, advice }: RooflineReport,
  columns: number,
): string[] {
  const text = `${of_ceiling_pct.toFixed(0)} % of the measured ceiling (${bound}), ${distance.toFixed(2)} times the floor: ${basis}`;
  return [...wrap(text, columns), ...(advice === undefined ? [] : wrap(`→ ${plainText(advice)}`, columns))];
}

function figure(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 4 });
}
