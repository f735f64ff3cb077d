import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { didYouMean, editDistance } from '../../src/model/text/did-you-mean.ts';

describe('didYouMean', () => {
  const keys = ['tunables', 'tensors', 'threads', 'cases', 'S'];

  it.each([
    ['tunabels', 'tunables'],
    ['tensor', 'tensors'],
    ['Cases', 'cases'],
    ['thread', 'threads'],
    ['s', 'S'],
  ])('finds what %s was meant to be', (word, meant) => {
    expect(didYouMean(word, keys)).toBe(` (did you mean \`${meant}\`?)`);
  });

  it.each(['oracle', 'x', 'tunable_values', ''])('does not guess at %j', (word) => {
    expect(didYouMean(word, keys)).toBe('');
  });

  it('knows other words for the same thing, and suggests them only where they are known', () => {
    expect(didYouMean('gpu', ['cpu', 'cuda'])).toBe(' (did you mean `cuda`?)');
    expect(didYouMean('GPU', ['cpu'])).toBe(' (did you mean `cpu`?)');
    expect(didYouMean('cpp', ['c++', 'cuda', 'python'])).toBe(' (did you mean `c++`?)');
  });

  it('costs nothing on a very long word', () => {
    expect(didYouMean('t'.repeat(1_000_000), keys)).toBe('');
  });
});

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['abc', '', 3],
    ['abc', 'acb', 1],
    ['kitten', 'sitting', 3],
    ['ca', 'abc', 3],
  ])('from %j to %j is %i', (from, to, distance) => {
    expect(editDistance(from, to)).toBe(distance);
  });

  it('is the same both ways and at most the longer length', () => {
    const word = fc.string({ maxLength: 12 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(editDistance(a, b) === 0).toBe(a === b);
      }),
    );
  });
});
