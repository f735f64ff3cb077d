import { describe, expect, it } from 'vitest';

import { kernelJob, oracleJob } from '../../src/build/kernel-jobs.ts';
import type { KernelPlan } from '../../src/config/plan-kernel.ts';

const plan: KernelPlan = {
  name: 'saxpy',
  problem: 'saxpy',
  device: 'cuda',
  language: 'cuda',
  sources: ['/project/saxpy.cu'],
  includeDirs: ['/project/include'],
  flags: ['--use_fast_math'],
  links: ['-lcublas'],
  arch: 'auto',
  oracle: { source: '/project/oracle.cpp' },
  deterministic: true,
  importTimeout_s: 300,
  threads: 1,
  variant: { BLOCK: 128, UNROLL: true },
  cases: [],
};

describe('kernelJob', () => {
  it('turns a plan with its variant into a library for the given architectures', () => {
    expect(kernelJob(plan, ['sm_90a'])).toEqual({
      name: 'saxpy',
      language: 'cuda',
      output: 'shared',
      sources: ['/project/saxpy.cu'],
      includeDirs: ['/project/include'],
      defines: { BLOCK: 128, UNROLL: true },
      flags: ['--use_fast_math'],
      links: ['-lcublas'],
      arch: ['sm_90a'],
    });
  });

  it('gives a CPU kernel no architecture, so that its key does not depend on a GPU', () => {
    expect(kernelJob({ ...plan, language: 'c++', device: 'cpu' }, ['sm_90a'])?.arch).toEqual([]);
  });

  it('has nothing to build for Python', () => {
    expect(kernelJob({ ...plan, language: 'python', sources: [] }, [])).toBeUndefined();
  });
});

describe('oracleJob', () => {
  it('keeps the kernel’s flags, links and tunables away from the oracle', () => {
    expect(oracleJob(plan)).toMatchObject({ language: 'c++', flags: ['-O2'], links: [], defines: {} });
  });

  it('links the libraries that the oracle itself names', () => {
    const oracle = { source: '/project/oracle.cpp', links: ['-lcrypt'] };
    expect(oracleJob({ ...plan, oracle })?.links).toEqual(['-lcrypt']);
  });

  it('takes the CUDA oracle for a kernel in CUDA only, and builds it for the same architectures', () => {
    const oracle = { source: '/project/oracle.cpp', cuda: '/project/oracle.cu' };
    expect(oracleJob({ ...plan, oracle }, ['sm_90a'])).toMatchObject({
      language: 'cuda',
      sources: ['/project/oracle.cu'],
      arch: ['sm_90a'],
    });
    const onCpu = { ...plan, oracle, language: 'c++', device: 'cpu' } as const;
    expect(oracleJob(onCpu, ['sm_90a'])).toMatchObject({ sources: ['/project/oracle.cpp'], arch: [] });
    const inPython = { ...plan, oracle, language: 'python' } as const;
    expect(oracleJob(inPython, ['sm_90a'])).toMatchObject({ sources: ['/project/oracle.cpp'] });
  });

  it('compiles a C oracle as C and leaves a Python oracle alone', () => {
    expect(oracleJob({ ...plan, oracle: { source: '/project/oracle.c' } })?.language).toBe('c');
    expect(oracleJob({ ...plan, oracle: { module: '/project/oracle.py', function: 'f' } })).toBeUndefined();
    expect(oracleJob({ ...plan, oracle: undefined })).toBeUndefined();
  });
});
