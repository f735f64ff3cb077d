import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { kernelSchema, type Kernel } from '../../../src/config/kernel-schema.ts';
import { independentChanges, variablesIn } from '../../../src/learn/session/changed-part.ts';
import { configParts, variantParts } from '../../../src/learn/session/config-parts.ts';
import { sourceParts } from '../../../src/learn/session/source-parts.ts';
import { splitDiff } from '../../../src/learn/session/split-diff.ts';

/** What git itself says of two texts. */
function diffOf(before: string, after: string, path: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-diff-'));
  try {
    const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
    git('init', '--quiet');
    writeFileSync(join(folder, path), before);
    git('add', path);
    writeFileSync(join(folder, path), after);
    return git('diff', '--no-color', '--src-prefix=a/', '--dst-prefix=b/');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function look(before: string, after: string, path = 'kernel.cu') {
  const parts = splitDiff(diffOf(before, after, path)).flatMap((diff) => sourceParts(diff, before, after));
  return { variables: variablesIn(parts), changes: independentChanges(parts) };
}

const KERNEL = `#include <cuda_runtime.h>
#define STAGES 2
// Tiles of keys.
constexpr int BLOCK_N = 64;

namespace attention {

template <int D>
__device__ float row_max(const float *row) {
  float most = row[0];
  for (int i = 1; i < D; i++) {
    most = most > row[i] ? most : row[i];
  }
  return most;
}

__global__ void __launch_bounds__(128) forward(const float *q, float *out) {
  const int threads = 128;
  auto load = [&](int i) { return q[i]; };
  out[threadIdx.x] = row_max<8>(q) + load(0);
}

}  // namespace attention

extern "C" int pawl_run(const void *call) {
  attention::forward<<<1, 128>>>(nullptr, nullptr);
  return 0;
}
`;

const swap = (from: string, to: string) => KERNEL.replace(from, to);

describe('the variables of a change', () => {
  it('are a constant with its values where only that changed', () => {
    expect(look(KERNEL, swap('BLOCK_N = 64', 'BLOCK_N = 128'))).toEqual({
      variables: [{ kind: 'constant', name: 'BLOCK_N', from: '64', to: '128' }],
      changes: 1,
    });
    expect(look(KERNEL, swap('STAGES 2', 'STAGES 3')).variables).toEqual([
      { kind: 'constant', name: 'STAGES', from: '2', to: '3' },
    ]);
    expect(look(KERNEL, swap('threads = 128', 'threads = 256')).variables).toEqual([
      { kind: 'constant', name: 'threads', from: '128', to: '256' },
    ]);
  });

  it('are two where two constants changed', () => {
    const both = swap('BLOCK_N = 64', 'BLOCK_N = 128').replace('STAGES 2', 'STAGES 3');
    expect(look(KERNEL, both).changes).toBe(2);
  });

  it('are a constant and a function where the code around it changed too', () => {
    const both = swap('BLOCK_N = 64', 'BLOCK_N = 128').replace(
      'float most = row[0];',
      'float most = row[1];',
    );
    const { variables, changes } = look(KERNEL, both);
    expect(variables.map(({ name }) => name)).toEqual(['BLOCK_N', 'row_max']);
    expect(changes).toBe(2);
  });

  it('name the function that a line is in, also inside a lambda and below a macro call', () => {
    expect(look(KERNEL, swap('return q[i];', 'return q[i + 1];')).variables).toEqual([
      { kind: 'function', name: 'forward' },
    ]);
    expect(look(KERNEL, swap('most > row[i]', 'most >= row[i]')).variables).toEqual([
      { kind: 'function', name: 'row_max' },
    ]);
  });

  it('are one change where a kernel and the code that launches it change together', () => {
    const both = swap('out[threadIdx.x] =', 'out[blockIdx.x] =').replace(
      'forward<<<1, 128>>>',
      'forward<<<2, 64>>>',
    );
    const { variables, changes } = look(KERNEL, both);
    expect(variables.map(({ name }) => name)).toEqual(['forward', 'pawl_run']);
    expect(changes).toBe(1);
  });

  it('are one change where a new helper and a new constant come with the function that uses them', () => {
    const after = KERNEL.replace(
      '__global__',
      'constexpr int UNROLL = 4;\n__device__ float twice(float x) { return 2 * x; }\n\n__global__',
    ).replace('+ load(0)', '+ twice(load(UNROLL))');
    expect(look(KERNEL, after).changes).toBe(1);
  });

  it('are one change where two functions take up the same new one, and two where each has its own', () => {
    const before =
      'float one(float x) {\n  return exp(x);\n}\nfloat two(float x) {\n  return 1 + exp(x);\n}\n';
    const helper = 'float quick(float x) {\n  return x;\n}\n';
    const shared = `${helper}${before.replaceAll('exp(', 'quick(')}`;
    expect(look(before, shared, 'kernel.cpp').changes).toBe(1);
    const apart = before.replace('exp(', 'exp2(').replace('1 + exp(', '1 + expm1(');
    expect(look(before, apart, 'kernel.cpp').changes).toBe(2);
  });

  it('are two where functions that have nothing to do with each other changed', () => {
    const both = swap('float most = row[0];', 'float most = row[1];').replace('return 0;', 'return 1;');
    expect(look(KERNEL, both).changes).toBe(2);
  });

  it('are none where only comments, white space or notes changed', () => {
    expect(look(KERNEL, swap('// Tiles of keys.', '// Tiles of keys, in rows.')).changes).toBe(0);
    expect(
      look(KERNEL, swap('  float most = row[0];', '    float most   = row[0];  // the first')).changes,
    ).toBe(0);
    expect(look('# One\n', '# Two\n', 'notes.md').changes).toBe(0);
  });

  it('are the functions and constants of a Python kernel', () => {
    const before =
      'BLOCK = 64\n\n@jit\ndef kernel(x):\n    y = x\n    return y\n\ndef run(call):\n    return kernel(call)\n';
    expect(look(before, before.replace('y = x', 'y = x + 0'), 'kernel.py').variables).toEqual([
      { kind: 'function', name: 'kernel' },
    ]);
    expect(look(before, before.replace('BLOCK = 64', 'BLOCK = 32'), 'kernel.py').variables).toEqual([
      { kind: 'constant', name: 'BLOCK', from: '64', to: '32' },
    ]);
    expect(look(before, before.replace('@jit', '@jit(fast=True)'), 'kernel.py').variables).toEqual([
      { kind: 'function', name: 'kernel' },
    ]);
  });

  it('read paths that git quotes', () => {
    const diff = diffOf('int a;\n', 'int b;\n', 'größe 1.cu');
    expect(splitDiff(diff).map(({ path }) => path)).toEqual(['größe 1.cu']);
  });
});

describe('the variables of pawl.yaml', () => {
  const kernel = (changes: object): Kernel =>
    kernelSchema.parse({
      problem: 'p',
      device: 'cuda',
      language: 'cuda',
      sources: ['a.cu'],
      flags: ['-O2', '--use_fast_math'],
      tunables: { BLOCK: { values: [32, 64], default: 32 }, STAGES: [1, 2] },
      ...changes,
    });

  it('are defaults of tunables and compiler flags, each a change of its own', () => {
    const parts = configParts(
      kernel({}),
      kernel({
        flags: ['-O3', '--use_fast_math'],
        tunables: { BLOCK: { values: [32, 64], default: 64 }, STAGES: [1, 2] },
      }),
    );
    expect(variablesIn(parts)).toEqual([
      { kind: 'tunable', name: 'BLOCK', from: '32', to: '64' },
      { kind: 'flag', name: '-O', from: '-O2', to: '-O3' },
    ]);
    expect(independentChanges(parts)).toBe(2);
  });

  it('are not formulas that follow from the code, unless they are all there is', () => {
    const parts = configParts(kernel({}), kernel({ shared_memory: '4 * BLOCK' }));
    expect(variablesIn(parts)).toEqual([{ kind: 'file', name: 'pawl.yaml: shared_memory', to: '4 * BLOCK' }]);
    expect(independentChanges(parts)).toBe(1);
    expect(independentChanges([...parts, ...variantParts({ BLOCK: 32 }, { BLOCK: 64 })])).toBe(1);
  });

  it('are tunables that a try sets to something else than they have', () => {
    expect(variablesIn(variantParts({ BLOCK: 32, STAGES: 1 }, { BLOCK: 64, STAGES: 1 }))).toEqual([
      { kind: 'tunable', name: 'BLOCK', from: '32', to: '64' },
    ]);
  });
});
