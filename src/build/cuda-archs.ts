import type { KernelPlan } from '../config/plan-kernel.ts';
import { listGpus } from '../device/gpus.ts';
import { PawlError } from '../model/pawl-error.ts';

/**
 * Without a device to ask: the two architectures that data-centre kernels are written for, and PTX that any
 * later GPU can translate.
 */
const WITHOUT_DEVICE = ['sm_80', 'sm_90', 'compute_90'] as const;

/** From Hopper on, the fastest instructions (wgmma, tcgen05) exist only in the `a` flavour of an architecture. */
const FIRST_WITH_FLAVOUR = 9;

/** The architectures to build for: those asked for, or for `auto` the device's own (`'9.0'` gives sm_90a). */
export function cudaArchs(
  arch: readonly string[] | 'auto',
  computeCapability: string | undefined,
): readonly string[] {
  if (arch !== 'auto') return arch;
  if (computeCapability === undefined) return WITHOUT_DEVICE;
  const parts = /^(\d+)\.(\d)$/.exec(computeCapability);
  if (parts === null) {
    throw new PawlError(
      'bad-data',
      `The device's compute capability "${computeCapability}" does not have the form 9.0.`,
      'Set the architecture in pawl.yaml (arch: sm_90a).',
    );
  }
  const [, major, minor] = parts;
  return [`sm_${major}${minor}${Number(major) >= FIRST_WITH_FLAVOUR ? 'a' : ''}`];
}

/** nvcc's option for one architecture: machine code for `sm_*`, PTX for `compute_*`. */
export function gencode(arch: string): string[] {
  return ['-gencode', `arch=${arch.replace(/^sm_/, 'compute_')},code=${arch}`];
}

/** Of this machine's first GPU. Asked only where an answer matters: nvidia-smi can take seconds. */
export async function firstGpuCapability(
  plans: readonly Pick<KernelPlan, 'language' | 'arch'>[],
): Promise<string | undefined> {
  if (!plans.some(({ language, arch }) => language === 'cuda' && arch === 'auto')) return undefined;
  const list = await listGpus();
  return list.status === 'found' ? list.gpus[0]?.info.compute_capability : undefined;
}
