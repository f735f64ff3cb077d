import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { mediansOverlap } from '../../src/judge/medians-overlap.ts';
import { bootstrapMedian } from '../../src/stats/bootstrap-median.ts';
import { seriesOf } from './samples-of.ts';

describe('mediansOverlap', () => {
  it('says what the bootstrap intervals say, whatever the distance', () => {
    const side = fc.record({
      processes: fc.integer({ min: 1, max: 4 }),
      samples: fc.integer({ min: 3, max: 200 }),
      between: fc.constantFrom(0, 0.02),
      within: fc.constantFrom(0.01, 0.05),
      level_ms: fc.double({ min: 1, max: 1.03, noNaN: true }),
      seed: fc.integer({ min: 0, max: 1e6 }),
    });
    fc.assert(
      fc.property(side, side, (one, other) => {
        const [before, after] = [seriesOf(one), seriesOf(other)];
        const [a, b] = [before, after].map((series) =>
          bootstrapMedian(series.flatMap(({ samples_ms }) => samples_ms)),
        );
        expect(mediansOverlap(before, after)).toBe(a!.low <= b!.high && b!.low <= a!.high);
      }),
      { numRuns: 500 },
    );
  });
});
