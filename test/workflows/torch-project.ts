import { join } from 'node:path';

import { advanceBaseline } from '../../src/workflows/ratchet.ts';
import { bench } from '../../src/workflows/runs/bench.ts';
import { GitProject } from '../ratchet/git-project.ts';

/**
 * y = ALPHA·x·w (twice as much with TWICE), sums of y's rows into `total`, and `acc`, which grows by them: inputs,
 * outputs, an inout, a dimension that no shape tells, and a scalar.
 */
const KERNEL = `#include "pawl_kernel.h"
PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const float *x = static_cast<const float *>(call->tensors[0].data);
  const float *w = static_cast<const float *>(call->tensors[1].data);
  float *acc = static_cast<float *>(call->tensors[2].data);
  float *y = static_cast<float *>(call->tensors[3].data);
  double *total = static_cast<double *>(call->tensors[4].data);
  double *rows = static_cast<double *>(call->workspace);
  if (call->workspace_bytes < sizeof(double) * static_cast<size_t>(call->dims[0].value)) return 3;
  const int64_t n = call->dims[0].value, m = call->dims[1].value;
  const double times = call->scalars[0].value * (call->dims[2].value != 0 ? 2 : 1);
  for (int64_t i = 0; i < n; ++i) {
    rows[i] = 0;
    for (int64_t j = 0; j < m; ++j) {
      y[i * m + j] = static_cast<float>(times * x[i * m + j] * w[j]);
      rows[i] += times * x[i * m + j] * w[j];
    }
    total[i] = rows[i];
    acc[i] = static_cast<float>(acc[i] + rows[i]);
  }
  return STEP > 0 ? 0 : 1;
}
PAWL_EXPORT size_t pawl_workspace_bytes(const pawl_call *call) {
  return sizeof(double) * static_cast<size_t>(call->dims[0].value);
}
`;

const ORACLE = `#include "pawl_kernel.h"
PAWL_EXPORT int pawl_oracle(const pawl_call *call) {
  const double *x = static_cast<const double *>(call->tensors[0].data);
  const double *w = static_cast<const double *>(call->tensors[1].data);
  double *acc = static_cast<double *>(call->tensors[2].data);
  double *y = static_cast<double *>(call->tensors[3].data);
  double *total = static_cast<double *>(call->tensors[4].data);
  const int64_t n = call->dims[0].value, m = call->dims[1].value;
  const double times = call->scalars[0].value * (call->dims[2].value != 0 ? 2 : 1);
  for (int64_t i = 0; i < n; ++i) {
    total[i] = 0;
    for (int64_t j = 0; j < m; ++j) total[i] += y[i * m + j] = times * x[i * m + j] * w[j];
    acc[i] += total[i];
  }
  return 0;
}
`;

/** The same in NumPy, which changes \`acc\` in place and returns the rest. */
const MODULE = `from helper import doubled


def scaled(x, w, acc, *, ALPHA, TWICE):
    y = (ALPHA * doubled(TWICE)) * x.astype("f8") * w
    acc += y.sum(1).astype("f4")
    return y.astype("f4"), y.sum(1)
`;

const YAML = `version: 1
problems:
  scaled:
    dims: [N, M, TWICE]
    scalars: { ALPHA: 0.5 }
    tensors:
      x: { role: input, dtype: f32, shape: [N, M], fill: normal }
      w: { role: input, dtype: f32, shape: [M], fill: normal }
      acc: { role: inout, dtype: f32, shape: [N], fill: normal }
      y: { role: output, dtype: f32, shape: [N, M] }
      total: { role: output, dtype: f64, shape: [N] }
    oracle: { source: src/oracle.cpp }
    tolerance: { atol: 1e-5, rtol: 1e-5 }
    cases:
      plain: { N: 16, M: 24, TWICE: 0 }
      double: { N: 16, M: 24, TWICE: 1 }
      large: { N: 33, M: 70, TWICE: 0 }
    fuzz: { dims: { N: { min: 1, max: 40 }, M: { min: 1, max: 80 }, TWICE: [0, 1] }, values: [normal] }
kernels:
  scaled-cpu:
    problem: scaled
    device: cpu
    language: c++
    sources: [src/scaled.cpp]
    tunables: { STEP: [1, 2] }
  scaled-numpy: { problem: scaled, device: cpu, language: python, module: src/scaled.py, function: scaled }
measure: { mode: hot, processes: 2, samples: 5, warmup: 1, stopping: fixed }
`;

export interface TorchProject {
  readonly git: GitProject;
  readonly config: string;
  readonly baseline: string;
}

/** A project in git with a baseline of these kernels. */
export async function torchProject(only: readonly string[]): Promise<TorchProject> {
  const git = await GitProject.create();
  await git.write('src/scaled.cpp', KERNEL);
  await git.write('src/oracle.cpp', ORACLE);
  await git.write('src/scaled.py', MODULE);
  await git.write('src/helper.py', 'def doubled(twice):\n    return 2 if twice else 1\n');
  await git.write('.gitignore', '.pawl/\nout/\n__pycache__/\n');
  await git.commit('pawl.yaml', YAML);
  const config = join(git.root, 'pawl.yaml');
  if (only.length > 0) await enter(config, only);
  return { git, config, baseline: join(git.root, 'pawl-baseline.json') };
}

/** What is there is measured and becomes the baseline. */
export async function enter(config: string, only: readonly string[]): Promise<void> {
  const { samples } = await bench({ config, only, history: false });
  await advanceBaseline({ config, samples, acceptLoad: true });
}
