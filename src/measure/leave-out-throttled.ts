import { THROTTLE_MASK, THROTTLE_REASONS } from '../model/device/device.ts';
import { median } from '../stats/index.ts';

export interface TimedSample {
  readonly ms: number;
  /** NVML's clock event reasons around the sample. */
  readonly mask: number;
  /** In-band SM clock, where the device has one. */
  readonly clock_mhz: number | undefined;
}

/** A sample under a power cap still counts while its clock is within this share of the uncapped ones'. */
const SAME_CLOCK = 0.97;

/**
 * Which samples were taken while the device throttled.
 *
 * Thermal and hardware reasons always count. A software power cap does not by itself: on an H200 NVML raises
 * that flag for seconds at a time while the SM clock, read in band, stays where it is without it (1961 against
 * 1964 MHz, docs/results/h200/measuring.md). So a power-capped sample is left out when its own clock says that
 * it ran slower than the uncapped ones of its series, or when there is no clock to ask. A series that is capped
 * from end to end has nothing to be compared with: it is kept, with its clocks and its flag.
 */
export function isThrottled(samples: readonly TimedSample[]): boolean[] {
  const free = samples.filter(({ mask }) => (mask & THROTTLE_MASK) === 0);
  const clocks = free.flatMap(({ clock_mhz }) => clock_mhz ?? []);
  const least_mhz = clocks.length === 0 ? 0 : SAME_CLOCK * median(clocks);
  return samples.map(({ mask, clock_mhz }) => {
    const reasons = mask & THROTTLE_MASK;
    if (reasons === 0) return false;
    if (reasons !== THROTTLE_REASONS['sw-power-cap']) return true;
    return clock_mhz === undefined ? true : clock_mhz < least_mhz;
  });
}
