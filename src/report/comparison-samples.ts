import type { CaseKey } from '../model/judge/comparison.ts';
import type { Measurement, Samples, Series } from '../model/measure/samples.ts';
import { variantText } from '../model/problem/variant.ts';
import { histogram } from '../stats/histogram.ts';
import { sparkline } from './sparkline.ts';

/** What a comparison was made of. */
export interface ComparedSamples {
  readonly base: Samples;
  readonly head: Samples;
}

/** Both sides of one case, a series a process. */
export interface ComparedSeries {
  readonly base: readonly Series[];
  readonly head: readonly Series[];
}

export function seriesOfCase({ base, head }: ComparedSamples, key: CaseKey): ComparedSeries {
  return { base: seriesIn(base, key), head: seriesIn(head, key) };
}

/** A file from elsewhere may leave kernel, variant or mode out: then what does not contradict is the case. */
function seriesIn({ measurements }: Samples, key: CaseKey): Series[] {
  const parts = (one: CaseKey | Measurement): (string | undefined)[] => [
    one.case,
    one.kernel,
    one.mode,
    one.variant && variantText(one.variant),
  ];
  const wanted = parts(key);
  const agreeing = (matches: (a: string | undefined, b: string | undefined) => boolean): Measurement[] =>
    measurements.filter((one) => parts(one).every((part, index) => matches(part, wanted[index])));
  const exact = agreeing((a, b) => a === b);
  const found = exact.length > 0 ? exact : agreeing((a, b) => a === undefined || b === undefined || a === b);
  return found.flatMap(({ series }) => series);
}

/** Counts of both sides in the same bins. */
export interface PairedHistogram {
  readonly low_ms: number;
  readonly high_ms: number;
  readonly base: readonly number[];
  readonly head: readonly number[];
}

/** Over the range in which neither side's samples are far out (stats/histogram.ts). Neither side may be empty. */
export function pairedHistogram({ base, head }: ComparedSeries, bins: number): PairedHistogram {
  const before = base.flatMap(({ samples_ms }) => samples_ms);
  const after = head.flatMap(({ samples_ms }) => samples_ms);
  const ranges = [histogram(before, 1), histogram(after, 1)];
  const low_ms = Math.min(...ranges.map(({ low }) => low));
  const high_ms = Math.max(...ranges.map(({ high }) => high));
  const counts = (values: readonly number[]): number[] => {
    const counted = Array.from({ length: bins }, () => 0);
    for (const value of values) {
      if (value < low_ms || value > high_ms) continue;
      const share = high_ms === low_ms ? 0 : (value - low_ms) / (high_ms - low_ms);
      counted[Math.min(bins - 1, Math.floor(share * bins))]! += 1;
    }
    return counted;
  };
  return { low_ms, high_ms, base: counts(before), head: counts(after) };
}

/** Both distributions as text over one scale: where pictures cannot go. */
export function sparklinesOf(
  series: ComparedSeries,
  bins: number,
): { base: string; head: string } | undefined {
  if (series.base.length === 0 || series.head.length === 0) return undefined;
  const { base, head } = pairedHistogram(series, bins);
  return { base: sparkline(base), head: sparkline(head) };
}
