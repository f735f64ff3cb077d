/** Waivers: a regression allowed for a while, by somebody, for a reason. They live in the log alone. */
import type { Baseline, EntryKey, WaiveRecord } from '../model/judge/baseline.ts';
import { defined } from '../model/defined.ts';
import { DAY_MS } from '../model/text/moment.ts';
import { ownHint, PawlError } from '../model/pawl-error.ts';
import type { MeasuredSlowdown } from '../model/judge/slowdown.ts';
import { matchesPattern } from './entry-key.ts';
import { matchingKeys } from './find-entry.ts';
import { appendRecord } from './log.ts';
import type { Audit } from './make-entry.ts';

/** Half a year: longer than any fix should take, and short enough that somebody is asked again. */
export const WAIVER_MAX_DAYS = 180;

const TEXT_MAX = 1_000;

export interface WaiverRequest {
  /** `kernel/case` or the whole text of a key; `*` stands for any text. */
  readonly pattern: string;
  readonly reason: string;
  /** The last day on which it holds, `YYYY-MM-DD`, UTC. */
  readonly expires: string;
  /** The largest slowdown that it covers, in percent. */
  readonly slower_pct?: number;
}

export function waive(baseline: Baseline, request: WaiverRequest, audit: Audit): Baseline {
  const { pattern } = request;
  matchingKeys(baseline, pattern);
  const reason = checkedReason(request.reason, 'A waiver is given');
  const expires = checkedExpiry(request.expires, audit.time);
  const { slower_pct } = request;
  if (slower_pct !== undefined && !(slower_pct > 0 && Number.isFinite(slower_pct))) {
    throw new PawlError('usage', `${slower_pct} % is not a slowdown.`, 'Give a percentage above 0.');
  }
  const size = slower_pct === undefined ? '' : ` by up to ${slower_pct} %`;
  const summary = `a regression of ${pattern}${size} is allowed until ${expires}`;
  const record = { type: 'waive', pattern, reason, expires, ...defined({ slower_pct }), summary } as const;
  return { ...baseline, log: appendRecord(baseline.log, record, audit) };
}

/** Ends a waiver before its day; `n` is the number of its record. */
export function endWaiver(baseline: Baseline, n: number, reason: string, audit: Audit): Baseline {
  const waiver = activeWaivers(baseline, audit.time).find((each) => each.n === n);
  if (waiver === undefined) {
    throw new PawlError(
      'usage',
      `Record ${n} of the log is not a waiver in force.`,
      ownHint('For details: pawl ratchet log', 'ratchet log'),
    );
  }
  const why = checkedReason(reason, 'A waiver is ended');
  const summary = `the waiver of ${waiver.pattern} (record ${n}) ended`;
  const record = { type: 'expire', waiver: waiver.hash, reason: why, summary } as const;
  return { ...baseline, log: appendRecord(baseline.log, record, audit) };
}

export function activeWaivers({ log }: Baseline, now: Date): WaiveRecord[] {
  const ended = new Set(log.flatMap((record) => (record.type === 'expire' ? [record.waiver] : [])));
  return log.filter(
    (record) => record.type === 'waive' && !ended.has(record.hash) && now.getTime() < endOf(record.expires),
  ) as WaiveRecord[];
}

/** The waiver in force that covers a key, and what was measured of it; of several, the one that lasts longest. */
export function waiverFor(
  baseline: Baseline,
  key: EntryKey,
  now: Date,
  measured?: MeasuredSlowdown,
): WaiveRecord | undefined {
  return activeWaivers(baseline, now)
    .filter(({ pattern }) => matchesPattern(pattern, key))
    .filter((waiver) => measured === undefined || isWithin(waiver, measured))
    .reduce<WaiveRecord | undefined>(
      (longest, each) => (longest === undefined || each.expires > longest.expires ? each : longest),
      undefined,
    );
}

/** A slowdown is beyond its waiver when all of its interval is: as with the threshold, noise alone does not fail. */
function isWithin({ slower_pct = Infinity }: WaiveRecord, { ci_pct }: MeasuredSlowdown): boolean {
  return ci_pct[1] >= -slower_pct;
}

/** Whether a waiver lasts longer than the limit, counted from when it was given. */
export function isTooLong({ time, expires }: Pick<WaiveRecord, 'time' | 'expires'>): boolean {
  return endOf(expires) - Date.parse(time) > (WAIVER_MAX_DAYS + 1) * DAY_MS;
}

export function checkedReason(text: string, what: string): string {
  const reason = text.replaceAll(/\s+/gu, ' ').replaceAll(/\p{C}/gu, '').trim();
  if (reason === '') {
    throw new PawlError('usage', `${what} only with a reason.`, 'Give one with --reason.');
  }
  if (reason.length > TEXT_MAX) {
    throw new PawlError(
      'usage',
      `The reason has more than ${TEXT_MAX} characters.`,
      'Shorten it, and link to the details.',
    );
  }
  return reason;
}

function checkedExpiry(text: string, now: Date): string {
  const end = endOf(text);
  const latest = new Date(now.getTime() + WAIVER_MAX_DAYS * DAY_MS).toISOString().slice(0, 10);
  const hint = `Give the last day on which it holds, ${now.toISOString().slice(0, 10)} to ${latest}.`;
  if (Number.isNaN(end)) throw new PawlError('usage', `"${text}" is not a date such as 2026-12-31.`, hint);
  if (end <= now.getTime()) throw new PawlError('usage', `A waiver until ${text} has already expired.`, hint);
  if (isTooLong({ time: now.toISOString(), expires: text })) {
    throw new PawlError('usage', `A waiver lasts ${WAIVER_MAX_DAYS} days at most, not until ${text}.`, hint);
  }
  return text;
}

/** The first moment after a day; NaN for what is not a calendar day. */
function endOf(day: string): number {
  const start = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN;
  // Some engines roll 02-30 over to March.
  return Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== day ? NaN : start + DAY_MS;
}
