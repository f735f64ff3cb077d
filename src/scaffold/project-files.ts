import { CPU_KERNEL } from './cpu-kernel.ts';
import { CUDA_KERNEL } from './cuda-kernel.ts';
import { ORACLE } from './oracle.ts';
import { pawlYaml } from './pawl-yaml.ts';
import { NUMPY_KERNEL, PYTHON_ORACLE, PYTORCH_KERNEL, TRITON_KERNEL } from './python-kernels.ts';
import type { Template } from './template.ts';

/** A file of a new project: its path below the project's folder, and its text. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

const KERNELS: Readonly<Record<Template, readonly [oracle: ProjectFile, kernel: ProjectFile]>> = {
  cpu: [
    { path: 'kernels/softmax/oracle.cpp', text: ORACLE },
    { path: 'kernels/softmax/softmax.cpp', text: CPU_KERNEL },
  ],
  cuda: [
    { path: 'kernels/softmax/oracle.cpp', text: ORACLE },
    { path: 'kernels/softmax/softmax.cu', text: CUDA_KERNEL },
  ],
  python: inPython(NUMPY_KERNEL),
  pytorch: inPython(PYTORCH_KERNEL),
  triton: inPython(TRITON_KERNEL),
};

function inPython(kernel: string): readonly [ProjectFile, ProjectFile] {
  return [
    { path: 'kernels/softmax/oracle.py', text: PYTHON_ORACLE },
    { path: 'kernels/softmax/softmax.py', text: kernel },
  ];
}

/** What `pawl init` writes. pawl.yaml is last, so that it never names a file that is not there yet. */
export function projectFiles(template: Template, device: 'cpu' | 'cuda', schemaPath: string): ProjectFile[] {
  return [...KERNELS[template], { path: 'pawl.yaml', text: pawlYaml(template, device, schemaPath) }];
}
