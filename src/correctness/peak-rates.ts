import type { DeviceInfo } from '../model/device/device.ts';
import type { Mode } from '../model/problem/mode.ts';
import { DTYPES, numberType, type Dtype } from '../model/problem/tensor.ts';

/** What a device can do at the very most; what is not known of it is absent. */
export interface PeakRates {
  readonly bytesPerSecond: number | undefined;
  readonly operationsPerSecond: number | undefined;
  /** Bytes of the inputs that may lie in a cache when a call begins. */
  readonly cachedBytes: number;
}

/**
 * Dense FP16 tensor-core operations a clock and multiprocessor, by compute capability: what NVIDIA's architecture
 * papers give as dense FP16 peak, over boost clock and multiprocessors (V100 125 TFLOPS, T4 65, A100 312, RTX 3090
 * 142, RTX 4090 330, H100 SXM 989, B200 2250, RTX 5090 419). Wider types are slower, so the figure bounds them too.
 */
const TENSOR_OPERATIONS: Readonly<Record<string, number>> = {
  '7.0': 1024,
  '7.5': 1024,
  '8.0': 2048,
  '8.6': 1024,
  '8.9': 1024,
  '9.0': 4096,
  '10.0': 8192,
  '12.0': 1024,
};

/** 8-bit types run at twice the FP16 rate, and from Blackwell on 4-bit ones packed into them at four times. */
const NARROW_FACTOR = { before10: 2, from10: 4 } as const;

/** Of 16-bit types, per clock and multiprocessor. */
export function tensorOperationsPerClock(capability: string): number | undefined {
  return Object.hasOwn(TENSOR_OPERATIONS, capability) ? TENSOR_OPERATIONS[capability] : undefined;
}

export function cudaPeakRates(device: DeviceInfo, mode: Mode, dtypes: readonly Dtype[]): PeakRates {
  const { memory_clock_max_mhz: memory, memory_bus_bits: bus, sm_clock_max_mhz: clock, sm_count } = device;
  const capability = device.compute_capability ?? '';
  const perClock = tensorOperationsPerClock(capability);
  const narrow = Number.parseInt(capability, 10) >= 10 ? NARROW_FACTOR.from10 : NARROW_FACTOR.before10;
  const factor = narrowest_bytes(dtypes) <= 1 ? narrow : 1;
  return {
    // Two transfers a clock: NVML counts GDDR and HBM memory alike at half its data rate.
    bytesPerSecond: memory === undefined || bus === undefined ? undefined : memory * 1e6 * 2 * (bus / 8),
    operationsPerSecond:
      perClock === undefined || clock === undefined || sm_count === undefined
        ? undefined
        : perClock * factor * clock * 1e6 * sm_count,
    // Cold: the whole L2 was overwritten before the call.
    cachedBytes: mode === 'cold' ? 0 : (device.l2_bytes ?? Infinity),
  };
}

/** Faster than any CPU is clocked: what a machine says of its highest clock often leaves out the boost. */
const CPU_HZ = 6e9;

/** Two 64-byte loads a cycle from the first-level cache (Intel Golden Cove, AMD Zen 5); no cache gives more. */
const CPU_BYTES_PER_CYCLE = 128;

/** Two 64-byte multiply-adds a cycle; AMX tiles do eight times that (Intel 64 Optimization Manual, 20.5). */
const CPU_OPERAND_BYTES_PER_CYCLE = 2 * 64 * 2;
const AMX_FACTOR = 8;

export function cpuPeakRates(device: DeviceInfo, threads: number, dtypes: readonly Dtype[]): PeakRates {
  const cycles = CPU_HZ * threads;
  const hasTiles = device.features?.some((feature) => feature.startsWith('amx')) === true;
  const bytes = narrowest_bytes(dtypes);
  const operand = hasTiles && bytes < 8 ? Math.min(bytes, 2) : bytes;
  const factor = hasTiles && bytes < 8 ? AMX_FACTOR : 1;
  return {
    bytesPerSecond: cycles * CPU_BYTES_PER_CYCLE,
    operationsPerSecond: (cycles * CPU_OPERAND_BYTES_PER_CYCLE * factor) / operand,
    cachedBytes: 0,
  };
}

function narrowest_bytes(dtypes: readonly Dtype[]): number {
  return Math.min(8, ...dtypes.map((dtype) => DTYPES[numberType(dtype)].bytes));
}
