import { describe, expect, it } from 'vitest';

import { isThrottled } from '../../src/measure/leave-out-throttled.ts';

const free = { ms: 1, mask: 0, clock_mhz: 1960 };
const GPU_IDLE = 0x1;
const POWER_CAP = 0x4;
const HARDWARE_THERMAL = 0x40;

describe('isThrottled', () => {
  it('keeps samples whose flags mean no slowdown', () => {
    expect(isThrottled([free, { ...free, mask: GPU_IDLE }])).toEqual([false, false]);
  });

  it('leaves out whatever heat or the hardware slowed down, clock or not', () => {
    expect(isThrottled([free, { ...free, mask: HARDWARE_THERMAL }])).toEqual([false, true]);
  });

  it('asks the clock of a sample under a power cap', () => {
    const same = { ...free, mask: POWER_CAP, clock_mhz: 1955 };
    const slower = { ...free, mask: POWER_CAP, clock_mhz: 1700 };
    expect(isThrottled([free, same, slower])).toEqual([false, false, true]);
  });

  it('believes the flag where there is no clock to ask', () => {
    expect(isThrottled([{ ...free, mask: POWER_CAP, clock_mhz: undefined }])).toEqual([true]);
  });

  it('keeps a series that was power-capped from end to end', () => {
    const capped = { ...free, mask: POWER_CAP, clock_mhz: 1700 };
    expect(isThrottled([capped, capped])).toEqual([false, false]);
  });
});
