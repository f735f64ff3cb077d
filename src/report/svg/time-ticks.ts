import type { Unit } from '../text/units.ts';
import { timeUnit } from '../text/units.ts';
import { niceTicks } from './scale.ts';

export interface TimeTicks {
  readonly unit: Unit;
  readonly ticks: readonly { readonly time_ms: number; readonly text: string }[];
}

/** Round times within a range, labelled in the unit that suits it. */
export function timeTicks(low_ms: number, high_ms: number, about: number): TimeTicks {
  const unit = timeUnit([Math.max(low_ms, high_ms / 1000)]);
  const { ticks, decimals } = niceTicks(low_ms / unit.divisor, high_ms / unit.divisor, about);
  return {
    unit,
    ticks: ticks.map((tick) => ({ time_ms: tick * unit.divisor, text: tick.toFixed(decimals) })),
  };
}

/** A range with a margin, and with a width also where all values are equal. */
export function paddedRange(values: readonly number[]): [low: number, high: number] {
  const least = Math.min(...values);
  const most = Math.max(...values);
  const margin = most > least ? (most - least) * 0.04 : Math.abs(most) * 0.01;
  return [least - margin, most + margin];
}
