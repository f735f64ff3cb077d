import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { processesNeeded, tTestPower } from '../../src/stats/power.ts';
import { R } from '../fixtures/stats/golden.ts';

describe('tTestPower', () => {
  it("agrees with R's power.t.test", () => {
    for (const { n, effect, sides, power } of R.power) {
      const ours = tTestPower(n, { standardDeviation: 1, difference: effect, alpha: 0.01, sides });
      expect(Math.abs(ours - power), `n=${n} effect=${effect} sides=${sides}`).toBeLessThan(1e-9);
    }
  });

  it('grows with n and with the difference, and starts at α', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 60 }),
        fc.double({ min: 0.01, max: 3, noNaN: true }),
        (n, difference) => {
          const power = tTestPower(n, { standardDeviation: 1, difference });
          expect(power).toBeGreaterThanOrEqual(0.05 - 1e-9);
          expect(tTestPower(n + 1, { standardDeviation: 1, difference })).toBeGreaterThanOrEqual(
            power - 1e-9,
          );
          expect(tTestPower(n, { standardDeviation: 1, difference: 2 * difference })).toBeGreaterThanOrEqual(
            power - 1e-9,
          );
          expect(tTestPower(n, { standardDeviation: 1, difference: -difference })).toBe(power);
        },
      ),
    );
  });
});

describe('processesNeeded', () => {
  it('is the smallest n that has the power by R', () => {
    for (const { sd, delta, sides, power, n } of R.processes) {
      const change = Math.expm1(delta);
      expect(processesNeeded({ logStandardDeviation: sd, change, sides, power }), `${sd} ${delta}`).toBe(n);
    }
  });

  it('asks as much for a speed-up as for the slowdown that undoes it', () => {
    const noise = { logStandardDeviation: 0.02 };
    expect(processesNeeded({ ...noise, change: 1 / 1.03 - 1 })).toBe(
      processesNeeded({ ...noise, change: 0.03 }),
    );
  });

  it('refuses what no number of processes can do', () => {
    expect(() => processesNeeded({ logStandardDeviation: 0.02, change: 0 })).toThrow(RangeError);
    expect(() => processesNeeded({ logStandardDeviation: 0, change: 0.03 })).toThrow(RangeError);
    expect(() => processesNeeded({ logStandardDeviation: 0.02, change: 0.03, power: 1 })).toThrow(RangeError);
    expect(() => processesNeeded({ logStandardDeviation: 1, change: 1e-12 })).toThrow(RangeError);
    expect(() => tTestPower(1, { standardDeviation: 1, difference: 1 })).toThrow(RangeError);
  });
});
