import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { EMPTY_BASELINE, type Baseline } from '../../src/model/judge/baseline.ts';
import { entryKey, keyId } from '../../src/ratchet/entry-key.ts';
import { accept, addFirst, advance, reset } from '../../src/ratchet/operations.ts';
import { rebaseBaseline, sharedRecords } from '../../src/ratchet/rebase-baseline.ts';
import { verifyBaseline } from '../../src/ratchet/verify-baseline.ts';
import { waive } from '../../src/ratchet/waivers.ts';
import { acceptedOf, AUDIT, comparisonOf, textOf, twoEntries } from './accepted-of.ts';

const OLD = acceptedOf(1, 1);
const KEY = entryKey(OLD.measurement, OLD.samples);
const BASE = twoEntries();

function advanced(baseline: Baseline, level_ms: number, seed: number): Baseline {
  const faster = acceptedOf(level_ms, seed);
  return advance(baseline, faster, comparisonOf(OLD, faster), AUDIT);
}

function entryOf({ entries }: Baseline): string | undefined {
  return entries.find(({ key }) => keyId(key) === keyId(KEY))?.provenance.commit;
}

function rebased(ours: Baseline, onto: Baseline) {
  const result = rebaseBaseline(ours, onto, BASE.log.length);
  expect(verifyBaseline(textOf(result.baseline))).toEqual([]);
  // Whatever was pushed before is still there, in its place.
  expect(result.baseline.log.slice(0, onto.log.length)).toEqual(onto.log);
  return result;
}

