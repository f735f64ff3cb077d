import { z } from 'zod';

/** What hardware a runner found itself on. Everything is optional in files from elsewhere. */
export const deviceInfoSchema = z.object({
  kind: z.enum(['cpu', 'cuda']).optional(),
  name: z.string().optional(),
  index: z.int().nonnegative().optional(),
  uuid: z.string().optional(),
  pci_bus_id: z.string().optional(),
  driver: z.string().optional(),
  cuda_driver: z.string().optional(),
  cuda_runtime: z.string().optional(),
  compute_capability: z.string().optional(),
  sm_count: z.int().positive().optional(),
  cores: z.int().positive().optional(),
  memory_bytes: z.number().nonnegative().optional(),
  l1d_bytes: z.number().nonnegative().optional(),
  l2_bytes: z.number().nonnegative().optional(),
  l3_bytes: z.number().nonnegative().optional(),
  smem_optin_bytes: z.number().nonnegative().optional(),
  smem_per_sm_bytes: z.number().nonnegative().optional(),
  registers_per_sm: z.int().positive().optional(),
  threads_per_sm: z.int().positive().optional(),
  sm_clock_max_mhz: z.number().positive().optional(),
  memory_clock_max_mhz: z.number().positive().optional(),
  memory_bus_bits: z.int().positive().optional(),
  /** CPU only: the CPUs the kernel's threads were pinned to, and the instruction sets that matter to kernels. */
  cpus: z.array(z.int().nonnegative()).optional(),
  features: z.array(z.string()).optional(),
});
export type DeviceInfo = z.infer<typeof deviceInfoSchema>;

/** NVML's clock event reasons that mean a sample was not taken at full speed, by bit. */
export const THROTTLE_REASONS = {
  'sw-power-cap': 0x4,
  'hw-slowdown': 0x8,
  'sw-thermal': 0x20,
  'hw-thermal': 0x40,
  'hw-power-brake': 0x80,
} as const;
export type ThrottleReason = keyof typeof THROTTLE_REASONS;

export const THROTTLE_MASK = Object.values(THROTTLE_REASONS).reduce((mask, bit) => mask | bit, 0);

export function throttleReasons(mask: number): ThrottleReason[] {
  return (Object.keys(THROTTLE_REASONS) as ThrottleReason[]).filter(
    (reason) => (mask & THROTTLE_REASONS[reason]) !== 0,
  );
}

/** The device at one moment. What the machine cannot tell is absent, never zero. */
export const deviceStateSchema = z.object({
  temperature_c: z.number().optional(),
  sm_clock_mhz: z.number().optional(),
  memory_clock_mhz: z.number().optional(),
  power_w: z.number().optional(),
  power_limit_w: z.number().optional(),
  utilization_pct: z.number().optional(),
  memory_used_bytes: z.number().optional(),
  throttle_mask: z.int().nonnegative().optional(),
  /** Other processes computing on the device: they share its time, so its timings are not ours alone. */
  foreign_pids: z.array(z.int()).optional(),
  /** CPU: run-queue length over the last minute. */
  load_average: z.number().optional(),
});
export type DeviceState = z.infer<typeof deviceStateSchema>;
