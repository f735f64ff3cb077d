/** What formulas in pawl.yaml may name of a device, and what each means. Bytes, unless it says otherwise. */
export const DEVICE_LIMITS = {
  SMEM_PER_BLOCK_OPTIN: 'most shared memory of one block, once a kernel opts in to it',
  SMEM_PER_SM: 'shared memory of a multiprocessor',
  MAX_THREADS_PER_BLOCK: 'most threads of one block',
  THREADS_PER_SM: 'most resident threads of a multiprocessor',
  MAX_BLOCKS_PER_SM: 'most resident blocks of a multiprocessor',
  REGS_PER_SM: '32-bit registers of a multiprocessor',
  MAX_REGS_PER_THREAD: 'most registers of one thread',
  SM_COUNT: 'multiprocessors',
  WARP_SIZE: 'threads of a warp',
  COMPUTE_CAPABILITY: 'as a number: 9 for 9.0, 8.9 for 8.9',
  CORES: 'CPUs (cpu)',
  L1D_BYTES: 'first-level data cache of a core (cpu)',
  L2_BYTES: 'second-level cache: of the GPU, or of a core',
  L3_BYTES: 'third-level cache (cpu)',
  VECTOR_BYTES: 'widest vector register (cpu)',
  MEMORY_BYTES: 'memory of the device',
} as const;
export type DeviceLimit = keyof typeof DEVICE_LIMITS;
export const DEVICE_LIMIT_NAMES = Object.keys(DEVICE_LIMITS) as readonly DeviceLimit[];

/** What is known of a device; what it does not have, or does not tell, is absent. */
export type DeviceLimits = Readonly<Partial<Record<DeviceLimit, number>>>;
