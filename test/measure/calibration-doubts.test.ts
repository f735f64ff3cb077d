import { describe, expect, it } from 'vitest';

import type { SeriesRecord } from '../../src/measure/measure.ts';
import type { Series } from '../../src/model/measure/samples.ts';
import { doubtsOf } from '../../src/measure/calibration-doubts.ts';

function record(name: string, samples_ms: number[], more: Partial<Series> = {}): SeriesRecord {
  return {
    target: { plan: { name } },
    outcome: { taken: { samples_ms, ...more } },
  } as unknown as SeriesRecord;
}

describe('the series of a calibration', () => {
  it('that agree leave no doubt', () => {
    const [one, other] = [record('copy', [1, 1.01, 1.02]), record('copy', [1.01, 1.03, 1.04])];
    expect(doubtsOf([one, record('multiply_add', [5, 5, 5]), other])).toEqual([]);
  });

  it('of which the first and the last differ are in doubt', () => {
    const quiet = record('copy', [1, 1.01, 1.02]);
    const slowed = record('copy', [1.2, 1.21, 1.22]);
    const doubt = ['the first and the last process of copy differ by 20 %'];
    expect(doubtsOf([quiet, quiet, slowed])).toEqual(doubt);
    expect(doubtsOf([slowed, quiet])).toEqual(doubt);
  });

  it('whose samples scatter are in doubt', () => {
    expect(doubtsOf([record('copy', [1, 1.4, 1.5])])).toEqual([
      'the median of copy is 40 % above its fastest sample',
    ]);
  });

  it('of a device that others used, or that throttled, are in doubt', () => {
    const shared = record('matrix', [1, 1, 1], {
      state_before: { foreign_pids: [17] },
      throttle_reasons: ['sw-power-cap', 'sw-thermal'],
    });
    expect(doubtsOf([shared, shared])).toEqual([
      'other processes computed on the device (pid 17)',
      'the device throttled (sw-thermal)',
    ]);
  });

  it('at the power cap alone are the ceilings: an idle H200 reaches it in every calibration', () => {
    const capped = record('matrix', [1, 1, 1], { throttle_reasons: ['sw-power-cap'] });
    expect(doubtsOf([capped, capped])).toEqual([]);
  });

  it('that were lost say nothing', () => {
    const lost = { ...record('copy', [1]), outcome: { lost: { process: 1, reason: 'x', message: 'y' } } };
    expect(doubtsOf([lost])).toEqual([]);
  });
});
