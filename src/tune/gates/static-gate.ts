import {
  computeCapability,
  REGISTER_STEP,
  WARP_SIZE,
  type ComputeCapability,
} from '../../device/compute-capability.ts';
import type { DeviceLimits } from '../../model/device/device-limits.ts';
import { type GateRejection, type GateSettings, grouped } from './gate.ts';
import type { LaunchNeeds } from './launch-needs.ts';
import { occupancy } from '../../device/occupancy.ts';
import { occupancyRejection } from './occupancy-rejection.ts';

export interface StaticFacts {
  readonly needs: LaunchNeeds;
  readonly limits: DeviceLimits;
  /** Of the case, all tensors together. */
  readonly tensor_bytes?: number;
  /** Free device memory. */
  readonly free_bytes?: number;
}

/** Why a variant cannot run on a device, before it is built. What is not known rejects nothing. */
export function staticGate(facts: StaticFacts, settings: GateSettings): GateRejection | undefined {
  return (
    threadGate(facts, settings) ??
    sharedMemoryGate(facts, settings) ??
    registerGate(facts, settings) ??
    occupancyGate(facts, settings) ??
    memoryGate(facts, settings)
  );
}

/** The limit of a gate: its setting, or the device's; undefined where it is off or not known. */
export function limitOf(
  setting: number | 'device' | undefined,
  device: number | undefined,
): number | undefined {
  return setting === 'device' ? device : setting;
}

function threadGate({ needs, limits }: StaticFacts, settings: GateSettings): GateRejection | undefined {
  const limit = limitOf(settings.too_many_threads, limits.MAX_THREADS_PER_BLOCK);
  const { threads } = needs;
  if (limit === undefined || threads === undefined || threads <= limit) return undefined;
  return {
    gate: 'static',
    reason: 'too_many_threads',
    message: `a block has ${grouped(threads)} threads; up to ${grouped(limit)} pass`,
  };
}

function sharedMemoryGate({ needs, limits }: StaticFacts, settings: GateSettings): GateRejection | undefined {
  const limit = limitOf(settings.smem_overflow, limits.SMEM_PER_BLOCK_OPTIN);
  const bytes = needs.dynamic_smem_bytes;
  if (limit === undefined || bytes === undefined || bytes <= limit) return undefined;
  return {
    gate: 'static',
    reason: 'smem_overflow',
    message: `a block needs ${grouped(bytes)} bytes of shared memory, ${grouped(bytes - limit)} too many; up to ${grouped(limit)} pass`,
  };
}

/**
 * Registers that a thread can have where so many blocks share a multiprocessor: warps get them in steps of 256, which is
 * 8 a thread.
 */
export function registersAvailable(regs_per_sm: number, threads: number, blocks: number): number {
  const warps = Math.ceil(threads / WARP_SIZE) * blocks;
  return (Math.floor(regs_per_sm / warps / REGISTER_STEP) * REGISTER_STEP) / WARP_SIZE;
}

/** Launch bounds promise that so many threads are resident: each gets its share of the registers and no more. */
function registerGate({ needs, limits }: StaticFacts, settings: GateSettings): GateRejection | undefined {
  const setting = settings.too_many_registers;
  const { registers, threads, blocks_per_sm = 1 } = needs;
  if (setting === undefined || registers === undefined) return undefined;
  const perThread = setting === 'device' ? limits.MAX_REGS_PER_THREAD : setting;
  if (perThread !== undefined && registers > perThread) {
    return {
      gate: 'static',
      reason: 'too_many_registers',
      message: `a thread needs ${grouped(registers)} registers; up to ${grouped(perThread)} pass`,
    };
  }
  const file = limits.REGS_PER_SM;
  if (file === undefined || threads === undefined) return undefined;
  const available = registersAvailable(file, threads, blocks_per_sm);
  if (registers <= available) return undefined;
  return {
    gate: 'static',
    reason: 'too_many_registers',
    message: `${grouped(blocks_per_sm)} × ${grouped(threads)} threads with ${grouped(registers)} registers each need more than the ${grouped(file)} registers of a multiprocessor; up to ${grouped(available)} per thread pass`,
  };
}

/** What is known of the multiprocessors of a device with these limits. */
export function capabilityOf({ COMPUTE_CAPABILITY }: DeviceLimits): ComputeCapability | undefined {
  return computeCapability(COMPUTE_CAPABILITY?.toFixed(1));
}

/** The compiler's registers and its own shared memory can only lower what threads and shared memory allow. */
function occupancyGate({ needs, limits }: StaticFacts, settings: GateSettings): GateRejection | undefined {
  const { threads, dynamic_smem_bytes: smem_bytes = 0, prefetch } = needs;
  const capability = capabilityOf(limits);
  if (capability === undefined || threads === undefined) return undefined;
  const most = occupancy(capability, { threads, registers: 0, smem_bytes });
  return occupancyRejection({ gate: 'static', occupancy: most.occupancy, prefetch }, settings);
}

function memoryGate(facts: StaticFacts, settings: GateSettings): GateRejection | undefined {
  const { needs, limits, tensor_bytes } = facts;
  const share_pct = settings.oom_risk;
  const free = facts.free_bytes ?? limits.MEMORY_BYTES;
  if (typeof share_pct !== 'number' || tensor_bytes === undefined || free === undefined) return undefined;
  const bytes = tensor_bytes + (needs.scratch_bytes ?? 0);
  const most = (share_pct / 100) * free;
  if (bytes <= most) return undefined;
  return {
    gate: 'static',
    reason: 'oom_risk',
    message: `tensors and scratch take ${grouped(bytes)} bytes; up to ${grouped(most)} pass (${share_pct} % of ${grouped(free)} free)`,
  };
}
