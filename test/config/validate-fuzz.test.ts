import { describe, expect, it } from 'vitest';

import { loadConfig } from '../../src/config/load-config.ts';
import { PawlError } from '../../src/model/pawl-error.ts';
import { tempProject } from './temp-project.ts';

function fileWith(fuzz: string, kernel = ''): string {
  return `version: 1
problems:
  scaled:
    dims: [N, M]
    tensors:
      x: { role: input, dtype: f32, shape: [N, M] }
      index: { role: input, dtype: i32, shape: [N] }
      y: { role: output, dtype: f32, shape: [N, 100 - M] }
    cases:
      small: { N: 8, M: 4 }
    fuzz: ${fuzz}
kernels:
  scaled-cpu: { problem: scaled, device: cpu, language: c, sources: [scaled.c]${kernel} }
`;
}

/** What is wrong with the file, without the place's line and column. */
async function mistakes(fuzz: string, kernel?: string): Promise<string[]> {
  const root = await tempProject({ 'pawl.yaml': fileWith(fuzz, kernel), 'scaled.c': '' });
  try {
    await loadConfig(root);
  } catch (error) {
    if (error instanceof PawlError) {
      return error.message.split('\n').map((line) => line.replace(/^.*pawl\.yaml:\d+:\d+: /, ''));
    }
    throw error;
  }
  return [];
}

describe('the `fuzz` of a problem', () => {
  it('is accepted with every key', async () => {
    const fuzz = `{ dims: { N: { min: 1, max: 64, multiple: 8 }, M: [1, 2] }, matrix: { N: [1, 2], M: 3 },
      cases: { one: { N: 1, M: 1 } }, values: [normal, huge], huge: 50, nonfinite: { x: [nan, -inf] },
      where: N * M < 100, max_bytes: 1e6, max_operations: 2e9 }`;
    expect(await mistakes(fuzz)).toEqual([]);
  });

  it.each([
    ['{ dimms: {} }', 'problems.scaled.fuzz.dimms: unknown key (did you mean `dims`?)'],
    ['{ dims: { K: [1] } }', 'problems.scaled.fuzz.dims.K: the problem has no such dimension'],
    ['{ dims: { N: { min: 9, max: 8 } } }', 'problems.scaled.fuzz.dims.N.min: 9 is greater than `max`, 8'],
    [
      '{ dims: { N: { min: 9, max: 15, multiple: 8 } } }',
      'problems.scaled.fuzz.dims.N.multiple: no multiple of 8 lies between 9 and 15',
    ],
    ['{ dims: { N: [1, 1] } }', 'problems.scaled.fuzz.dims.N: a value is listed twice'],
    ['{ matrix: { N: [1, 2] } }', 'problems.scaled.fuzz.matrix: missing `M`'],
    [
      '{ matrix: { N: [1, 2], M: [3, 200] } }',
      'problems.scaled.fuzz.matrix: `100 - M` is -100 in case matrix_N1_M200, not a positive integer',
    ],
    ['{ cases: { one: { N: 1 } } }', 'problems.scaled.fuzz.cases.one: missing `M`'],
    [
      '{ cases: { one: { N: 0, M: 1 } } }',
      'problems.scaled.fuzz.cases.one: `N` is 0 in case one, not a positive integer',
    ],
    [
      '{ values: [normel] }',
      'problems.scaled.fuzz.values[0]: "normel" is not one of normal, uniform, huge, tiny, denormal, constant-rows, spikes, mixed (did you mean `normal`?)',
    ],
    ['{ nonfinite: { z: [nan] } }', 'problems.scaled.fuzz.nonfinite.z: the problem has no such tensor'],
    ['{ nonfinite: { y: [nan] } }', 'problems.scaled.fuzz.nonfinite.y: an output is not filled'],
    [
      '{ nonfinite: { index: [nan] } }',
      'problems.scaled.fuzz.nonfinite.index: i32 has neither NaN nor infinities',
    ],
    ['{ where: N < K }', 'problems.scaled.fuzz.where: `K` is not a dimension; there are N, M'],
    ['{ huge: -1 }', 'problems.scaled.fuzz.huge: -1 is too small; expected more than 0'],
  ])('%s is refused in words', async (fuzz, message) => {
    expect(await mistakes(fuzz)).toContain(message);
  });
});

describe('what a kernel says about fuzzing', () => {
  it('is checked against its problem', async () => {
    expect(await mistakes('{}', ', fuzz: { dims: { K: [1] } }')).toEqual([
      'kernels.scaled-cpu.fuzz.dims.K: the problem has no such dimension',
    ]);
  });

  it('has `dtype` or `dtypes`, not both', async () => {
    expect(await mistakes('{}', ', dtype: f32, dtypes: [f32, f64]')).toEqual([
      'kernels.scaled-cpu.dtype: the first of `dtypes` already says this',
    ]);
  });
});
