import { describe, expect, it } from 'vitest';

import { readFuzzFile } from '../../bench/adapter-fuzz/corpus.ts';
import { mutate } from '../../bench/adapter-fuzz/mutate.ts';
import { changeNumber, wronglyTaken } from '../../bench/adapter-fuzz/numbers.ts';
import { timesOf, violations } from '../../bench/adapter-fuzz/oracle.ts';
import { PawlError } from '../../src/model/pawl-error.ts';
import { nextBelow, Xoshiro128 } from '../../src/stats/index.ts';
import { CORPUS, fixture } from './fixture.ts';

const FILES = 3000;
const NUMBERS = 1000;

describe('damaged files of other tools', () => {
  it('give no time that is not in the file, and never crash the import', () => {
    const random = new Xoshiro128(2026);
    let times = 0;
    for (let at = 0; at < FILES; at++) {
      const { file, how } = mutate(CORPUS, random);
      try {
        const reading = readFuzzFile(file);
        times += timesOf(reading.measurements).length;
        expect(violations(file, reading), `file ${at}: ${how.join(', ')}`).toEqual([]);
      } catch (error) {
        if (!(error instanceof PawlError)) throw error;
      }
    }
    expect(times).toBeGreaterThan(FILES);
  });

  it('change the result where a time changed, and no time where another number did', () => {
    const random = new Xoshiro128(2027);
    let changed = 0;
    for (let at = 0; at < NUMBERS; at++) {
      const file = CORPUS[nextBelow(random, CORPUS.length)]!;
      const change = changeNumber(file, random);
      if (change === undefined) continue;
      changed += 1;
      expect(wronglyTaken(file, change), file.name).toBeUndefined();
    }
    expect(changed).toBeGreaterThan(NUMBERS / 2);
  });

  it('would be caught: the second look finds a time that is not there', () => {
    const file = fixture('hyperfine/two-commands.json');
    const reading = readFuzzFile(file);
    const [first, ...rest] = reading.measurements;
    const forged = { ...first!, series: [{ process: 1, samples_ms: [1234.5678] }] };
    expect(violations(file, { ...reading, measurements: [forged, ...rest] })).toHaveLength(1);
  });
});
