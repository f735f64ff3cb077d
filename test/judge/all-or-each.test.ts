import { describe, expect, it } from 'vitest';

import { allOrEach } from '../../src/judge/candidate/all-or-each.ts';
import { PawlError } from '../../src/model/pawl-error.ts';

/** Candidates are letters; `failing` are those that no group survives. */
async function heard(
  all: readonly string[],
  failing: readonly string[],
  error: Error = new TypeError('a bug'),
) {
  const groups: string[] = [];
  const outcomes = new Map<string, string>();
  const done = allOrEach(all, {
    work: async (group) => {
      groups.push(group.join(''));
      for (const one of group) {
        await Promise.resolve();
        if (failing.includes(one)) throw error;
        outcomes.set(one, 'heard');
      }
    },
    isOpen: (one) => !outcomes.has(one),
    onFailed: (one, reason) => outcomes.set(one, (reason as Error).message),
  });
  await done;
  return { groups, outcomes: Object.fromEntries(outcomes) };
}

describe('allOrEach', () => {
  it('works on all at once', async () => {
    expect(await heard(['a', 'b', 'c'], [])).toEqual({
      groups: ['abc'],
      outcomes: { a: 'heard', b: 'heard', c: 'heard' },
    });
  });

  it('works on each alone that has no outcome where one of them breaks the group', async () => {
    expect(await heard(['a', 'b', 'c'], ['b'])).toEqual({
      groups: ['abc', 'b', 'c'],
      outcomes: { a: 'heard', b: 'a bug', c: 'heard' },
    });
  });

  it('tries nothing again that is so for all, nor the only one that is left', async () => {
    const inUse = new PawlError('try-again', 'in use');
    expect(await heard(['a', 'b'], ['a'], inUse)).toEqual({
      groups: ['ab'],
      outcomes: { a: 'in use', b: 'in use' },
    });
    expect(await heard(['a', 'b'], ['b'])).toEqual({ groups: ['ab'], outcomes: { a: 'heard', b: 'a bug' } });
  });

  it('keeps no failure to itself', async () => {
    const late = allOrEach(['a'], {
      work: () => Promise.reject(new Error('the device was not given back')),
      isOpen: () => false,
      onFailed: () => expect.unreachable(),
    });
    await expect(late).rejects.toThrow('not given back');
  });
});
