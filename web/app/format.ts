import { decimalsFor, formatIn, timeUnit } from '../../src/report/units.ts';

export { formatDuration } from '../../src/report/units.ts';

/** A time in the unit that suits it, with four digits that count. */
export function timeText(time_ms: number): string {
  const unit = timeUnit([time_ms]);
  return `${formatIn(time_ms, unit, decimalsFor([time_ms], unit, 4))} ${unit.name}`;
}

/** A level and its interval in one unit: `1.234 ms`, `1.230 … 1.239`. */
export function levelTexts(
  level_ms: number,
  ci_ms: readonly [number, number],
): { level: string; interval: string } {
  const unit = timeUnit([level_ms]);
  const decimals = decimalsFor([level_ms], unit, 4);
  return {
    level: `${formatIn(level_ms, unit, decimals)} ${unit.name}`,
    interval: ci_ms.map((end) => formatIn(end, unit, decimals)).join(' … '),
  };
}

/** With its sign, since positive is faster: +3.1 %, −0.42 %. */
export function changeText(change_pct: number): string {
  return `${signed(change_pct)} %`;
}

export function changeInterval([low, high]: readonly [number, number]): string {
  return `${signed(low)} … ${signed(high)} %`;
}

function signed(value: number): string {
  const size = Math.abs(value).toFixed(Math.abs(value) < 1 ? 2 : 1);
  if (Number(size) === 0) return '0';
  return `${value < 0 ? '−' : '+'}${size}`;
}

/** 1.24×, and of what is far below it two digits: 0.034×. */
export function speedupText(speedup: number): string {
  return `${speedup < 0.1 ? speedup.toPrecision(2) : speedup.toFixed(2)}×`;
}

/** As coarse as sessions are planned: 4 min, 2 h 05 min. */
export function minutesText(minutes: number): string {
  const whole = Math.round(minutes);
  if (whole < 60) return minutes > 0 && whole === 0 ? '< 1 min' : `${whole} min`;
  return `${Math.floor(whole / 60)} h ${String(whole % 60).padStart(2, '0')} min`;
}

export function countText(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : many}`;
}

/** Thousands apart by narrow spaces; from a million on, shortened. */
function numberText(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toFixed(1)} G`;
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} M`;
  return String(Math.round(value)).replaceAll(/\B(?=(\d{3})+$)/gu, '\u202F');
}

export function shortCommit(commit: string): string {
  return /^[0-9a-f]{12,}$/u.test(commit) ? commit.slice(0, 9) : commit;
}

/** In UTC, as everything that is stored: two readers of one link see the same. */
export function dateText(time: string): string {
  return time.slice(0, 10);
}

export function timeOfDay(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)}`;
}

/** How long ago, roughly. */
export function agoText(time: string, now: number): string {
  const minutes = Math.max(0, (now - Date.parse(time)) / 60_000);
  if (minutes < 60) return `${Math.round(minutes)} min ago`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h ago`;
  if (minutes < 90 * 24 * 60) return `${Math.round(minutes / 1440)} days ago`;
  return `${Math.round(minutes / 43_800)} months ago`;
}

export function variantText(variant: Readonly<Record<string, unknown>> | undefined): string {
  return Object.entries(variant ?? {})
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
}
