import { expect, it } from 'vitest';

import { diagnosisSchema } from '../../src/model/profile/diagnosis.ts';
import { compareProfiles } from '../../src/profile/compare-profiles.ts';
import { diagnose } from '../../src/profile/diagnose.ts';
import { KNOWN_CAPABILITIES, SIGNALS } from '../../src/profile/facts/metric-names.ts';
import { Xoshiro128 } from '../../src/stats/random.ts';
import { launchOf, type SignalValues } from './launch-of.ts';

const random = new Xoshiro128(42);
const below = (n: number): number => Math.floor(random.nextOpen() * n);

/** Any signal missing, zero, tiny, huge, or a plausible percentage. */
function anySignals(): SignalValues {
  const kinds = [
    () => undefined,
    () => 0,
    () => random.nextOpen() * 1e-9,
    () => random.nextOpen() * 100,
    () => 10 ** (12 * random.nextOpen()),
  ];
  const changed = SIGNALS.filter(() => random.nextOpen() < 0.3).map((signal) => [
    signal,
    kinds[below(kinds.length)]?.(),
  ]);
  return Object.fromEntries(changed) as SignalValues;
}

it('whatever a profile holds, the diagnosis is well formed and its gains are possible', () => {
  for (let round = 0; round < 1000; round += 1) {
    const capability = KNOWN_CAPABILITIES[below(KNOWN_CAPABILITIES.length)];
    const [before, after] = [launchOf(anySignals(), capability), launchOf(anySignals(), capability)];
    const kernels = [diagnose(before), diagnose(after)];
    const document = { schema: 'pawl.diagnosis/1', kernels, comparisons: [compareProfiles(before, after)] };
    expect(diagnosisSchema.safeParse(document).error).toBeUndefined();
    for (const { findings } of kernels) {
      const alone = findings.some(({ rule }) => rule === 'at-limit' || rule === 'measurement-broken');
      expect(!alone || findings.length === 1).toBe(true);
      expect(
        findings.map(({ diagnosis }) => diagnosis).filter((text) => /NaN|Infinity|undefined/u.test(text)),
      ).toEqual([]);
    }
  }
});
