export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** What is looked back at where nothing is said. */
export const DEFAULT_WINDOW_DAYS = 30;

const UNITS_MS = { h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS } as const;

/**
 * A date, a time, or how long before `now`: `12h`, `30d`, `8w`; undefined where it is none of them. `Date` alone would
 * read "5" as a day in May 2001.
 */
export function parseMoment(text: string, now: Date): Date | undefined {
  const [, count, unit] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  if (count !== undefined) {
    return new Date(now.getTime() - Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS]);
  }
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? new Date(text) : undefined;
  return time === undefined || Number.isNaN(time.getTime()) ? undefined : time;
}

/** Where a window that ends at `until` begins by default. */
export function defaultSince(until: Date): Date {
  return new Date(until.getTime() - DEFAULT_WINDOW_DAYS * DAY_MS);
}
