import type { Counter } from '../../model/profile/profile-report.ts';

export interface PerfOutput {
  /** Counted events, over all calls. */
  readonly counts: ReadonlyMap<string, { readonly count: number; readonly counted_pct: number | undefined }>;
  /** Events that this machine has not. */
  readonly missing: readonly string[];
}

/**
 * Reads `perf stat -x,`: value, unit, event, run time, percent of it (perf-stat(1), "CSV FORMAT"). What is not such
 * a line is left alone.
 */
export function parsePerfOutput(text: string): PerfOutput {
  const counts = new Map<string, { count: number; counted_pct: number | undefined }>();
  const missing: string[] = [];
  for (const line of text.split('\n')) {
    const [value = '', , event = '', , percent = ''] = line.split(',');
    if (!/^[\w.-]+(?::\w+)?$/.test(event)) continue;
    const name = event.replace(/:\w+$/, '');
    if (/^<not (?:supported|counted)>$/.test(value)) missing.push(name);
    else if (/^\d+(?:\.\d+)?$/.test(value)) {
      const counted_pct = /^\d+(?:\.\d+)?$/.test(percent) ? Number(percent) : undefined;
      counts.set(name, { count: Number(value), counted_pct });
    }
  }
  return { counts, missing };
}

export function perCall({ counts }: PerfOutput, calls: number): Counter[] {
  return [...counts].map(([name, { count, counted_pct }]) => {
    const counter: Counter = { name, per_call: count / calls };
    if (counted_pct !== undefined && counted_pct < 100) counter.counted_pct = counted_pct;
    return counter;
  });
}
