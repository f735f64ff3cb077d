import {
  type ComputeCapability,
  MAX_THREADS_PER_BLOCK,
  REGISTER_STEP,
  SM_PARTS,
  WARP_SIZE,
} from './compute-capability.ts';

export interface BlockResources {
  readonly threads: number;
  /** A thread. */
  readonly registers: number;
  /** A block, static and dynamic together. */
  readonly smem_bytes: number;
  readonly barriers?: number;
}

type OccupancyLimit = 'warps' | 'blocks' | 'registers' | 'shared memory' | 'barriers';

export interface Occupancy {
  /** Blocks that a multiprocessor holds at once; 0: none can be launched. */
  readonly blocks: number;
  /** Resident warps over the most that a multiprocessor holds. */
  readonly occupancy: number;
  /** What allows no more. */
  readonly limited_by: readonly OccupancyLimit[];
}

/**
 * Theoretical occupancy with the most shared memory carved out of the first-level cache, as CUDA's own calculator finds
 * it (`cudaOccMaxActiveBlocksPerMultiprocessor` of `cuda_occupancy.h`): warps get registers in steps, from the quarter
 * of the register file that belongs to their part of the multiprocessor; blocks get shared memory in steps, with what
 * the system reserves in each.
 */
export function occupancy(capability: ComputeCapability, block: BlockResources): Occupancy {
  const warps = Math.ceil(block.threads / WARP_SIZE);
  const limits: Readonly<Record<OccupancyLimit, number>> = {
    warps: block.threads > MAX_THREADS_PER_BLOCK ? 0 : Math.floor(capability.warps_per_sm / warps),
    blocks: capability.blocks_per_sm,
    registers: blocksByRegisters(capability, block.registers, warps),
    'shared memory': blocksBySharedMemory(capability, block.smem_bytes),
    barriers: blocksByBarriers(capability, block.barriers ?? 0),
  };
  const blocks = Math.min(...Object.values(limits));
  return {
    blocks,
    occupancy: (blocks * warps) / capability.warps_per_sm,
    limited_by: (Object.keys(limits) as OccupancyLimit[]).filter((limit) => limits[limit] === blocks),
  };
}

function blocksByRegisters(capability: ComputeCapability, registers: number, warps: number): number {
  if (registers === 0) return Infinity;
  const perWarp = roundUp(registers * WARP_SIZE, REGISTER_STEP);
  // The hardware checks a launch as if every part of the multiprocessor got as many warps as the fullest.
  if (perWarp * roundUp(warps, SM_PARTS) > capability.registers_per_sm) return 0;
  const warpsByRegisters = Math.floor(capability.registers_per_sm / SM_PARTS / perWarp) * SM_PARTS;
  return Math.floor(warpsByRegisters / warps);
}

function blocksBySharedMemory(capability: ComputeCapability, smem_bytes: number): number {
  const allocated = roundUp(smem_bytes + capability.smem_reserved_bytes, capability.smem_step_bytes);
  if (allocated === 0) return Infinity;
  if (allocated > capability.smem_optin_bytes + capability.smem_reserved_bytes) return 0;
  return Math.floor(capability.smem_per_sm_bytes / allocated);
}

function blocksByBarriers({ barriers_per_sm }: ComputeCapability, barriers: number): number {
  return barriers === 0 || barriers_per_sm === undefined ? Infinity : Math.floor(barriers_per_sm / barriers);
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
