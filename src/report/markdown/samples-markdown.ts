import { markdownCode, markdownText } from './markdown-text.ts';
import { decimalsFor, formatIn, timeUnit } from '../text/units.ts';

/** What a row of the table shows. */
export interface SamplesRow {
  readonly name: string;
  readonly median_ms: number | undefined;
  readonly processes: number;
  readonly measured?: {
    readonly samples: number;
    readonly interval_ms?: readonly [number, number];
    readonly check: 'passed' | 'failed' | 'not-checked';
  };
  readonly reason: string | undefined;
}

const CHECKS = { passed: '✅ right', failed: '❌ wrong', 'not-checked': 'not checked' } as const;
const DIGITS = 4;

/** Samples as one table, for files and comments that people read on a code host. */
export function renderSamplesMarkdown(rows: readonly SamplesRow[]): string {
  const times = rows.flatMap(({ median_ms }) => median_ms ?? []);
  const unit = timeUnit(times);
  const decimals = decimalsFor(times, unit, DIGITS);
  const time = (value: number): string => formatIn(value, unit, decimals);
  const lines = rows.map(({ name, median_ms, processes, measured, reason }) => {
    const interval = measured?.interval_ms;
    const cells = [
      markdownCode(name),
      median_ms === undefined ? '' : time(median_ms),
      interval === undefined ? '' : `${time(interval[0])} – ${time(interval[1])}`,
      String(processes),
      samplesText(median_ms, measured?.samples ?? 0),
      measured === undefined ? '' : CHECKS[measured.check],
      reason === undefined ? '' : markdownText(reason),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    `| case | median, ${unit.name} | 95 % interval | processes | samples | results | note |`,
    '| :-- | --: | :-: | --: | --: | :-- | :-- |',
    ...lines,
    '',
  ].join('\n');
}

function samplesText(median_ms: number | undefined, samples: number): string {
  if (samples > 0) return String(samples);
  return median_ms === undefined ? '' : 'summary only';
}
