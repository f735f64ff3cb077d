import { readFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { parsePtxasReport } from '../../src/build/ptxas-report.ts';

async function parse(name: string) {
  return parsePtxasReport(await readFile(new URL(`../fixtures/build/${name}.txt`, import.meta.url), 'utf8'));
}

describe('parsePtxasReport', () => {
  it('reads spills, shared memory and barriers for each architecture of a CUDA 13 build', async () => {
    const common = {
      function: '_Z5spillPf',
      symbol: '_Z5spillPf',
      registers: 32,
      smem_bytes: 4096,
      barriers: 1,
    };
    expect(await parse('ptxas-cuda-13-spills')).toEqual([
      {
        ...common,
        arch: 'sm_80',
        spill_store_bytes: 936,
        spill_load_bytes: 1044,
        stack_bytes: 568,
        cmem_bytes: 360,
      },
      {
        ...common,
        arch: 'sm_90a',
        spill_store_bytes: 920,
        spill_load_bytes: 1024,
        stack_bytes: 560,
        cmem_bytes: 0,
      },
    ]);
  });

  it('lists entries only, not the functions they call', async () => {
    const found = await parse('ptxas-cuda-13-callees');
    expect(found.map(({ symbol, arch, stack_bytes }) => [symbol, arch, stack_bytes])).toEqual([
      ['_Z5firstILi64EEvPf', 'sm_80', 32],
      ['_Z5thirdPf', 'sm_80', 0],
      ['_Z6secondPf', 'sm_80', 32],
      ['_Z5firstILi64EEvPf', 'sm_90a', 32],
      ['_Z5thirdPf', 'sm_90a', 0],
      ['_Z6secondPf', 'sm_90a', 32],
    ]);
  });

  it('counts what a called function spills as spilled by the entry', async () => {
    const text = await readFile(
      new URL('../fixtures/build/ptxas-cuda-13-callees.txt', import.meta.url),
      'utf8',
    );
    const spilling = text.replace(
      /(Function properties for _Z6helperPfi\n {4}0 bytes stack frame), 0 bytes spill stores, 0/,
      '$1, 12 bytes spill stores, 16',
    );
    expect(
      parsePtxasReport(spilling).map((entry) => [entry.spill_store_bytes, entry.spill_load_bytes]),
    ).toEqual([
      [12, 16],
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
  });

  it('reads the CUDA 11 form, which has no barriers and splits memory into several mentions', async () => {
    const found = await parse('ptxas-cuda-11');
    expect(found).toEqual([
      {
        function: '_Z6reducePKfPfi',
        symbol: '_Z6reducePKfPfi',
        arch: 'sm_80',
        registers: 14,
        spill_store_bytes: 0,
        spill_load_bytes: 0,
        stack_bytes: 0,
        smem_bytes: 1024,
        cmem_bytes: 380,
      },
      {
        function: '_Z9transposePfS_',
        symbol: '_Z9transposePfS_',
        arch: 'sm_80',
        registers: 32,
        spill_store_bytes: 20,
        spill_load_bytes: 28,
        stack_bytes: 24,
        smem_bytes: 4112,
        cmem_bytes: 368,
      },
    ]);
  });

  it('leaves out an entry that ptxas gave up on, and finds nothing in other output', async () => {
    expect(await parse('ptxas-aborted')).toEqual([]);
    expect(parsePtxasReport('')).toEqual([]);
    expect(parsePtxasReport('g++: warning: something\n')).toEqual([]);
  });
});
