import { describe, expect, it } from 'vitest';

import { cudaArchs, gencode } from '../../src/build/cuda-archs.ts';

describe('cudaArchs', () => {
  it('keeps what was asked for, whatever the device', () => {
    expect(cudaArchs(['sm_80', 'compute_80'], '9.0')).toEqual(['sm_80', 'compute_80']);
  });

  it('takes the device itself for auto, in its own flavour from Hopper on', () => {
    expect(cudaArchs('auto', '8.6')).toEqual(['sm_86']);
    expect(cudaArchs('auto', '9.0')).toEqual(['sm_90a']);
    expect(cudaArchs('auto', '12.0')).toEqual(['sm_120a']);
  });

  it('builds for the common ones and leaves PTX for the rest without a device', () => {
    expect(cudaArchs('auto', undefined)).toEqual(['sm_80', 'sm_90', 'compute_90']);
  });

  it('refuses a compute capability that is none', () => {
    expect(() => cudaArchs('auto', 'ninety')).toThrow('"ninety" does not have the form 9.0');
  });
});

describe('gencode', () => {
  it('asks for machine code for sm and for PTX for compute', () => {
    expect(gencode('sm_90a')).toEqual(['-gencode', 'arch=compute_90a,code=sm_90a']);
    expect(gencode('compute_90')).toEqual(['-gencode', 'arch=compute_90,code=compute_90']);
  });
});
