import { expect, it, vi } from 'vitest';

import { loadConfig } from '../../src/config/load-config.ts';
import { planKernel } from '../../src/config/plan-kernel.ts';
import { prepareSide } from '../../src/rig/prepared-side.ts';
import { timeCall_us } from '../../src/measure/time-call.ts';
import { busyKernel, CompareProject } from '../workflows/compare-project.ts';

vi.setConfig({ testTimeout: 600_000 });

it('times a call without a profiler, and says nothing of a kernel that fails', async () => {
  const project = await CompareProject.create();
  const { signal } = new AbortController();
  const timed = async () => {
    const loaded = await loadConfig(project.folder);
    const plan = planKernel(loaded, 'busy', {});
    const context = { loaded, main: loaded, git: undefined, gpuIndex: 0, signal, onProgress: () => {} };
    const { targets } = await prepareSide([plan], context);
    const options = { mode: 'hot', seed: '7', timeout_ms: 60_000, signal, now: () => new Date() } as const;
    return timeCall_us(targets[0]!, plan.cases[0]!, options);
  };
  await project.write('src/busy.cpp', busyKernel(20_000));
  const short = await timed();
  await project.write('src/busy.cpp', busyKernel(400_000));
  const long = await timed();
  expect(short).toBeGreaterThan(0);
  expect(long).toBeGreaterThan(5 * short!);
  await project.write('src/busy.cpp', busyKernel(10).replace('return doubled(call)', 'return 7'));
  expect(await timed()).toBeUndefined();
});
