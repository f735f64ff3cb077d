import { describe, expect, it } from 'vitest';

import { loadConfig } from '../../src/config/load-config.ts';
import { planKernel } from '../../src/config/plan-kernel.ts';
import { PawlError } from '../../src/model/pawl-error.ts';
import { tempProject } from './temp-project.ts';

async function load(prepare: string, kernel = 'language: python, module: k.py, function: linear') {
  const root = await tempProject({
    'k.py': '',
    'k.c': '',
    'pawl.yaml': `version: 1
problems:
  linear:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N] }
      w: { role: input, dtype: f32, shape: [N] }
      state: { role: inout, dtype: f32, shape: [N] }
      y: { role: output, dtype: f32, shape: [N] }
    cases: { only: { N: 8 } }
  plain:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N] }
      w: { role: input, dtype: f32, shape: [N] }
      y: { role: output, dtype: f32, shape: [N] }
    cases: { only: { N: 8 } }
kernels:
  one: { problem: ${prepare.includes('# plain') ? 'plain' : 'linear'}, device: cpu, ${kernel}, prepare: ${prepare.replace('# plain', '')} }
`,
  });
  return loadConfig(root);
}

async function mistakes(...parts: Parameters<typeof load>): Promise<string> {
  const failure: unknown = await load(...parts).catch((error: unknown) => error);
  return failure instanceof PawlError ? failure.message : '';
}

describe('prepare of a kernel', () => {
  it('is planned with it', async () => {
    const loaded = await load('{ function: pack, of: [w, x] }');
    expect(planKernel(loaded, 'one').prepare).toEqual({ function: 'pack', of: ['w', 'x'] });
  });

  it.each([
    [
      '{ function: pack, of: [w, x] }# plain',
      /prepare\.of.*names every input, so the whole work could be done/,
    ],
    ['{ function: pack, of: [v] }', /prepare\.of\[0\].*the problem has no such tensor/],
    ['{ function: pack, of: [state] }', /prepare\.of\[0\].*is an inout, and only inputs can be prepared/],
    ['{ function: pack, of: [y] }', /prepare\.of\[0\].*is an output, and only inputs can be prepared/],
    ['{ function: pack, of: [w, w] }', /an input is listed twice/],
    ['{ function: pack, of: [] }', /prepare\.of/],
    ['{ function: pack }', /prepare.*of/],
  ])('cannot be %s', async (prepare, message) => {
    expect(await mistakes(prepare)).toMatch(message);
  });

  it('is for functions of libraries as well', async () => {
    const loaded = await load('{ function: pack, of: [w] }', 'language: c, sources: [k.c]');
    expect(planKernel(loaded, 'one').prepare).toEqual({ function: 'pack', of: ['w'] });
  });
});
