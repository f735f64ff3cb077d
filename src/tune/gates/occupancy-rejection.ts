import type { GateRejection, GateSettings } from './gate.ts';

export interface FoundOccupancy {
  /** `static`: what the launch allows, before a compiler takes from it. */
  readonly gate: 'static' | 'build';
  readonly occupancy: number;
  readonly prefetch: boolean | undefined;
}

/** Why a variant with this occupancy is not tried. */
export function occupancyRejection(found: FoundOccupancy, settings: GateSettings): GateRejection | undefined {
  const { gate, prefetch } = found;
  const found_pct = 100 * found.occupancy;
  const is = `occupancy is ${gate === 'static' ? 'at most ' : ''}${found_pct.toFixed(1)} %`;
  const least = settings.low_occupancy;
  if (typeof least === 'number' && found_pct < least) {
    return { gate, reason: 'low_occupancy', message: `${is}; at least ${least} % is required` };
  }
  const leastWithout = settings.low_occupancy_no_prefetch;
  if (typeof leastWithout !== 'number' || prefetch !== false || found_pct >= leastWithout) return undefined;
  return {
    gate,
    reason: 'low_occupancy_no_prefetch',
    message: `${is} and loads are not issued ahead; it needs prefetch, or at least ${leastWithout} %`,
  };
}