describe('rebaseBaseline', () => {
  it('keeps the first entries of both sides', () => {
    const ours = addFirst(BASE, acceptedOf(3, 3, { case: 'ours' }), AUDIT);
    const onto = addFirst(BASE, acceptedOf(3, 4, { case: 'theirs' }), AUDIT);
    const { baseline, taken, leftOut } = rebased(ours, onto);
    expect(baseline.entries.map(({ key }) => key.case).sort()).toEqual([
      'inference_1024',
      'ours',
      'theirs',
      'training_512',
    ]);
    expect(taken.map((key) => key.case)).toEqual(['ours']);
    expect(leftOut).toEqual([]);
  });

  it('repeats an advance on a baseline that moved elsewhere', () => {
    const onto = addFirst(BASE, acceptedOf(3, 4, { case: 'theirs' }), AUDIT);
    const { baseline } = rebased(advanced(BASE, 0.8, 5), onto);
    expect(entryOf(baseline)).toBe('c5');
    expect(baseline.log.at(-1)).toMatchObject({ type: 'advance', n: 4 });
  });

  it('lets the faster of two confirmed advances stand, whichever came first', () => {
    const [faster, slower] = [advanced(BASE, 0.5, 5), advanced(BASE, 0.8, 6)];
    expect(entryOf(rebased(faster, slower).baseline)).toBe('c5');
    const other = rebased(slower, faster);
    expect(entryOf(other.baseline)).toBe('c5');
    expect(other.leftOut).toMatchObject([{ key: KEY, why: expect.stringContaining('not proven faster') }]);
  });

  it('lets the one that is there stand where neither is proven faster', () => {
    expect(entryOf(rebased(advanced(BASE, 0.8, 5), advanced(BASE, 0.801, 6)).baseline)).toBe('c6');
  });

  it('does not put back what a person took out meanwhile', () => {
    const onto = reset(BASE, KEY, 'another cooler', AUDIT);
    const { baseline, leftOut } = rebased(advanced(BASE, 0.8, 5), onto);
    expect(entryOf(baseline)).toBeUndefined();
    expect(leftOut).toMatchObject([{ why: expect.stringContaining('a person changed') }]);
  });

  it('does not undo what a person accepted meanwhile, also when a run moved it after that', () => {
    const slower = acceptedOf(1.2, 9);
    const onto = accept(BASE, slower, { reason: 'a fix' }, AUDIT);
    expect(entryOf(rebased(advanced(BASE, 0.8, 5), onto).baseline)).toBe('c9');
    expect(entryOf(rebased(advanced(BASE, 0.5, 5), advanced(onto, 0.8, 10)).baseline)).toBe('c10');
  });

  it('adds up the gains of several advances before it compares', () => {
    const twice = (first_ms: number, second_ms: number, seed: number): Baseline => {
      const [one, two] = [acceptedOf(first_ms, seed), acceptedOf(second_ms, seed + 1)];
      return advance(advanced(BASE, first_ms, seed), two, comparisonOf(one, two), AUDIT);
    };
    expect(entryOf(rebased(twice(0.8, 0.5, 5), advanced(BASE, 0.6, 7)).baseline)).toBe('c6');
    expect(entryOf(rebased(twice(0.9, 0.8, 5), advanced(BASE, 0.6, 7)).baseline)).toBe('c7');
  });

  it('leaves the entries in the order of their keys, and the records with who made them', () => {
    const ours = addFirst(BASE, acceptedOf(3, 3, { case: 'm' }), { ...AUDIT, author: 'Eve', commit: 'e1' });
    const onto = ['z', 'a'].reduce(
      (before, name) => addFirst(before, acceptedOf(3, 4, { case: name }), AUDIT),
      BASE,
    );
    const { baseline } = rebased(ours, onto);
    const cases = baseline.entries.map(({ key }) => key.case);
    expect(cases).toEqual(['a', 'inference_1024', 'm', 'training_512', 'z']);
    expect(baseline.log.at(-1)).toMatchObject({
      author: 'Eve',
      commit: 'e1',
      time: AUDIT.time.toISOString(),
    });
  });

  it('counts no record as shared where the other log began anew', () => {
    const onto = addFirst(EMPTY_BASELINE, acceptedOf(1, 8), AUDIT);
    const { baseline, leftOut } = rebaseBaseline(advanced(BASE, 0.5, 5), onto, BASE.log.length);
    expect(entryOf(baseline)).toBe('c8');
    expect(leftOut).toHaveLength(1);
  });

  it('keeps the entry that entered first where both sides have a first one', () => {
    const onto = addFirst(EMPTY_BASELINE, acceptedOf(1, 8), AUDIT);
    const { baseline, leftOut } = rebaseBaseline(addFirst(EMPTY_BASELINE, OLD, AUDIT), onto, 0);
    expect(entryOf(baseline)).toBe('c8');
    expect(leftOut).toHaveLength(1);
  });

  it('repeats no waiver', () => {
    const request = { pattern: '*', reason: 'because', expires: '2026-03-20' };
    expect(() => rebaseBaseline(waive(BASE, request, AUDIT), BASE, BASE.log.length)).toThrow(/a person made/);
  });

  it('loses no key of either side, whatever both did', () => {
    const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 1, max: 90 })), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(steps, steps, (mine, theirs) => {
        const [ours, onto] = [grow(mine, 100), grow(theirs, 200)];
        const { baseline } = rebaseBaseline(ours, onto, sharedRecords(BASE, ours));
        expect(verifyBaseline(textOf(baseline))).toEqual([]);
        const keys = new Set(baseline.entries.map(({ key }) => keyId(key)));
        for (const { key } of [...ours.entries, ...onto.entries]) expect(keys.has(keyId(key))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

/** Cases that enter, and then get faster. */
function grow(steps: readonly (readonly [string, number])[], seed: number): Baseline {
  const best = new Map<string, number>();
  return steps.reduce((baseline, [name, share], index) => {
    const before = best.get(name);
    const level_ms = before === undefined ? 2 : before * (share / 100);
    const accepted = acceptedOf(level_ms, seed + index, { case: name });
    best.set(name, level_ms);
    if (before === undefined) return addFirst(baseline, accepted, AUDIT);
    const comparison = comparisonOf(acceptedOf(before, 7, { case: name }), accepted);
    return comparison.verdict === 'improved' ? advance(baseline, accepted, comparison, AUDIT) : baseline;
  }, BASE);
}
