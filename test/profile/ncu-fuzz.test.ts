import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { fuzzCorpus } from '../../bench/ncu-fuzz/corpus.ts';
import { mutate } from '../../bench/ncu-fuzz/mutate.ts';
import { violations } from '../../bench/ncu-fuzz/oracle.ts';
import { PawlError } from '../../src/model/pawl-error.ts';
import { parseNcuProfile } from '../../src/profile/ncu/ncu-profile.ts';
import { decodeNcuContent } from '../../src/profile/ncu/ncu-text.ts';
import { Xoshiro128 } from '../../src/stats/index.ts';

const FILES = 3000;
const corpus = fuzzCorpus(join(import.meta.dirname, '../fixtures/ncu'));

describe('damaged profiles', () => {
  it('give no number that is not in an intact row, and never crash the reader', () => {
    const random = new Xoshiro128(2025);
    let numbers = 0;
    for (let at = 0; at < FILES; at++) {
      const { bytes, how } = mutate(corpus, random);
      const content = decodeNcuContent(bytes);
      if (content.kind !== 'text') continue;
      try {
        const profile = parseNcuProfile(content.text);
        numbers += profile.launches.reduce((sum, { metrics }) => sum + metrics.size, 0);
        expect(violations(content.text, profile), `file ${at}: ${how.join(', ')}`).toEqual([]);
      } catch (error) {
        if (!(error instanceof PawlError)) throw error;
      }
    }
    expect(numbers).toBeGreaterThan(FILES);
  });

  it('would be caught: the second reader finds a wrong number', () => {
    const text = corpus.find((each) => each.includes('Duration')) ?? '';
    const profile = parseNcuProfile(text);
    expect(violations(text, profile)).toEqual([]);
    const [launch] = profile.launches;
    const metrics = new Map(launch?.metrics).set('gpu__time_duration.sum', { value: 1, unit: 'ns' });
    expect(violations(text, { ...profile, launches: [{ ...launch!, metrics }] })).toHaveLength(1);
  });
});
