import { HttpProblem } from '../http/http-problem.ts';

interface AskedWindow {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

const UNITS_MS = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;

/** `12h`, `30d` and `8w` count back from now. */
export function parseWindow(
  { since, until }: AskedWindow,
  now: Date,
): { readonly since?: Date; readonly until?: Date } {
  return {
    ...(since === undefined ? {} : { since: parseTime('since', since, now) }),
    ...(until === undefined ? {} : { until: parseTime('until', until, now) }),
  };
}

function parseTime(name: string, text: string, now: Date): Date {
  const ago = /^(\d+)([hdw])$/.exec(text);
  const time =
    ago === null
      ? new Date(text)
      : new Date(now.getTime() - Number(ago[1]) * UNITS_MS[ago[2] as keyof typeof UNITS_MS]);
  if (Number.isNaN(time.getTime())) throw new HttpProblem(400, `«${name}» is no time.`);
  return time;
}
