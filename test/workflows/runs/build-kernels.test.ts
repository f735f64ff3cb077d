import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { loadConfig } from '../../../src/config/load-config.ts';
import { buildReportSchema } from '../../../src/model/reports/build-report.ts';
import { buildKernels } from '../../../src/workflows/runs/build-kernels.ts';

const CONFIG = `version: 1
problems:
  scale:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N] }
      y: { role: output, dtype: f32, shape: [N] }
    oracle: { source: oracle.cpp }
    cases:
      small: { N: 16 }
kernels:
  scale-cpu:
    problem: scale
    device: cpu
    language: c++
    sources: [scale.cpp]
    tunables:
      UNROLL: { values: [1, 2], default: 2 }
  scale-again:
    problem: scale
    device: cpu
    language: c++
    sources: [scale.cpp]
    tunables:
      UNROLL: { values: [1, 2], default: 1 }
  scale-broken:
    problem: scale
    device: cpu
    language: c++
    sources: [broken.cpp]
  scale-python:
    problem: scale
    device: cpu
    language: python
    module: scale.py
    function: scale
`;

const KERNEL = `#include "pawl_kernel.h"
static_assert(UNROLL == 1 || UNROLL == 2);
PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const float *x = static_cast<const float *>(call->tensors[0].data);
  float *y = static_cast<float *>(call->tensors[1].data);
  for (int64_t i = 0; i < call->dims[0].value; ++i) y[i] = 2 * x[i];
  return 0;
}
`;
const ORACLE = `#include "pawl_kernel.h"
PAWL_EXPORT int pawl_oracle(const pawl_call *call) { return call == nullptr; }
`;

let root: string;
const env = { ...process.env, PAWL_CACHE_DIR: '' };
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pawl-build-kernels-'));
  const files = {
    'pawl.yaml': CONFIG,
    'scale.cpp': KERNEL,
    'oracle.cpp': ORACLE,
    'broken.cpp': 'int f() { return nothing; }\n',
    'scale.py': 'def scale(x):\n    return 2 * x\n',
  };
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(root, name), text)));
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

describe('buildKernels', () => {
  it('reports every kernel and oracle in the order of pawl.yaml, failures among them', async () => {
    const report = await buildKernels({ loaded: await loadConfig(root), env });
    expect(buildReportSchema.parse(report)).toEqual(report);
    expect(report.kernels.map(({ kernel, part, status }) => [kernel, part, status])).toEqual([
      ['scale-cpu', 'kernel', 'built'],
      ['scale-cpu', 'oracle', 'built'],
      ['scale-again', 'kernel', 'built'],
      ['scale-again', 'oracle', 'built'],
      ['scale-broken', 'kernel', 'failed'],
      ['scale-broken', 'oracle', 'built'],
      ['scale-python', 'kernel', 'skipped'],
      ['scale-python', 'oracle', 'built'],
    ]);
    const [first, firstOracle, second, secondOracle, broken] = report.kernels;
    expect(first).toMatchObject({ variant: { UNROLL: 2 } });
    expect(second).toMatchObject({ variant: { UNROLL: 1 } });
    expect(broken).toMatchObject({ reason: 'compile-error', message: expect.stringContaining('nothing') });
    if (firstOracle?.status !== 'built' || secondOracle?.status !== 'built') throw new Error('not built');
    expect(secondOracle.artifact).toBe(firstOracle.artifact);

    const again = await buildKernels({ loaded: await loadConfig(root), env, only: ['scale-cpu'] });
    expect(again.kernels.map(({ status }) => status)).toEqual(['cached', 'cached']);
  });

  it('builds the variant that was asked for', async () => {
    const report = await buildKernels({
      loaded: await loadConfig(root),
      env,
      only: ['scale-cpu'],
      variant: { UNROLL: 1 },
    });
    expect(report.kernels[0]).toMatchObject({ status: 'built', variant: { UNROLL: 1 } });
    expect(report.kernels[0]).toHaveProperty('commands.0', expect.arrayContaining(['-DUNROLL=1']));
  });

  it('plans in a dry run', async () => {
    const report = await buildKernels({
      loaded: await loadConfig(root),
      env,
      only: ['scale-cpu'],
      dryRun: true,
    });
    expect(report.kernels).toMatchObject([
      {
        status: 'planned',
        cached: false,
        commands: [expect.arrayContaining(['-DUNROLL=2']), expect.any(Array)],
      },
      { status: 'planned', cached: false },
    ]);
    expect(buildReportSchema.parse(report)).toEqual(report);
  });

  it('refuses a kernel that pawl.yaml does not have', async () => {
    await expect(
      buildKernels({ loaded: await loadConfig(root), env, only: ['scale-cpi'] }),
    ).rejects.toMatchObject({
      name: 'PawlError',
      kind: 'usage',
    });
  });
});
