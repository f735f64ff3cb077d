import { describe, expect, it } from 'vitest';

import { PawlError } from '../../src/model/pawl-error.ts';
import { keyId } from '../../src/ratchet/entry-key.ts';
import { knownKeys, matchingKeys } from '../../src/ratchet/find-entry.ts';
import { reset } from '../../src/ratchet/operations.ts';
import { AUDIT, twoEntries } from './accepted-of.ts';

describe('the keys that a baseline knows', () => {
  const baseline = twoEntries();
  const [first, second] = baseline.entries.map(({ key }) => key);
  const idsOf = (known: typeof baseline) => knownKeys(known).map(keyId);

  it('are those of its entries', () => {
    expect(idsOf(baseline)).toEqual([keyId(first!), keyId(second!)]);
  });

  it('include an entry that was taken out by hand: the log says that it is there', () => {
    const edited = { ...baseline, entries: baseline.entries.slice(1) };
    expect(new Set(idsOf(edited))).toEqual(new Set([keyId(first!), keyId(second!)]));
    expect(matchingKeys(edited, `*/${first!.case}`).map(keyId)).toContain(keyId(first!));
  });

  it('include an entry that was put back by hand: it is there', () => {
    const { log } = reset(baseline, first!, 'the case is gone', AUDIT);
    expect(new Set(idsOf({ entries: baseline.entries, log }))).toEqual(
      new Set([keyId(first!), keyId(second!)]),
    );
  });

  it('do not include an entry that the log says was removed', () => {
    const removed = reset(baseline, first!, 'the case is gone', AUDIT);
    expect(removed.entries.map(({ key }) => keyId(key))).toEqual([keyId(second!)]);
    expect(idsOf(removed)).toEqual([keyId(second!)]);
    expect(() => matchingKeys(removed, `*/${first!.case}`)).toThrow(PawlError);
  });
});
