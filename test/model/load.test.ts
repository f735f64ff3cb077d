import { describe, expect, it } from 'vitest';

import { acceptsLoad, isLoaded, loadTexts, worstLoad } from '../../src/model/device/load.ts';

describe('a machine', () => {
  it.each([
    ['an agent and a shell', { cpus: 2, other_cpus: 0.3, stolen_pct: 1, waited_pct: 40 }],
    ['a tenth of many CPUs', { cpus: 64, other_cpus: 6.4 }],
    ['what nvidia-smi itself shows', { gpu_busy_pct: 2, foreign_pids: [] }],
    ['nothing that is counted', {}],
  ])('is quiet with %s beside', (_, load) => {
    expect(isLoaded(load)).toBe(false);
    expect(loadTexts(load)).toEqual([]);
  });

  it.each([
    [{ cpus: 2, other_cpus: 1.2 }, 'other work kept 1.2 of 2 CPUs busy'],
    [{ cpus: 2, stolen_pct: 15.3 }, "the hypervisor took 15 % of the CPUs' time"],
    [{ gpu_busy_pct: 40 }, 'other work kept the GPU 40 % busy'],
    [{ foreign_pids: [7, 9] }, 'other processes computed on the device (pid 7, 9)'],
  ])('is loaded with %o', (load, text) => {
    expect(isLoaded(load)).toBe(true);
    expect(loadTexts(load)).toEqual([text]);
  });

  it('is as loaded as it was in the worst of several runs', () => {
    expect(
      worstLoad([{ cpus: 2, other_cpus: 0.1 }, { cpus: 2, other_cpus: 1.5, stolen_pct: 1 }, {}]),
    ).toEqual({ cpus: 2, other_cpus: 1.5, stolen_pct: 1 });
  });

  it('is accepted as it is by a variable', () => {
    expect(acceptsLoad({})).toBe(false);
    expect(acceptsLoad({ PAWL_ACCEPT_LOAD: '0' })).toBe(false);
    expect(acceptsLoad({ PAWL_ACCEPT_LOAD: '1' })).toBe(true);
  });
});
