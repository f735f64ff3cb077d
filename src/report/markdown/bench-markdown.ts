import type { BenchMeasurement, BenchReport } from '../../model/reports/bench-report.ts';
import { faultText, lostText } from '../../model/measure/fault.ts';
import { withThousands } from '../../model/text/number-text.ts';
import type { Column, ColumnId } from '../bench-columns.ts';
import { benchColumns, preparedInputs } from '../bench-columns.ts';
import type { BenchGroup } from '../bench-groups.ts';
import {
  benchGroups,
  gatheredWarnings,
  isOnlyChecked,
  subjectText,
  unmeasuredText,
} from '../bench-groups.ts';
import { deviceFacts, hostFacts } from '../environment-facts.ts';
import { faultMarkdown } from './fault-markdown.ts';
import { markdownCode, markdownText, markdownValue } from './markdown-text.ts';
import { plainLines } from '../text/plain-text.ts';
import { skippedViews } from '../skipped-view.ts';

const SHOWN: readonly ColumnId[] = [
  'mode',
  'median',
  'interval',
  'cv',
  'between',
  'p95',
  'p99',
  'runs',
  'throughput',
  'bandwidth',
  'prepare',
  'prepared',
  'memory',
  'clock',
  'times-floor',
  'ceiling',
];

const CHECK_WORDS: Readonly<Record<BenchMeasurement['check'], string>> = {
  passed: '✅ right',
  failed: '❌ wrong',
  'not-checked': 'not checked',
};

/** The report for pull requests, job summaries and files that people read on a code host. */
export function renderBenchMarkdown(report: BenchReport): string {
  const groups = benchGroups(report);
  const blocks = [
    '# Benchmark',
    environmentText(report),
    ...groups.map((group) => groupText(group, report)),
    groups.length === 0 ? 'Nothing was measured.' : legendText(report),
    skippedText(report),
    warningsText(report),
    faultsText(report),
    lostSeriesText(report),
    ceilingText(report),
    factsText(report),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function environmentText(report: BenchReport): string {
  const [device, ...details] = deviceFacts(report).filter(({ name }) => name !== 'UUID');
  if (device === undefined) return '';
  const took = hostFacts(report).filter(({ name }) => name === 'took');
  const rest = [...details, ...took].map(({ name, value }) => `${name} ${markdownText(value)}`);
  return [`On **${markdownText(device.value)}**`, ...rest].join(' · ');
}

function groupText(group: BenchGroup, report: BenchReport): string {
  const columns = benchColumns(group, report).filter(({ id }) => SHOWN.includes(id));
  const title = [markdownCode(group.kernel)];
  if (group.device !== undefined) title.push(`on ${markdownText(group.device)}`);
  const heading = `## ${title.join(' ')}`;
  const variant = group.variant === '' ? [] : [`Variant: ${markdownCode(group.variant)}`];
  const header = ['case', ...columns.map((column) => column.header), 'result'];
  const rule = [':--', ...columns.map(({ align }) => (align === 'left' ? ':--' : '--:')), ':--'];
  const rows = group.measurements.map((one) => rowCells(one, columns));
  const table = [header, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return [heading, ...variant, table].join('\n\n');
}

function rowCells(one: BenchMeasurement, columns: readonly Column[]): string[] {
  const result =
    one.state === 'unmeasured' && one.check !== 'failed'
      ? `${isOnlyChecked(one) ? '✅' : '❌'} ${unmeasuredText(one)}`
      : CHECK_WORDS[one.check];
  return [
    markdownCode(one.case),
    ...columns.map(({ id, cell }) => (id === 'median' && cell(one) !== '' ? `**${cell(one)}**` : cell(one))),
    result,
  ];
}

function ceilingText({ measurements }: BenchReport): string {
  return measurements
    .flatMap((one) =>
      one.state === 'measured' && one.roofline?.advice !== undefined
        ? [`- ${markdownCode(one.case)}: ${markdownText(one.roofline.advice)}`]
        : [],
    )
    .join('\n');
}

function legendText({ interval, measurements }: BenchReport): string {
  const confidence = Math.round(100 * interval.confidence);
  const between = measurements.some(({ processes }) => processes > 1)
    ? ' *between* is the spread of the process medians (Qn) over the median.'
    : '';
  const prepared = preparedInputs(measurements);
  const before =
    prepared === ''
      ? ''
      : ` *prepare* is the preparation of ${markdownText(prepared)} before calls; it is not part of the times.`;
  return (
    `*median* is the median of the process medians, with its ${confidence} % bootstrap interval ` +
    `(${withThousands(interval.resamples)} resamples, seed \`${interval.seed}\`).${between}${before}`
  );
}

function skippedText({ skipped }: BenchReport): string {
  const lines = skippedViews(skipped).map(({ kernel, isBroken, what, said, hint }) => {
    const cure = hint === undefined ? '' : ` → ${markdownText(hint)}`;
    const title = `- ${isBroken ? '❌' : '⚠️'} ${markdownCode(kernel)}: ${markdownText(what)}${cure}`;
    return [title, ...said.map((line) => `  <br>${markdownCode(line)}`)].join('\n');
  });
  return lines.length === 0 ? '' : ['## Not measured', lines.join('\n')].join('\n\n');
}

function warningsText(report: BenchReport): string {
  const warnings = gatheredWarnings(report);
  if (warnings.length === 0) return '';
  const lines = warnings.map(({ message, remedy, subjects }) => {
    const about = subjects.length === 0 ? '' : `${subjects.map(markdownCode).join(', ')}: `;
    const cure = remedy === undefined ? '' : ` → ${markdownText(remedy)}`;
    return `- ⚠️ ${about}${markdownText(message)}${cure}`;
  });
  return ['## Warnings', lines.join('\n')].join('\n\n');
}

function faultsText({ measurements }: BenchReport): string {
  const blocks = measurements.flatMap((one) => {
    if (one.fault === undefined) return [];
    const title = `${markdownCode(subjectText(one))}: ${markdownText(faultText(one.fault))}`;
    return [`### ${title}`, faultMarkdown(one.fault)];
  });
  return blocks.length === 0 ? '' : ['## Incorrect', ...blocks].join('\n\n');
}

function lostSeriesText({ measurements }: BenchReport): string {
  const lines = measurements.flatMap((measurement) =>
    measurement.lost.map((lost) => {
      const { process, reason, output } = lost;
      const said = plainLines(output ?? '', 3).map((line) => `  <br>${markdownCode(line)}`);
      const what = `${markdownCode(subjectText(measurement))}, process ${process}: ${markdownText(reason)}: `;
      return [`- ${what}${markdownText(lostText(lost))}`, ...said].join('\n');
    }),
  );
  return lines.length === 0 ? '' : ['## Lost series', lines.join('\n')].join('\n\n');
}

function factsText(report: BenchReport): string {
  const all = [...deviceFacts(report), ...hostFacts(report)];
  if (all.length === 0) return '';
  const rows = all.map(({ name, value }) => `| ${name} | ${markdownValue(value)} |`);
  const table = ['| environment | |', '| :-- | :-- |', ...rows].join('\n');
  return `<details><summary>Environment</summary>\n\n${table}\n\n</details>`;
}
