/** What a multiprocessor of a compute capability has, and in what steps it hands it out. */
export interface ComputeCapability {
  readonly warps_per_sm: number;
  readonly blocks_per_sm: number;
  readonly registers_per_sm: number;
  readonly smem_per_sm_bytes: number;
  readonly smem_optin_bytes: number;
  /** Of every block, kept by the system. */
  readonly smem_reserved_bytes: number;
  readonly smem_step_bytes: number;
  /** Hardware barriers, of all resident blocks together; they limit occupancy from 9.0 on. */
  readonly barriers_per_sm: number | undefined;
}

const KIB = 1024;

/**
 * Technical specifications per compute capability (CUDA C++ Programming Guide 13.0, "Compute Capabilities"); steps,
 * reserved bytes and barriers as CUDA's own calculator has them (`cuda_occupancy.h` of CUDA 13.0).
 */
const CAPABILITIES: Readonly<Record<string, ComputeCapability>> = {
  '7.0': capability(64, 32, 96, 96, 0, 256),
  '7.2': capability(64, 32, 96, 96, 0, 256),
  '7.5': capability(32, 16, 64, 64, 0, 256),
  '8.0': capability(64, 32, 164, 163, 1024, 128),
  '8.6': capability(48, 16, 100, 99, 1024, 128),
  '8.7': capability(48, 16, 164, 163, 1024, 128),
  '8.9': capability(48, 24, 100, 99, 1024, 128),
  '9.0': capability(64, 32, 228, 227, 1024, 128, 64),
  '10.0': capability(64, 32, 228, 227, 1024, 128, 64),
  '10.1': capability(48, 24, 228, 227, 1024, 128, 24),
  '10.3': capability(64, 32, 228, 227, 1024, 128, 64),
  '11.0': capability(48, 24, 228, 227, 1024, 128, 24),
  '12.0': capability(48, 24, 100, 99, 1024, 128, 24),
  '12.1': capability(48, 24, 100, 99, 1024, 128, 24),
};

/** The same on every GPU since 5.0 (the same table). */
export const WARP_SIZE = 32;
export const MAX_THREADS_PER_BLOCK = 1024;
export const MAX_REGISTERS_PER_THREAD = 255;
/** Registers are handed to a warp in steps of 256, and a multiprocessor has four parts with a quarter of them each. */
export const REGISTER_STEP = 256;
export const SM_PARTS = 4;

export function computeCapability(version: string | undefined): ComputeCapability | undefined {
  return version !== undefined && Object.hasOwn(CAPABILITIES, version) ? CAPABILITIES[version] : undefined;
}

function capability(
  warps: number,
  blocks: number,
  smem_kib: number,
  optin_kib: number,
  reserved_bytes: number,
  step_bytes: number,
  barriers?: number,
): ComputeCapability {
  return {
    warps_per_sm: warps,
    blocks_per_sm: blocks,
    registers_per_sm: 65536,
    smem_per_sm_bytes: smem_kib * KIB,
    smem_optin_bytes: optin_kib * KIB,
    smem_reserved_bytes: reserved_bytes,
    smem_step_bytes: step_bytes,
    barriers_per_sm: barriers,
  };
}
