import type { FactName, FactReader } from './facts/derivation.ts';
import { factsRead } from './metric-set.ts';

/** What two captures of the same binary differ by. */
export const NOISE_PCT = 2;

export interface MovedFact {
  readonly metric: FactName;
  readonly unit: string;
  readonly before: number;
  readonly after: number;
}

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

const unitOf = (name: FactName): string => UNITS.find(([ending]) => name.endsWith(ending))?.[1] ?? '';

/** What moved by more than noise, the largest first: a percentage by its points, another number by its ratio. */
export function movedFacts(before: FactReader, after: FactReader): readonly MovedFact[] {
  const moved: (MovedFact & { readonly size: number })[] = [];
  for (const metric of factsRead()) {
    const [was, is] = [before.have(metric), after.have(metric)];
    if (was === undefined || is === undefined) continue;
    const size = moveSize(metric, was, is);
    if (size > 0) moved.push({ metric, unit: unitOf(metric), before: was, after: is, size });
  }
  return moved
    .toSorted((one, other) => other.size - one.size || one.metric.localeCompare(other.metric))
    .map(({ metric, unit, before: was, after: is }) => ({ metric, unit, before: was, after: is }));
}

/** In points or, alike in scale, in percent of the larger value; 0 within noise. */
export function moveSize(name: FactName, before: number, after: number): number {
  const larger = Math.max(Math.abs(before), Math.abs(after));
  if (larger === 0) return 0;
  const relativePct = (100 * Math.abs(after - before)) / larger;
  if (relativePct < NOISE_PCT) return 0;
  if (unitOf(name) !== '%') return relativePct;
  const points = Math.abs(after - before);
  return points < NOISE_PCT ? 0 : points;
}
