import { describe, expect, it } from 'vitest';

import { checkerJob, generatorJob } from '../../src/build/kernel-jobs.ts';
import { judgeSources } from '../../src/config/judge-sources.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import type { LoadedConfig } from '../../src/config/load-config.ts';
import { planKernel } from '../../src/config/plan-kernel.ts';
import { PawlError } from '../../src/model/pawl-error.ts';
import { tempProject } from './temp-project.ts';

async function load(generator: string, checker: string): Promise<LoadedConfig> {
  const root = await tempProject({
    'scale.c': '',
    'inputs.cpp': '',
    'inputs.cu': '',
    'check.c': '',
    'both.py': '',
    'pawl.yaml': `version: 1
problems:
  scale:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N] }
      y: { role: output, dtype: f32, shape: [N] }
    generator: ${generator}
    checker: ${checker}
    cases: { small: { N: 8 } }
kernels:
  scale: { problem: scale, device: cpu, language: c, sources: [scale.c] }
  on-gpu: { problem: scale, device: cuda, language: cuda, sources: [scale.c] }
`,
  });
  return loadConfig(root);
}

async function mistakes(generator: string, checker: string): Promise<string> {
  const failure: unknown = await load(generator, checker).catch((error: unknown) => error);
  return failure instanceof PawlError ? failure.message : '';
}

const PYTHON = '{ module: both.py, function: both }';

describe('what makes inputs and what judges outputs', () => {
  it('is built where it is in C, C++ or CUDA, and belongs to the judge', async () => {
    const loaded = await load('{ source: inputs.cpp, cuda: inputs.cu }', '{ source: check.c, outputs: [y] }');
    const plan = planKernel(loaded, 'scale');
    expect(generatorJob(plan)).toMatchObject({ name: 'scale-generator', language: 'c++', flags: ['-O2'] });
    expect(checkerJob(plan)).toMatchObject({ name: 'scale-checker', language: 'c' });
    expect(generatorJob(planKernel(loaded, 'on-gpu'), ['sm_90'])).toMatchObject({ language: 'cuda' });
    expect(judgeSources(plan).map((path) => path.split('/').at(-1))).toEqual([
      'check.c',
      'inputs.cpp',
      'inputs.cu',
    ]);
  });

  it('is not built where it is in Python', async () => {
    const plan = planKernel(await load(PYTHON, PYTHON), 'scale');
    expect([generatorJob(plan), checkerJob(plan)]).toEqual([undefined, undefined]);
  });

  it.each([
    ['{ source: inputs.cpp, module: both.py, function: both }', PYTHON, 'a generator is either `source`'],
    ['{ cuda: inputs.cu, weights: { class: A } }', PYTHON, 'a generator is either `source`'],
    ['{ module: both.py }', PYTHON, 'a generator is either `source`'],
    [PYTHON, '{ source: check.c, function: both }', 'a checker is either `source`'],
    [PYTHON, '{ cuda: inputs.cu }', 'unknown key'],
    ['{ source: absent.cpp }', PYTHON, 'generator.source: "absent.cpp": no such file'],
    [PYTHON, '{ source: absent.cpp }', 'checker.source: "absent.cpp": no such file'],
  ])('is refused as %s and %s', async (generator, checker, message) => {
    expect(await mistakes(generator, checker)).toContain(message);
  });
});
