import type { LoadedConfig } from '../../config/load-config.ts';
import { PawlError } from '../../model/pawl-error.ts';

/** What `--require` may demand beyond what the project itself needs. */
export type Requirement = 'gpu' | 'profiler' | 'python';

/** What measuring the configured kernels cannot do without. */
export interface Needs {
  readonly cxx: boolean;
  readonly gpu: boolean;
  readonly nvcc: boolean;
  readonly profiler: boolean;
  readonly python: boolean;
  readonly numpy: boolean;
  readonly torch: boolean;
}

/**
 * A project that has CUDA kernels beside others is of use on a machine without a GPU: its CUDA kernels are
 * left out there. So a GPU is needed only where it is demanded or where every kernel is a CUDA kernel, and
 * CUDA's tools only where a GPU is. Without a project, what the example project needs: a C++ compiler.
 */
export function needsOf(
  loaded: LoadedConfig | PawlError | undefined,
  required: readonly Requirement[],
  hasGpu: boolean,
): Needs {
  const kernels =
    loaded === undefined || loaded instanceof PawlError ? [] : Object.values(loaded.config.kernels);
  const cuda = kernels.filter((kernel) => kernel.device === 'cuda');
  const demanded = required.includes('gpu') || required.includes('profiler');
  const gpu = demanded || (kernels.length > 0 && cuda.length === kernels.length);
  const measured = hasGpu || gpu ? kernels : kernels.filter((kernel) => kernel.device !== 'cuda');
  const python = measured.filter((kernel) => kernel.language === 'python');
  return {
    cxx:
      kernels.length === 0 ||
      measured.some((kernel) => kernel.language !== 'python' || kernel.device === 'cuda'),
    gpu,
    nvcc: demanded || measured.some((kernel) => kernel.device === 'cuda'),
    profiler: required.includes('profiler'),
    python: required.includes('python') || python.length > 0,
    numpy: python.some((kernel) => kernel.device === 'cpu'),
    torch: python.some((kernel) => kernel.device === 'cuda'),
  };
}

/** Whether a missing GPU is worth a word: a project of CPU kernels misses nothing. */
export function wantsGpu(
  loaded: LoadedConfig | PawlError | undefined,
  required: readonly Requirement[],
): boolean {
  if (loaded === undefined || loaded instanceof PawlError) return true;
  if (required.includes('gpu') || required.includes('profiler')) return true;
  return Object.values(loaded.config.kernels).some((kernel) => kernel.device === 'cuda');
}
