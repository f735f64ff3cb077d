/** The first pawl.yaml of a project: small, and every line says what it is for. */
export function pawlYaml(device: 'cpu' | 'cuda', schemaPath: string): string {
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
    oracle: { source: kernels/softmax/oracle.cpp }
    tolerance: { atol: 1e-6, rtol: 1e-4 }
    cases: # named shapes; one run covers them all
${device === 'cpu' ? CPU_CASES : CUDA_CASES}
# How it is computed.
kernels:
${device === 'cpu' ? CPU_KERNEL : CUDA_KERNEL}
${device === 'cpu' ? CPU_MEASURE : CUDA_MEASURE}`;
}

/** To empty a CPU's caches takes longer than this kernel does, and nobody's first minutes should go there. */
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
