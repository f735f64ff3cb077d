import type { Rates } from '../../model/device/rates.ts';
import { bandwidthUnit, decimalsFor, formatIn, formatPercent, throughputUnit, type Unit } from './units.ts';

/** What the columns of `pawl bench` say, one after the other: `412 TFLOP/s`, `1.31 TB/s`, `3.07 × floor`, `41 % of ceiling`. */
export function ratesTexts({
  throughput_gflop_s,
  bandwidth_gb_s,
  times_floor,
  of_ceiling_pct,
}: Rates): string[] {
  return [
    ...rate(throughput_gflop_s, throughputUnit),
    ...rate(bandwidth_gb_s, bandwidthUnit),
    ...(times_floor === undefined ? [] : [`${significant(times_floor)} × floor`]),
    ...(of_ceiling_pct === undefined ? [] : [`${formatPercent(of_ceiling_pct)} % of ceiling`]),
  ];
}

/** Three digits, never an exponent for what a table holds: 0.0142, 3.07, 1250. */
export function significant(value: number): string {
  return value >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

function rate(value: number | undefined, choose: (values: readonly number[]) => Unit): string[] {
  if (value === undefined || value === 0) return [];
  const unit = choose([value]);
  return [`${formatIn(value, unit, decimalsFor([value], unit, 3))} ${unit.name}`];
}
