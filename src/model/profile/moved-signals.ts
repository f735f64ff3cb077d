/** Two profiles by their signals: what moved by more than noise. */
import type { ProfileComparison } from './diagnosis.ts';

type Moved = ProfileComparison['moved'][number];

/** What two captures of the same binary differ by. */
export const NOISE_PCT = 2;

/** By the end of the name; plain counts have none. */
const UNITS: readonly (readonly [ending: string, unit: string])[] = [
  ['_pct', '%'],
  ['_ns', 'ns'],
  ['_hz', 'hz'],
  ['_bytes_per_s', 'byte/s'],
  ['_bytes', 'byte'],
  ['_per_cycle', '/cycle'],
  ['_cycles', 'cycle'],
];

const unitOf = (name: string): string => UNITS.find(([ending]) => name.endsWith(ending))?.[1] ?? '';

/** What both have and moved by more than noise, the largest first: a percentage by its points, another by its ratio. */
export function movedSignals(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): Moved[] {
  return Object.entries(after)
    .flatMap(([metric, is]) => {
      const was = before[metric];
      if (was === undefined) return [];
      const size = moveSize(metric, was, is);
      return size > 0 ? [{ size, moved: { metric, unit: unitOf(metric), before: was, after: is } }] : [];
    })
    .toSorted((one, other) => other.size - one.size || one.moved.metric.localeCompare(other.moved.metric))
    .map(({ moved }) => moved);
}

/** In points or, alike in scale, in percent of the larger value; 0 within noise. */
export function moveSize(name: string, before: number, after: number): number {
  const larger = Math.max(Math.abs(before), Math.abs(after));
  if (larger === 0) return 0;
  const relativePct = (100 * Math.abs(after - before)) / larger;
  if (relativePct < NOISE_PCT) return 0;
  if (unitOf(name) !== '%') return relativePct;
  const points = Math.abs(after - before);
  return points < NOISE_PCT ? 0 : points;
}
