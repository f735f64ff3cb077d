import { availableParallelism } from 'node:os';

import type { KernelPlan } from '../../config/plan-kernel.ts';
import { systemFile } from '../../device/host.ts';

const GIBIBYTE = 2 ** 30;

/** What one compiler process takes at its worst: nvcc runs several programs over headers that g++ never sees. */
const JOB_BYTES: Readonly<Record<KernelPlan['language'], number>> = {
  cuda: 2 * GIBIBYTE,
  'c++': GIBIBYTE,
  c: GIBIBYTE / 2,
  python: GIBIBYTE,
};

/** Builds at a time: all processors but the one that drives the device, as far as memory goes. */
export async function buildJobs(language: KernelPlan['language']): Promise<number> {
  const memory = /^MemAvailable:\s+(\d+) kB$/m.exec((await systemFile('/proc/meminfo')) ?? '')?.[1];
  const byMemory =
    memory === undefined ? Infinity : Math.floor((1024 * Number(memory)) / JOB_BYTES[language]);
  return Math.max(1, Math.min(availableParallelism() - 1, byMemory));
}
