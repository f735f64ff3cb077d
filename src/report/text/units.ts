/** A unit to show numbers in: what to divide by, and its name. */
export interface Unit {
  readonly name: string;
  readonly divisor: number;
}

/** By falling size, for times in milliseconds. */
const TIME_UNITS: readonly Unit[] = [
  { name: 's', divisor: 1e3 },
  { name: 'ms', divisor: 1 },
  { name: 'µs', divisor: 1e-3 },
  { name: 'ns', divisor: 1e-6 },
];

const THROUGHPUT_UNITS: readonly Unit[] = [
  { name: 'TFLOP/s', divisor: 1e3 },
  { name: 'GFLOP/s', divisor: 1 },
  { name: 'MFLOP/s', divisor: 1e-3 },
];

const BANDWIDTH_UNITS: readonly Unit[] = [
  { name: 'TB/s', divisor: 1e3 },
  { name: 'GB/s', divisor: 1 },
  { name: 'MB/s', divisor: 1e-3 },
];

/** One unit for all the values of a column: the largest in which the smallest of them is at least 1. */
export function timeUnit(times_ms: readonly number[]): Unit {
  return unitFor(times_ms, TIME_UNITS);
}

export function throughputUnit(throughputs_gflop_s: readonly number[]): Unit {
  return unitFor(throughputs_gflop_s, THROUGHPUT_UNITS);
}

export function bandwidthUnit(bandwidths_gb_s: readonly number[]): Unit {
  return unitFor(bandwidths_gb_s, BANDWIDTH_UNITS);
}

function unitFor(values: readonly number[], units: readonly Unit[]): Unit {
  const positive = values.filter((value) => value > 0);
  const smallest = positive.length === 0 ? 1 : Math.min(...positive);
  return units.find(({ divisor }) => smallest >= divisor) ?? units.at(-1)!;
}

/** Digits after the point that give the smallest of a column's values `significant` digits. */
export function decimalsFor(values: readonly number[], unit: Unit, significant: number): number {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return 0;
  const digitsBefore = Math.floor(Math.log10(Math.min(...positive) / unit.divisor)) + 1;
  return Math.min(significant, Math.max(0, significant - digitsBefore));
}

export function formatIn(value: number, unit: Unit, decimals: number): string {
  return (value / unit.divisor).toFixed(decimals);
}

/** A time in the unit that suits it. */
export function timeText(time_ms: number, digits = 4): string {
  const unit = timeUnit([time_ms]);
  return `${formatIn(time_ms, unit, decimalsFor([time_ms], unit, digits))} ${unit.name}`;
}

/** A percentage with the digits that matter: 0.42, 3.1, 12. */
export function formatPercent(percent: number): string {
  if (percent < 1) return percent.toFixed(2);
  return percent < 10 ? percent.toFixed(1) : percent.toFixed(0);
}

/** Binary units, as memory comes in them. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** step;
  return `${value.toFixed(step > 0 && value < 10 ? 1 : 0)} ${units[step]!}`;
}

/** 4 s, 1 min 05 s, 2 h 03 min. */
export function formatDuration(duration_ms: number): string {
  const seconds = Math.max(0, Math.round(duration_ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const two = (value: number): string => String(value).padStart(2, '0');
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${two(Math.floor((seconds % 3600) / 60))} min`;
}
