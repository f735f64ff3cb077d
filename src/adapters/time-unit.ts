import { LEAST_SAMPLE_MS, MOST_SAMPLE_MS } from '../model/measure/samples.ts';

/** Milliseconds in one of each. */
export const TIME_UNITS = { ns: 1e-6, us: 1e-3, ms: 1, s: 1e3 } as const;
export type TimeUnit = keyof typeof TIME_UNITS;

const SPELLINGS: Readonly<Record<string, TimeUnit>> = {
  ns: 'ns',
  nanoseconds: 'ns',
  us: 'us',
  µs: 'us',
  μs: 'us',
  microseconds: 'us',
  ms: 'ms',
  milliseconds: 'ms',
  s: 's',
  sec: 's',
  seconds: 's',
};

/** The unit that a word means; nothing for a word that is not a unit of time, such as `GB/s`. */
export function timeUnit(word: string): TimeUnit | undefined {
  const key = word.trim().toLowerCase();
  return Object.hasOwn(SPELLINGS, key) ? SPELLINGS[key] : undefined;
}

/** In milliseconds; nothing for a time that samples cannot have (`seriesSchema`). Powers of ten are exact enough: 1 ulp. */
export function toMilliseconds(value: unknown, unit: TimeUnit): number | undefined {
  if (typeof value !== 'number') return undefined;
  const time_ms = unit === 'ns' ? value / 1e6 : unit === 'us' ? value / 1e3 : value * TIME_UNITS[unit];
  return time_ms >= LEAST_SAMPLE_MS && time_ms <= MOST_SAMPLE_MS ? time_ms : undefined;
}
