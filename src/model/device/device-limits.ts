/** What formulas in pawl.yaml may name of a device, and what each means. Bytes, unless it says otherwise. */
export const DEVICE_LIMITS = {
  SMEM_PER_BLOCK_OPTIN: 'most shared memory per block, if a kernel opts in',
  SMEM_PER_SM: 'shared memory per multiprocessor',
  MAX_THREADS_PER_BLOCK: 'most threads per block',
  THREADS_PER_SM: 'most resident threads per multiprocessor',
  MAX_BLOCKS_PER_SM: 'most resident blocks per multiprocessor',
  REGS_PER_SM: '32-bit registers per multiprocessor',
  MAX_REGS_PER_THREAD: 'most registers per thread',
  SM_COUNT: 'multiprocessors',
  WARP_SIZE: 'threads per warp',
  COMPUTE_CAPABILITY: 'as a number: 9 for 9.0, 8.9 for 8.9',
  CORES: 'CPUs (cpu)',
  L1D_BYTES: 'first-level data cache per core (cpu)',
  L2_BYTES: 'second-level cache: of the GPU, or of a core',
  L3_BYTES: 'third-level cache (cpu)',
  VECTOR_BYTES: 'widest vector register (cpu)',
  MEMORY_BYTES: 'memory of the device',
} as const;
export type DeviceLimit = keyof typeof DEVICE_LIMITS;
export const DEVICE_LIMIT_NAMES = Object.keys(DEVICE_LIMITS) as readonly DeviceLimit[];

/** What is known of a device; what it does not have, or does not tell, is absent. */
export type DeviceLimits = Readonly<Partial<Record<DeviceLimit, number>>>;
