import { describe, expect, it } from 'vitest';

import {
  disturbancesBetween,
  loadCounters,
  otherWorkBetween,
  type LoadCounters,
} from '../../src/device/machine-load.ts';

interface Machine {
  readonly at_ms: number;
  readonly waiting_us?: number;
  /** user nice system idle iowait irq softirq steal guest guest_nice */
  readonly ticks?: string;
}

function counters({ at_ms, waiting_us = 0, ticks = '0 0 0 0 0 0 0 0 0 0' }: Machine): Promise<LoadCounters> {
  const files: Record<string, string> = {
    '/proc/pressure/cpu': `some avg10=1.00 avg60=0.50 avg300=0.10 total=${waiting_us}\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0`,
    '/proc/stat': `cpu  ${ticks}\ncpu0 ${ticks}\ncpu1 ${ticks}\ncpu2 ${ticks}\ncpu3 ${ticks}\nintr 5 0 0\nctxt 99`,
  };
  return loadCounters({ now_ms: () => at_ms, read: async (path) => files[path] });
}

describe('what a machine does beside', () => {
  it('is told by how long tasks waited for a CPU', async () => {
    const before = await counters({ at_ms: 0, waiting_us: 1_000_000 });
    expect(disturbancesBetween(before, await counters({ at_ms: 1000, waiting_us: 1_050_000 }))).toEqual([]);
    expect(disturbancesBetween(before, await counters({ at_ms: 1000, waiting_us: 1_500_000 }))).toEqual([
      'tasks waited for a CPU 50 % of the time',
    ]);
  });

  it('is told by what a hypervisor took', async () => {
    const before = await counters({ at_ms: 0, ticks: '100 0 0 900 0 0 0 0 0 0' });
    const after = await counters({ at_ms: 1000, ticks: '180 0 0 905 0 0 0 15 0 0' });
    expect(disturbancesBetween(before, after)).toEqual(["the hypervisor took 15 % of the CPUs' time"]);
  });

  it('is told by CPUs that are busy while nothing of ours runs', async () => {
    const before = await counters({ at_ms: 0, ticks: '100 0 0 900 0 0 0 0 0 0' });
    const quiet = await counters({ at_ms: 300, ticks: '105 0 4 1011 0 0 0 0 0 0' });
    const busy = await counters({ at_ms: 300, ticks: '150 0 10 960 0 0 0 0 0 0' });
    expect(otherWorkBetween(before, quiet)).toEqual([]);
    expect(otherWorkBetween(before, busy)).toEqual(['other work kept 2.0 of 4 CPUs busy']);
  });

  it('is not told where the system counts nothing', async () => {
    const nothing = await loadCounters({ now_ms: () => 0, read: async () => undefined });
    expect(disturbancesBetween(nothing, { ...nothing, at_ms: 1000 })).toEqual([]);
    expect(otherWorkBetween(nothing, { ...nothing, at_ms: 1000 })).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('is counted by this machine', async () => {
    const counted = await loadCounters({ now_ms: () => 0 });
    expect(counted.ticks?.all).toBeGreaterThan(0);
    expect(counted.ticks?.cpus).toBeGreaterThan(0);
  });
});
