import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadConfig } from '../../../src/config/load-config.ts';
import { planKernel } from '../../../src/config/plan-kernel.ts';
import type { Captured, CaptureRequest, Profiler, Skipped } from '../../../src/profile/capture/profiler.ts';
import { prepareTargets } from '../../../src/rig/prepare-targets.ts';
import { fixtureProject } from '../../e2e/pawl-cli.ts';

/** A request to profile a fixture kernel on the CPU with the real runner: what a profiler wraps is the same. */
export async function captureRequest(kernel = 'right'): Promise<CaptureRequest> {
  const folder = await fixtureProject([kernel]);
  const loaded = await loadConfig(folder);
  const { signal } = new AbortController();
  const { targets } = await prepareTargets([planKernel(loaded, kernel)], {
    loaded,
    gpuIndex: 0,
    onProgress: () => undefined,
    signal,
  });
  const target = targets[0]!;
  return {
    target,
    case: target.plan.cases[0]!,
    cold: true,
    set: 'full',
    folder: await mkdtemp(join(tmpdir(), 'pawl-capture-')),
    stem: 'head',
    timeout_ms: 60_000,
    seed: '1',
    env: process.env,
    signal,
  };
}

/** What a profiler makes of it in the end. */
export async function captured(profiler: Profiler, asked: CaptureRequest): Promise<Captured | Skipped> {
  const taken = await profiler.take(asked);
  return taken.status === 'skipped' ? taken : taken.read();
}
