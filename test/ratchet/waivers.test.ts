import { describe, expect, it } from 'vitest';

import { entryKey } from '../../src/ratchet/entry-key.ts';
import { verifyBaseline } from '../../src/ratchet/verify-baseline.ts';
import { activeWaivers, endWaiver, waive, waiverFor } from '../../src/ratchet/waivers.ts';
import { acceptedOf, AUDIT, textOf, twoEntries } from './accepted-of.ts';

const REQUEST = { pattern: 'attention/training_512', reason: 'fixes an overflow', expires: '2026-03-31' };
const at = (time: string) => ({ ...AUDIT, time: new Date(time) });

describe('waive', () => {
  it('holds to the end of its last day, and no longer', () => {
    const baseline = waive(twoEntries(), REQUEST, AUDIT);
    expect(activeWaivers(baseline, AUDIT.time)).toMatchObject([{ ...REQUEST, author: AUDIT.author }]);
    expect(activeWaivers(baseline, new Date('2026-03-31T23:59:59Z'))).toHaveLength(1);
    expect(activeWaivers(baseline, new Date('2026-04-01T00:00:00Z'))).toHaveLength(0);
    expect(verifyBaseline(textOf(baseline))).toEqual([]);
  });

  it('covers the keys that its pattern matches', () => {
    const baseline = waive(twoEntries(), REQUEST, AUDIT);
    const training = acceptedOf(1, 1);
    const inference = acceptedOf(1, 1, { case: 'inference_1024' });
    const covering = ({ measurement, samples }: typeof training) =>
      waiverFor(baseline, entryKey(measurement, samples), AUDIT.time);
    expect(covering(training)?.reason).toBe('fixes an overflow');
    expect(covering(inference)).toBeUndefined();
  });

  it('covers a slowdown as long as not all of its interval is beyond the size', () => {
    const baseline = waive(twoEntries(), { ...REQUEST, slower_pct: 8 }, AUDIT);
    const { measurement, samples } = acceptedOf(1, 1);
    const covers = (change_pct: number) =>
      waiverFor(baseline, entryKey(measurement, samples), AUDIT.time, {
        change_pct,
        ci_pct: [change_pct - 1, change_pct + 1],
      }) !== undefined;
    expect(covers(-7.5)).toBe(true);
    expect(covers(-8.9)).toBe(true);
    expect(covers(-9.1)).toBe(false);
    expect(baseline.log.at(-1)!.summary).toContain('by up to 8 %');
    expect(verifyBaseline(textOf(baseline))).toEqual([]);
  });

  it.each([
    ['without a reason', { reason: '' }, /with a reason/],
    ['for a day that is over', { expires: '2026-02-28' }, /already expired/],
    ['for more than 180 days', { expires: '2026-08-29' }, /180 days at most/],
    ['for ever', { expires: 'never' }, /is not a date/],
    ['for a day that no calendar has', { expires: '2026-02-30' }, /is not a date/],
    ['for a gain', { slower_pct: -3 }, /is not a slowdown/],
    ['for a case that the baseline does not have', { pattern: 'attention/nope' }, /No entry .* matches/],
  ])('is refused %s', (_, wrong, message) => {
    expect(() => waive(twoEntries(), { ...REQUEST, ...wrong }, AUDIT)).toThrow(message);
  });

  it('is refused with a reason as long as a story', () => {
    const told = (length: number) => () =>
      waive(twoEntries(), { ...REQUEST, reason: 'x'.repeat(length) }, AUDIT);
    expect(told(1_000)).not.toThrow();
    expect(told(1_001)).toThrow(/more than 1000 characters/);
  });

  it('is over at the very moment its last day is', () => {
    const given = (time: string) => () => waive(twoEntries(), REQUEST, at(time));
    expect(given('2026-03-31T23:59:59.999Z')).not.toThrow();
    expect(given('2026-04-01T00:00:00Z')).toThrow(/already expired/);
  });

  it('covers a key until the last day of the longest of several', () => {
    const { measurement, samples } = acceptedOf(1, 1);
    const long = { ...REQUEST, expires: '2026-05-31', reason: 'the long one' };
    for (const requests of [
      [REQUEST, long],
      [long, REQUEST],
    ]) {
      const baseline = requests.reduce((before, request) => waive(before, request, AUDIT), twoEntries());
      expect(waiverFor(baseline, entryKey(measurement, samples), AUDIT.time)?.reason).toBe('the long one');
    }
  });

  it('may last 180 days', () => {
    const baseline = waive(twoEntries(), { ...REQUEST, expires: '2026-08-28' }, AUDIT);
    expect(verifyBaseline(textOf(baseline))).toEqual([]);
  });

  it('strips what could repaint a terminal from a reason', () => {
    const baseline = waive(twoEntries(), { ...REQUEST, reason: 'a\u001b[31m\n b\u202e' }, AUDIT);
    expect(baseline.log.at(-1)).toMatchObject({ reason: 'a[31m b' });
  });
});

describe('endWaiver', () => {
  it('ends a waiver before its day', () => {
    const waived = waive(twoEntries(), REQUEST, AUDIT);
    const ended = endWaiver(waived, 3, 'mended', at('2026-03-02T00:00:00Z'));
    expect(activeWaivers(ended, AUDIT.time)).toEqual([]);
    expect(verifyBaseline(textOf(ended))).toEqual([]);
    expect(() => endWaiver(ended, 3, 'again', AUDIT)).toThrow(/not a waiver in force/);
  });

  it('refuses a record that is no waiver', () => {
    expect(() => endWaiver(twoEntries(), 1, 'x', AUDIT)).toThrow(/not a waiver/);
  });
});
