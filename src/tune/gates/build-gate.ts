import { SM_PARTS, WARP_SIZE } from '../../device/compute-capability.ts';
import type { BuildFailureReason } from '../../model/reports/build-report.ts';
import type { DeviceLimits } from '../../model/device/device-limits.ts';
import type { Resources } from '../../model/tune/study.ts';
import { type GateRejection, type GateSettings, grouped } from './gate.ts';
import type { LaunchNeeds } from './launch-needs.ts';
import { occupancyRejection } from './occupancy-rejection.ts';
import { limitOf, registersAvailable } from './static-gate.ts';

export interface BuildFacts {
  readonly resources: Resources;
  readonly needs: LaunchNeeds;
  readonly limits: DeviceLimits;
}

/** Why a variant that was built is not run: what the compiler says it takes. */
export function buildGate(facts: BuildFacts, settings: GateSettings): GateRejection | undefined {
  return (
    sharedMemoryGate(facts, settings) ??
    registerGate(facts, settings) ??
    spillGate(facts, settings) ??
    occupancyGate(facts, settings)
  );
}

/** Failures to build that say nothing about the variant (no compiler, cancelled) reject nothing. */
export function failedBuildGate(failure: {
  readonly reason: BuildFailureReason;
  readonly message: string;
}): GateRejection | undefined {
  if (failure.reason === 'compile-error') {
    return { gate: 'build', reason: 'build_failed', message: failure.message };
  }
  if (failure.reason === 'timed-out') return { gate: 'build', reason: 'timed_out', message: failure.message };
  return undefined;
}

function sharedMemoryGate(
  { resources, limits }: BuildFacts,
  settings: GateSettings,
): GateRejection | undefined {
  const limit = limitOf(settings.smem_overflow, limits.SMEM_PER_BLOCK_OPTIN);
  const { smem_bytes } = resources;
  if (limit === undefined || smem_bytes === undefined || smem_bytes <= limit) return undefined;
  return {
    gate: 'build',
    reason: 'smem_overflow',
    message: `a block uses ${grouped(smem_bytes)} bytes of shared memory, static and dynamic; up to ${grouped(limit)} pass`,
  };
}

function registerGate({ resources, limits }: BuildFacts, settings: GateSettings): GateRejection | undefined {
  const setting = settings.too_many_registers;
  const { registers, threads } = resources;
  if (setting === undefined || registers === undefined) return undefined;
  if (setting !== 'device' && registers > setting) {
    return {
      gate: 'build',
      reason: 'too_many_registers',
      message: `a thread uses ${registers} registers; up to ${grouped(setting)} pass`,
    };
  }
  const file = limits.REGS_PER_SM;
  if (file === undefined || threads === undefined) return undefined;
  // A launch is checked as if each part of a multiprocessor got whole warps.
  const step = SM_PARTS * WARP_SIZE;
  const available = registersAvailable(file, Math.ceil(threads / step) * step, 1);
  if (registers <= available) return undefined;
  return {
    gate: 'build',
    reason: 'too_many_registers',
    message: `a block of ${grouped(threads)} threads with ${registers} registers each cannot be launched: up to ${available} per thread pass`,
  };
}

function spillGate({ resources }: BuildFacts, settings: GateSettings): GateRejection | undefined {
  const limit = settings.register_spill;
  const { spill_bytes } = resources;
  if (typeof limit !== 'number' || spill_bytes === undefined || spill_bytes <= limit) return undefined;
  return {
    gate: 'build',
    reason: 'register_spill',
    message: `the compiler spills ${grouped(spill_bytes)} bytes per thread; up to ${grouped(limit)} pass`,
  };
}

function occupancyGate({ resources, needs }: BuildFacts, settings: GateSettings): GateRejection | undefined {
  const { occupancy } = resources;
  if (occupancy === undefined) return undefined;
  return occupancyRejection({ gate: 'build', occupancy, prefetch: needs.prefetch }, settings);
}
