import type { DeviceInfo } from '../model/device/device.ts';
import type { DeviceLimits } from '../model/device/device-limits.ts';
import {
  computeCapability,
  MAX_REGISTERS_PER_THREAD,
  MAX_THREADS_PER_BLOCK,
  WARP_SIZE,
} from './compute-capability.ts';

/** The limits that formulas may name, of a device: what it tells, then what its compute capability implies. */
export function deviceLimits(device: DeviceInfo): DeviceLimits {
  return present(device.kind === 'cpu' ? cpuLimits(device) : cudaLimits(device));
}

function cudaLimits(device: DeviceInfo): Record<string, number | undefined> {
  const capability = computeCapability(device.compute_capability);
  return {
    SMEM_PER_BLOCK_OPTIN: device.smem_optin_bytes ?? capability?.smem_optin_bytes,
    SMEM_PER_SM: device.smem_per_sm_bytes ?? capability?.smem_per_sm_bytes,
    MAX_THREADS_PER_BLOCK,
    THREADS_PER_SM: device.threads_per_sm ?? (capability && capability.warps_per_sm * WARP_SIZE),
    MAX_BLOCKS_PER_SM: capability?.blocks_per_sm,
    REGS_PER_SM: device.registers_per_sm ?? capability?.registers_per_sm,
    MAX_REGS_PER_THREAD: MAX_REGISTERS_PER_THREAD,
    SM_COUNT: device.sm_count,
    WARP_SIZE,
    COMPUTE_CAPABILITY:
      device.compute_capability === undefined ? undefined : Number(device.compute_capability),
    L2_BYTES: device.l2_bytes,
    MEMORY_BYTES: device.memory_bytes,
  };
}

function cpuLimits(device: DeviceInfo): Record<string, number | undefined> {
  return {
    CORES: device.cores,
    L1D_BYTES: device.l1d_bytes,
    L2_BYTES: device.l2_bytes,
    L3_BYTES: device.l3_bytes,
    VECTOR_BYTES: vectorBytes(device.features),
    MEMORY_BYTES: device.memory_bytes,
  };
}

/** By the widest instruction set, as /proc/cpuinfo names them. */
function vectorBytes(features: readonly string[] | undefined): number | undefined {
  if (features === undefined) return undefined;
  const has = (start: string) => features.some((feature) => feature.startsWith(start));
  if (has('avx512')) return 64;
  if (has('avx')) return 32;
  return has('sse') || has('asimd') || has('neon') ? 16 : undefined;
}

function present(limits: Record<string, number | undefined>): DeviceLimits {
  return Object.fromEntries(
    Object.entries(limits).filter(([, value]) => value !== undefined && Number.isFinite(value)),
  );
}
