import type { BaselineEntry } from '../model/judge/baseline.ts';
import { isSameUpToVariant } from '../model/judge/case-key.ts';
import type { Comparison } from '../model/judge/comparison.ts';
import type { Measurement, Samples } from '../model/measure/samples.ts';
import { variantText } from '../model/problem/variant.ts';
import { canonicalJson } from '../os/canonical-json.ts';
import { entryKey } from './entry-key.ts';
import { entrySamples } from './make-entry.ts';
import type { CheckedCase } from './match-entries.ts';

interface TwoSides {
  readonly base: Samples;
  readonly head: Samples;
}

/**
 * Puts the baseline's stored series beside a head that was not timed because it is the same binary, so that a user who
 * reads the run knows what level was maintained, and where it was measured. The head itself gets no series: nothing
 * was measured of it.
 */
export function carryLevels<Sides extends TwoSides>(
  samples: Sides,
  comparison: Comparison,
  cases: readonly CheckedCase[],
): Sides {
  const entryOf = (one: Measurement): BaselineEntry | undefined => {
    if (one.series.length > 0 || !wasMaintained(one, comparison)) return undefined;
    const entry = cases.find((each) => isSameUpToVariant(each, one))?.entry;
    return entry !== undefined && isOfClass(entry, one, samples.head) ? entry : undefined;
  };
  const carried = new Map(samples.head.measurements.map((one) => [one, entryOf(one)]));
  return {
    ...samples,
    head: withEach(samples.head, (one) => {
      const entry = carried.get(one);
      // The level's device: none was asked here, and a level belongs to its device class.
      return entry === undefined ? one : { device: storedOf(entry).device, ...one };
    }),
    base: withEach(samples.base, (one) => {
      const entry = [...carried].find(([head]) => isSameUpToVariant(head, one))?.[1];
      return entry === undefined || one.series.length > 0 ? one : { ...one, ...storedOf(entry) };
    }),
  };
}

/** Of the same variant, and with clocks as they are now: a level of other clocks is none of this key. */
function isOfClass(entry: BaselineEntry, { variant = {} }: Measurement, head: Samples): boolean {
  const { device } = entryKey(storedOf(entry), head);
  return (
    variantText(entry.key.variant) === variantText(variant) &&
    canonicalJson(device) === canonicalJson(entry.key.device)
  );
}

function withEach(samples: Samples, change: (one: Measurement) => Measurement): Samples {
  return { ...samples, measurements: samples.measurements.map(change) };
}

function storedOf(entry: BaselineEntry): Measurement {
  return entrySamples([entry]).measurements[0]!;
}

function wasMaintained(one: Measurement, { cases }: Comparison): boolean {
  return cases.some((row) => row.verdict === 'maintained' && isSameUpToVariant(row, one));
}
