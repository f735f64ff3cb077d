import { signedPercent } from '../../../src/model/text/change-text.ts';
import type { TrendPoint } from '../../../src/model/history/history.ts';
import { LEAST_VALUES } from '../../../src/stats/level-shifts.ts';
import { decimalsFor, formatIn, timeUnit } from '../../../src/report/text/units.ts';

export { minutesText, speedupText } from '../../../src/model/text/number-text.ts';
export { moneyText } from '../../../src/report/text/cost-text.ts';
export { formatDuration, timeText } from '../../../src/report/text/units.ts';

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
  return `${percentText(change_pct)} %`;
}

export function changeInterval([low, high]: readonly [number, number]): string {
  return `${percentText(low)} … ${percentText(high)} %`;
}

/** As reports of comparisons write it, but for nothing: it stands on axes too, where 0.00 would say more than it is. */
function percentText(value: number): string {
  const text = signedPercent(value);
  return Number(text) === 0 ? '0' : text;
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

/** Ten digits, as the terminal shows them; anything that is not a commit hash is left whole. */
export function shortCommit(commit: string): string {
  return /^[0-9a-f]{12,}$/u.test(commit) ? commit.slice(0, 10) : commit;
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

/** With spaces, where lines may break; the terminal's has commas, for it is one word. */
export function variantText(variant: Readonly<Record<string, unknown>> | undefined): string {
  return Object.entries(variant ?? {})
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
}

/** Of a trend without changes: whether that says anything. */
export function noChangeText(points: number): string {
  const verdicts = 'The verdicts of checks are with the points below.';
  return points < LEAST_VALUES
    ? `Changes of a level are looked for from ${LEAST_VALUES} points on, and here ${points === 1 ? 'is 1' : `are ${points}`}. ${verdicts}`
    : `No other level lasted for two points or more, as far as the noise shows. ${verdicts}`;
}

/** Days, or with the hour where neighbours are of one day: in UTC, as everything else. */
export function tickTexts(times: readonly (string | undefined)[]): string[] {
  const days = times.flatMap((time) => (time === undefined ? [] : [dateText(time)]));
  const hasHours = new Set(days).size < days.length;
  return times.map((time) => {
    if (time === undefined) return '';
    return hasHours ? timeOfDay(time).slice('2026-'.length) : dateText(time);
  });
}

/** What a point of a trend rests on. */
export function restsOn({ carried, processes, samples }: TrendPoint): string {
  if (carried === true) return 'not timed: same binary as the baseline, same level';
  return `${countText(processes, 'process', 'processes')}, ${countText(samples, 'sample')}`;
}
