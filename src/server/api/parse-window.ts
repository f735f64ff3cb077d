import { parseMoment } from '../../model/text/moment.ts';
import { HttpProblem } from '../http/http-problem.ts';

interface AskedWindow {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

const MINUTE_MS = 60_000;

/** The end of this minute. Windows by the minute: who asks again within one gets the same answer, or 304. */
export function soon(now: Date): Date {
  return new Date(Math.ceil(now.getTime() / MINUTE_MS) * MINUTE_MS);
}

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
  const time = parseMoment(text, soon(now));
  if (time === undefined) throw new HttpProblem(400, `"${name}" is not a time.`);
  return time;
}
