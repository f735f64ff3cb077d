import type { Template } from './template.ts';

/** The first pawl.yaml of a project: small, and every line says what it is for. */
export function pawlYaml(template: Template, device: 'cpu' | 'cuda', schemaPath: string): string {
  return `# yaml-language-server: $schema=${schemaPath}
version: 1

# What is computed. Several kernels can solve one problem and are then compared like with like.
problems:
  softmax:
    dims: [ROWS, COLS]
    tensors: # in the order in which the kernel gets them
      x: { role: input, dtype: f32, shape: [ROWS, COLS], fill: normal }
      y: { role: output, dtype: f32, shape: [ROWS, COLS] }
    operations: 5 * ROWS * COLS # compare, subtract, exponential, add, divide
    oracle: ${isNative(template) ? '{ source: kernels/softmax/oracle.cpp }' : '{ module: kernels/softmax/oracle.py, function: softmax }'}
    tolerance: { atol: 1e-6, rtol: 1e-4 }
    cases: # named shapes; one run covers them all
${device === 'cpu' ? CPU_CASES : CUDA_CASES}
# How it is computed.
kernels:
${kernelsOf(template, device)}
${device === 'cpu' ? CPU_MEASURE : CUDA_MEASURE}`;
}

function isNative(template: Template): boolean {
  return template === 'cpu' || template === 'cuda';
}

function kernelsOf(template: Template, device: 'cpu' | 'cuda'): string {
  const written = { cpu: CPU_KERNEL, cuda: CUDA_KERNEL, python: NUMPY_KERNEL, triton: TRITON_KERNEL };
  return template === 'pytorch' ? pytorchKernels(device) : written[template];
}

/** Emptying a CPU's caches takes longer than this kernel, too long for a first run. */
const CPU_MEASURE = `# How it is measured: with what a call finds in the caches, and quickly. The defaults are cold and 100 samples.
measure: { mode: hot, processes: 5, samples: 30, warmup: 5 }
`;

const CUDA_MEASURE = `# How it is measured. These are the defaults.
measure: { mode: cold, processes: 5, samples: 100, warmup: 20 }
`;

const CPU_CASES = `      small: { ROWS: 64, COLS: 1024 }
      wide: { ROWS: 16, COLS: 16384 }
      ragged: { ROWS: 63, COLS: 1000 }
`;

const CPU_KERNEL = `  softmax-cpu:
    description: Row softmax, blocked, on one CPU
    problem: softmax
    device: cpu
    language: c++
    sources: [kernels/softmax/softmax.cpp]
    flags: [-O3, -march=native]
    tunables: # each becomes a macro; a variant is one value for each
      BLOCK: { values: [64, 256, 1024], default: 256, description: columns a step }
      LANES: { values: [1, 4, 8, 16], default: 8, description: partial results side by side }
    constraints: # variants that break one are not built
      - { expression: BLOCK / LANES >= 8, why: a lane has at least eight columns of a block }
`;

const CUDA_CASES = `      small: { ROWS: 1024, COLS: 1024 }
      large: { ROWS: 8192, COLS: 4096 }
      ragged: { ROWS: 1023, COLS: 1000 }
`;

const CUDA_KERNEL = `  softmax-cuda:
    description: Row softmax, one block a row
    problem: softmax
    device: cuda
    language: cuda
    sources: [kernels/softmax/softmax.cu]
    arch: auto # that of the GPU at hand
    tunables: # each becomes a macro; a variant is one value for each
      THREADS: { values: [64, 128, 256, 512], default: 256, description: threads that share a row }
      UNROLL: { values: [1, 2, 4], default: 4, description: columns a thread has in flight }
    constraints: # variants that break one are not built
      - { expression: THREADS * UNROLL <= 1024, why: more would find no columns in the small case }
`;

const NUMPY_KERNEL = `  softmax-numpy:
    description: Row softmax in NumPy, some rows at a time
    problem: softmax
    device: cpu
    language: python
    module: kernels/softmax/softmax.py
    function: softmax
    tunables: # each becomes a keyword argument; a variant is one value for each
      BLOCK: { values: [4, 16, 64], default: 16, description: rows at a time }
`;

const TRITON_KERNEL = `  softmax-triton:
    description: Row softmax, one program per row
    problem: softmax
    device: cuda
    language: python
    module: kernels/softmax/softmax.py
    function: softmax
    tunables: # each becomes a keyword argument; a variant is one value for each
      BLOCK: { values: [256, 512, 1024, 2048, 4096], default: 1024, description: columns at a time }
      num_warps: { values: [1, 2, 4, 8, 16], default: 4, description: warps that share a row }
    constraints: # variants that break one are not tried
      - { expression: BLOCK >= 32 * num_warps, why: every thread has a column }
`;

function pytorchKernels(device: 'cpu' | 'cuda'): string {
  const kernel = (name: string, description: string, called: string) => `  ${name}:
    description: ${description}
    problem: softmax
    device: ${device}
    language: python
    module: kernels/softmax/softmax.py
    function: ${called}
`;
  return `${kernel('softmax-pytorch', 'Row softmax, step by step', 'softmax')}${kernel('softmax-builtin', 'As PyTorch has it', 'builtin')}`;
}
