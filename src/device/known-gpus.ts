import type { DeviceInfo } from '../model/device/device.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/**
 * GPUs by name, where none is at hand to tell of itself: compute capability, multiprocessors and second-level cache
 * from NVIDIA's architecture papers and data sheets (V100, T4/Turing, A100, GA102, AD102/AD104, H100, Blackwell); the
 * H200 as its driver tells it. Memory is what is sold under the name: a driver keeps some of it.
 */
export const KNOWN_GPUS: Readonly<Record<string, DeviceInfo>> = {
  V100: gpu('Tesla V100-SXM2-32GB', '7.0', 80, 6 * MIB, 32 * GIB),
  T4: gpu('Tesla T4', '7.5', 40, 4 * MIB, 16 * GIB),
  A100: gpu('NVIDIA A100-SXM4-80GB', '8.0', 108, 40 * MIB, 80 * GIB),
  'A100-40GB': gpu('NVIDIA A100-SXM4-40GB', '8.0', 108, 40 * MIB, 40 * GIB),
  A10: gpu('NVIDIA A10', '8.6', 72, 6 * MIB, 24 * GIB),
  A10G: gpu('NVIDIA A10G', '8.6', 80, 6 * MIB, 24 * GIB),
  'RTX-3090': gpu('NVIDIA GeForce RTX 3090', '8.6', 82, 6 * MIB, 24 * GIB),
  L4: gpu('NVIDIA L4', '8.9', 58, 48 * MIB, 24 * GIB),
  L40S: gpu('NVIDIA L40S', '8.9', 142, 96 * MIB, 48 * GIB),
  'RTX-4090': gpu('NVIDIA GeForce RTX 4090', '8.9', 128, 72 * MIB, 24 * GIB),
  H100: gpu('NVIDIA H100 80GB HBM3', '9.0', 132, 50 * MIB, 80 * GIB),
  'H100-PCIE': gpu('NVIDIA H100 PCIe', '9.0', 114, 50 * MIB, 80 * GIB),
  H200: gpu('NVIDIA H200', '9.0', 132, 60 * MIB, 141e9),
  B200: gpu('NVIDIA B200', '10.0', 148, 126 * MIB, 180e9),
  'RTX-5090': gpu('NVIDIA GeForce RTX 5090', '12.0', 170, 96 * MIB, 32 * GIB),
};

function gpu(
  name: string,
  compute_capability: string,
  sm_count: number,
  l2_bytes: number,
  memory_bytes: number,
): DeviceInfo {
  return { kind: 'cuda', name, compute_capability, sm_count, l2_bytes, memory_bytes };
}
