import type { KernelPlan } from '../../config/plan-kernel.ts';
import { NcuProfiler } from './ncu-profiler.ts';
import { PerfProfiler } from './perf-profiler.ts';
import type { Profiler } from './profiler.ts';

export type Profilers = Readonly<Record<KernelPlan['device'], Profiler>>;

/** Who explains kernels on which device. */
export const PROFILERS: Profilers = { cuda: new NcuProfiler(), cpu: new PerfProfiler() };
