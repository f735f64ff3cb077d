import { CPU_KERNEL } from './cpu-kernel.ts';
import { CUDA_KERNEL } from './cuda-kernel.ts';
import { ORACLE } from './oracle.ts';
import { pawlYaml } from './pawl-yaml.ts';

/** A file of a new project: its path below the project's folder, and its text. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

/** What `pawl init` writes. pawl.yaml is last, so that it never names a file that is not there yet. */
export function projectFiles(device: 'cpu' | 'cuda', schemaPath: string): ProjectFile[] {
  return [
    { path: 'kernels/softmax/oracle.cpp', text: ORACLE },
    device === 'cpu'
      ? { path: 'kernels/softmax/softmax.cpp', text: CPU_KERNEL }
      : { path: 'kernels/softmax/softmax.cu', text: CUDA_KERNEL },
    { path: 'pawl.yaml', text: pawlYaml(device, schemaPath) },
  ];
}
