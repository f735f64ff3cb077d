import { functionName } from '../function-name.ts';
import type { Launches } from './list-launches.ts';

export interface NcuArguments {
  readonly set: 'full' | 'fast';
  /** What `fast` asks for. */
  readonly metrics: readonly string[];
  readonly cold: boolean;
  /** The report without its ending. */
  readonly report: string;
  /** What a call launches, where it is known: nothing else is profiled then. */
  readonly launches: Launches | undefined;
}

/** More launches of one call than this are not profiled: each takes dozens of passes. */
export const MOST_LAUNCHES = 8;

/** ncu's options. The runner marks its one call with the profiler API, so that no other launch is looked at. */
export function ncuArguments({ set, metrics, cold, report, launches }: NcuArguments): string[] {
  return [
    '--target-processes',
    'all',
    // The section holds the samples by instruction: without it there are no lines.
    ...(set === 'full' ? ['--set', 'full'] : ['--section', 'SourceCounters', '--metrics', metrics.join(',')]),
    '--import-source',
    'yes',
    // The default locks the clock at its base: durations would then not be those of a benchmark.
    '--clock-control',
    'none',
    '--cache-control',
    cold ? 'all' : 'none',
    '--profile-from-start',
    'off',
    ...filter(launches),
    '--launch-count',
    String(MOST_LAUNCHES),
    '--force-overwrite',
    '--export',
    report,
  ];
}

/** ncu tells functions without namespaces and template arguments; what stands before the name is left open. */
function filter(launches: Launches | undefined): string[] {
  const names = [...new Set((launches ?? []).map(({ name }) => functionName(name)))];
  if (names.length === 0 || !names.every((name) => /^\w+$/.test(name))) return [];
  return ['--kernel-name-base', 'function', '--kernel-name', `regex:(^|::)(${names.join('|')})$`];
}
