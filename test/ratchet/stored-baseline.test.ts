import { describe, expect, it } from 'vitest';

import type { BaselineEntry } from '../../src/model/judge/baseline.ts';
import type { Samples } from '../../src/model/measure/samples.ts';
import type { CheckedCase } from '../../src/ratchet/match-entries.ts';
import { storedBaseline } from '../../src/ratchet/stored-baseline.ts';

const ENTRY: BaselineEntry = {
  key: {
    kernel: 'k',
    case: 'c',
    variant: { BLOCK: 64 },
    mode: 'cold',
    device: { name: 'NVIDIA H200', driver: '580', clocks: 'as-is' },
    toolchain: { language: 'cuda', compiler: 'nvcc 13' },
  },
  series: [{ process: 1, samples_ms: [1, 2, 3] }],
  provenance: { how: 'first', time: '2026-01-01T00:00:00.000Z', check: 'passed' },
};

const CASE: CheckedCase = { kernel: 'k', case: 'c', mode: 'cold', entry: ENTRY };

function head(driver: string): Samples {
  return {
    schema: 'pawl.samples/1',
    device: { name: 'NVIDIA H200', driver },
    environment: { clocks: { policy: 'as-is' } },
    measurements: [
      { kernel: 'k', case: 'c', mode: 'cold', variant: { BLOCK: 128 }, series: [{ samples_ms: [9] }] },
    ],
  };
}

describe('storedBaseline', () => {
  it('hands out the stored series under the variant that the head has', () => {
    const { base, elsewhere } = storedBaseline([CASE], head('580'));
    expect(base.measurements).toMatchObject([
      { variant: { BLOCK: 128 }, series: [{ samples_ms: [1, 2, 3] }] },
    ]);
    expect(elsewhere).toEqual([]);
  });

  it('does not compare with what was measured under another driver', () => {
    const { base, elsewhere } = storedBaseline([CASE], head('590'));
    expect(base.measurements).toEqual([]);
    expect(elsewhere).toMatchObject([{ case: CASE, why: expect.stringMatching(/590.*580/) as string }]);
  });

  it('does not compare with the time of another amount of work', () => {
    const before = { ...CASE, entry: { ...ENTRY, dims: { N: 200 } } };
    const now = head('580');
    now.measurements[0]!.dims = { N: 300 };
    const { base, elsewhere } = storedBaseline([before], now);
    expect(base.measurements).toEqual([]);
    expect(elsewhere).toMatchObject([{ why: 'it has N=300 now, its entry has N=200' }]);
    now.measurements[0]!.dims = { N: 200 };
    expect(storedBaseline([before], now).elsewhere).toEqual([]);
  });

  it('does not compare with the time on other recorded inputs', () => {
    const before = { ...CASE, entry: { ...ENTRY, recorded: { q: 'abc', k: 'def' } } };
    const now = head('580');
    now.measurements[0]!.recorded = { q: 'abc', k: 'fed' };
    expect(storedBaseline([before], now)).toMatchObject({
      base: { measurements: [] },
      elsewhere: [{ why: 'the records of k differ from its entry' }],
    });
    // Nor with one of before anything was recorded.
    expect(storedBaseline([CASE], now).elsewhere).toMatchObject([
      { why: expect.stringMatching(/^the records of q, k /) as string },
    ]);
    now.measurements[0]!.recorded = { q: 'abc', k: 'def' };
    expect(storedBaseline([before], now).elsewhere).toEqual([]);
  });
});
