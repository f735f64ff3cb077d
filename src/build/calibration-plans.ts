import { join } from 'node:path';

import { packageRoot } from './package-root.ts';
import type { CasePlan, KernelPlan } from '../config/plan-kernel.ts';
import type { Ceiling } from '../model/device/calibration.ts';
import type { TensorSpec } from '../model/problem/tensor.ts';

/** Many times any cache of a GPU. */
const COPIED_ON_GPU = 2 ** 28;
/**
 * Of each thread, and most of all together: some milliseconds of work. Every line is put out of the caches before each
 * sample, so one thread copies 16 MiB at the rate of 64 MiB; four threads, on 16 MiB together, at four fifths of it.
 */
const COPIED_ON_CPU = { thread: 2 ** 22, most: 2 ** 24 } as const;

/** About a millisecond on the fastest GPU of today, and less than a tenth of a second on the slowest. */
const TILES = { matrix: 2 ** 16, multiply_add: 2 ** 17 } as const;
/** Of runner/calibrate/matrix.cu and multiply_add.cu: operations of one tile. */
const TILE_OPERATIONS = { matrix: 2 ** 24, multiply_add: 2 * 8 * 256 * 256 } as const;

/** Of runner/calibrate/multiply_add.cpp, and as many steps a thread as take some milliseconds. */
const STEP_OPERATIONS = 2 * 12 * 16;
const STEPS_PER_THREAD = 2 ** 22;

/** The kernels of runner/calibrate as if a pawl.yaml named them. There is no oracle: they are Pawl's own. */
export function calibrationPlans(device: 'cpu' | 'cuda', threads: number): Map<Ceiling, KernelPlan> {
  const ceilings: readonly Ceiling[] =
    device === 'cuda' ? ['copy', 'matrix', 'multiply_add'] : ['copy', 'multiply_add'];
  return new Map(ceilings.map((ceiling) => [ceiling, planOf(ceiling, device, threads)]));
}

function planOf(ceiling: Ceiling, device: 'cpu' | 'cuda', threads: number): KernelPlan {
  const file = `${ceiling}.${device === 'cuda' ? 'cu' : 'cpp'}`;
  return {
    name: `calibrate-${ceiling}`,
    problem: 'calibration',
    device,
    language: device === 'cuda' ? 'cuda' : 'c++',
    sources: [join(packageRoot(), 'runner', 'calibrate', file)],
    includeDirs: [],
    flags: device === 'cuda' ? ['-O3'] : ['-O3', '-march=native', '-fopenmp'],
    links: [],
    arch: 'auto',
    oracle: undefined,
    deterministic: true,
    // Nothing of it is in Python.
    importTimeout_s: 0,
    threads,
    variant: {},
    cases: [caseOf(ceiling, device, threads)],
  };
}

/** They have no oracle. */
const EXACT = { tolerance: { atol: 0, rtol: 0 }, coarsening: {} };

function caseOf(ceiling: Ceiling, device: 'cpu' | 'cuda', threads: number): CasePlan {
  if (ceiling === 'copy') {
    const { thread, most } = COPIED_ON_CPU;
    const elements = device === 'cuda' ? COPIED_ON_GPU : Math.min(most, thread * threads);
    return {
      name: `${elements}`,
      dims: [{ name: 'N', value: elements }],
      tensors: [tensor('x', 'f32', elements), tensor('y', 'f32', elements)],
      ...EXACT,
      operations: undefined,
      bytes: 2 * 4 * elements,
    };
  }
  if (device === 'cpu') {
    const steps = STEPS_PER_THREAD * threads;
    return {
      name: `${steps}`,
      dims: [{ name: 'STEPS', value: steps }],
      tensors: [tensor('x', 'f32', 2), tensor('y', 'f32', 64)],
      ...EXACT,
      operations: STEP_OPERATIONS * steps,
      bytes: 0,
    };
  }
  return {
    name: `${TILES[ceiling]}`,
    dims: [{ name: 'TILES', value: TILES[ceiling] }],
    tensors: [tensor('x', ceiling === 'matrix' ? 'f16' : 'f32', 4096), tensor('y', 'f32', 256)],
    ...EXACT,
    operations: TILE_OPERATIONS[ceiling] * TILES[ceiling],
    bytes: 0,
  };
}

/** `x` is read and `y` is written; random numbers, since zeros would draw less power and run at a higher clock. */
function tensor(name: 'x' | 'y', dtype: TensorSpec['dtype'], elements: number): TensorSpec {
  const role = name === 'x' ? 'input' : 'output';
  return { name, role, dtype, shape: [elements], fill: { kind: 'normal', mean: 0, std: 1 } };
}
