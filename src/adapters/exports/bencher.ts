import type { ExportRow } from './export-row.ts';

const NS_PER_MS = 1e6;
/** Bencher's limit for the name of a benchmark. */
const MAX_NAME = 1024;

/**
 * Bencher Metric Format (https://bencher.dev/docs/reference/bencher-metric-format): `latency` is in ns. The bounds are
 * the 95 % interval of the median, where there are samples. Cases without a time, and wrong ones, have no place in it.
 */
export function bencherJson(rows: readonly ExportRow[]): string {
  const entries = rows.flatMap((row) => {
    if (row.median_ms === undefined || isWrong(row)) return [];
    const bounds = row.measured?.interval_ms;
    const latency = {
      value: row.median_ms * NS_PER_MS,
      ...(bounds === undefined
        ? {}
        : { lower_value: bounds[0] * NS_PER_MS, upper_value: bounds[1] * NS_PER_MS }),
    };
    return [[row.name.replaceAll(/\p{C}/gu, '').slice(0, MAX_NAME), { latency }] as const];
  });
  return `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`;
}

function isWrong({ measured, compared }: ExportRow): boolean {
  return measured?.check === 'failed' || compared?.verdict === 'incorrect';
}
