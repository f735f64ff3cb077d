import { expect, test } from 'vitest';

import type { StoredSeries } from '../../src/model/history/history-api.ts';
import { thinSeries } from '../../src/history/store/retention.ts';
import { decodeSeries, encodeSeries } from '../../src/history/series-codec.ts';
import { storedRunOf } from './stored-run-of.ts';

const series: StoredSeries[] = [
  ...storedRunOf({ at: 1, samples: 100 }).sides.head.measurements[0]!.series,
  { process: 9, samples_ms: [0.1 + 0.2], clock_mhz: [1980.5], throttled_ms: [1, 2], notes: ['"ä"'] },
];

test('series come back as they were, with everything they say', () => {
  expect(decodeSeries(encodeSeries(series))).toEqual(series);
});

test('a byte that changed is noticed wherever it is', () => {
  const bytes = encodeSeries(series);
  for (let at = 0; at < bytes.length; at += 7) {
    const damaged = bytes.slice();
    damaged[at]! ^= 0x10;
    expect(() => decodeSeries(damaged)).toThrow();
  }
});

test('a thinned series keeps its least, its largest and its median, and says how many there were', () => {
  const [first] = series;
  const thinned = thinSeries(first!, 21);
  expect(thinned.samples_ms).toHaveLength(21);
  expect(thinned.thinned_from).toBe(100);
  expect(thinned.samples_ms[0]).toBe(Math.min(...first!.samples_ms));
  expect(thinned.samples_ms.at(-1)).toBe(Math.max(...first!.samples_ms));
  expect(thinSeries(thinned, 5).thinned_from).toBe(100);
  expect(thinSeries(thinned, 0).samples_ms).toEqual([]);
});
