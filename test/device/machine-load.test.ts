import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { loadBetween, loadCounters, type LoadCounters } from '../../src/device/machine-load.ts';

interface Machine {
  readonly at_ms: number;
  readonly waiting_us?: number;
  /** user nice system idle iowait irq softirq steal guest guest_nice */
  readonly ticks?: string;
  /** utime stime cutime cstime */
  readonly own?: string;
}

function counters({
  at_ms,
  waiting_us = 0,
  ticks = '0 0 0 0 0 0 0 0 0 0',
  own = '0 0 0 0',
}: Machine): Promise<LoadCounters> {
  const files: Record<string, string> = {
    '/proc/pressure/cpu': `some avg10=1.00 avg60=0.50 avg300=0.10 total=${waiting_us}\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0`,
    '/proc/stat': `cpu  ${ticks}\ncpu0 ${ticks}\ncpu1 ${ticks}\ncpu2 ${ticks}\ncpu3 ${ticks}\nintr 5 0 0\nctxt 99`,
    '/proc/self/stat': `7 (a (b) c) S 1 7 7 0 -1 4194304 1 2 3 4 ${own} 20 0 11 0 99`,
  };
  return loadCounters({ now_ms: () => at_ms, read: async (path) => files[path] });
}

describe('what a machine does beside', () => {
  it('is told by how long tasks waited for a CPU', async () => {
    const before = await counters({ at_ms: 0, waiting_us: 1_000_000 });
    const after = await counters({ at_ms: 1000, waiting_us: 1_500_000 });
    expect(loadBetween(before, after)).toMatchObject({ waited_pct: 50 });
  });

  it('is told by what a hypervisor took', async () => {
    const before = await counters({ at_ms: 0, ticks: '100 0 0 900 0 0 0 0 0 0' });
    const after = await counters({ at_ms: 1000, ticks: '180 0 0 905 0 0 0 15 0 0' });
    expect(loadBetween(before, after)).toMatchObject({ stolen_pct: 15 });
  });

  it('is told by CPUs that are busy with what neither this process nor its children did', async () => {
    const before = await counters({ at_ms: 0, ticks: '100 0 0 900 0 0 0 0 0 0', own: '10 10 10 10' });
    const ticks = '150 0 10 960 0 0 0 0 0 0';
    expect(loadBetween(before, await counters({ at_ms: 300, ticks, own: '10 10 10 10' }))).toMatchObject({
      cpus: 4,
      other_cpus: 2,
    });
    expect(loadBetween(before, await counters({ at_ms: 300, ticks, own: '15 11 40 12' }))).toMatchObject({
      other_cpus: 0.7,
    });
  });

  it('is not told where the system counts nothing', async () => {
    const nothing = await loadCounters({ now_ms: () => 0, read: async () => undefined });
    expect(loadBetween(nothing, { ...nothing, at_ms: 1000 })).toBeUndefined();
  });

  it.runIf(process.platform === 'linux')('does not include what an ended child did', async () => {
    const before = await loadCounters({ now_ms: () => 0 });
    const burn = 'const end = Date.now() + 400; while (Date.now() < end);';
    await promisify(execFile)(process.execPath, ['-e', burn]);
    const after = await loadCounters({ now_ms: () => 400 });
    expect(after.ticks!.cpus).toBeGreaterThan(0);
    // On a busy machine the child got less than the time that passed.
    expect(after.ticks!.own - before.ticks!.own).toBeGreaterThan(5);
  });
});
