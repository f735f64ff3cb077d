import { describe, expect, it } from 'vitest';

import type { BuildReport, KernelResources } from '../../../src/model/reports/build-report.ts';
import { buildTerminal } from '../../../src/report/terminal/build-terminal.ts';

function gemm(tile: number, changes: Partial<KernelResources> = {}): KernelResources {
  return {
    function: `void gemm<${tile}, 8>(float const*, float*)`,
    symbol: `_Z4gemmILi${tile}E`,
    arch: 'sm_90',
    registers: tile,
    spill_store_bytes: 0,
    spill_load_bytes: 0,
    stack_bytes: 0,
    smem_bytes: 1024 * tile,
    cmem_bytes: 400,
    ...changes,
  };
}

const RESOURCES = [
  gemm(32),
  gemm(64, { spill_store_bytes: 8, spill_load_bytes: 4 }),
  gemm(128, { spill_store_bytes: 80, spill_load_bytes: 40 }),
  gemm(16, { function: 'reduce(float*)', symbol: 'reduce' }),
];

const REPORT: BuildReport = {
  schema: 'pawl.build/1',
  duration_ms: 10,
  kernels: [
    {
      kernel: 'gemm',
      part: 'kernel',
      language: 'cuda',
      variant: {},
      status: 'cached',
      artifact: '/cache/gemm.so',
      sha256: 'a',
      key: 'b',
      compiler: { path: 'nvcc', name: 'nvcc', version: '13.0' },
      flags: [],
      arch: ['sm_90'],
      resources: RESOURCES,
      duration_ms: 0,
      commands: [],
      log: '',
    },
  ],
};

describe('buildTerminal', () => {
  it('gathers the instantiations of a template in a line, with their range and the worst spill', () => {
    expect(buildTerminal(REPORT).trimEnd().split('\n').slice(1)).toEqual([
      '    sm_90 gemm (3 instantiations): 32 to 128 registers, 32768 to 131072 B static shared memory, 2 spill, at most 80 B out, 40 B in: <128, 8>(float const*, float*)',
      '    sm_90 reduce(float*): 16 registers, 16384 B static shared memory',
    ]);
  });

  it('shows each of them with verbose', () => {
    const lines = buildTerminal(REPORT, { verbose: true }).trimEnd().split('\n').slice(1);
    expect(lines).toHaveLength(RESOURCES.length);
    expect(lines[2]).toContain('gemm<128, 8>');
  });
});
