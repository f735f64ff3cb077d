import { describe, expect, it } from 'vitest';

import { loadConfig } from '../../src/config/load-config.ts';
import type { LoadedConfig } from '../../src/config/load-config.ts';
import { caseValues } from '../../src/config/plan-case.ts';
import { planFuzz } from '../../src/config/plan-fuzz.ts';
import { planKernel } from '../../src/config/plan-kernel.ts';
import { concreteCase } from '../../src/correctness/concrete-case.ts';
import { PawlError } from '../../src/model/pawl-error.ts';
import { hasDims } from '../../src/ratchet/match-entries.ts';
import { judgeChanges } from '../../src/ratchet/base-judge/judge-changes.ts';
import { tempProject } from './temp-project.ts';

interface Parts {
  readonly scalars?: string;
  readonly cases?: string;
  readonly fuzz?: string;
  readonly tunables?: string;
}

async function load(parts: Parts = {}): Promise<LoadedConfig> {
  const {
    scalars = '{ eps: 1e-5, alpha: { dtype: f32, value: 0.1 }, scale: D ** -0.5, top: { dtype: i32, value: 2 } }',
    cases = '{ small: { N: 8, D: 4 }, precise: { N: 8, D: 4, eps: 1e-8 } }',
    fuzz = '{}',
    tunables = '{}',
  } = parts;
  const root = await tempProject({
    'norm.c': '',
    'pawl.yaml': `version: 1
problems:
  norm:
    dims: [N, D]
    scalars: ${scalars}
    tensors:
      x: { role: input, dtype: f32, shape: [N, D] }
      y: { role: output, dtype: f32, shape: [N, D] }
    cases: ${cases}
    fuzz: ${fuzz}
kernels:
  norm: { problem: norm, device: cpu, language: c, sources: [norm.c], tunables: ${tunables} }
`,
  });
  return loadConfig(root);
}

async function mistakes(parts: Parts): Promise<string[]> {
  try {
    await load(parts);
  } catch (error) {
    if (!(error instanceof PawlError)) throw error;
    return error.message.split('\n').map((line) => line.replace(/^.*pawl\.yaml:\d+:\d+: /, ''));
  }
  return [];
}

describe('the scalars of a problem', () => {
  it('have the values of the case, their defaults, or what a formula over the dimensions gives', async () => {
    const { cases } = planKernel(await load(), 'norm');
    expect(cases.map(({ scalars }) => scalars)).toEqual([
      [
        { name: 'eps', dtype: 'f64', value: 1e-5 },
        { name: 'alpha', dtype: 'f32', value: 0.1 },
        { name: 'scale', dtype: 'f64', value: 0.5 },
        { name: 'top', dtype: 'i32', value: 2 },
      ],
      [expect.objectContaining({ value: 1e-8 }), expect.anything(), expect.anything(), expect.anything()],
    ]);
  });

  it('make a case another one, as dimensions do', async () => {
    const { cases } = planKernel(await load(), 'norm');
    const [small, precise] = cases;
    expect(hasDims(small!, caseValues(small!))).toBe(true);
    expect(hasDims(precise!, caseValues(small!))).toBe(false);
    expect(hasDims(small!, { N: 8, D: 4 })).toBe(false);
  });

  it('are the judge’s: a changed value is a change of it', async () => {
    const before = await load();
    const after = await load({
      cases: '{ small: { N: 8, D: 4, eps: 1 }, precise: { N: 8, D: 4, eps: 1e-8 } }',
    });
    expect(
      judgeChanges(before, after, { kernels: ['norm'] }).map(({ kind, subject }) => [kind, subject]),
    ).toEqual([['case-changed', 'norm/small']]);
  });

  it('are drawn by fuzzing from what cases have, or from a list, unless a formula gives them', async () => {
    const own = planFuzz(await load(), 'norm').parts.dims.slice(2);
    expect(own).toEqual([
      { name: 'eps', values: [1e-5, 1e-8] },
      { name: 'alpha', values: [0.1] },
      { name: 'top', values: [2] },
    ]);
    const listed = planFuzz(await load({ fuzz: '{ dims: { eps: [0, 1e-3], scale: [0.5, 2] } }' }), 'norm');
    expect(listed.parts.dims.slice(2).map(({ name }) => name)).toEqual(['eps', 'alpha', 'scale', 'top']);
    expect(listed.parts.dims[2]).toEqual({ name: 'eps', values: [0, 1e-3] });
    const each = { dims: { N: 1, D: 16, eps: 0.5 }, values: {}, seed: '1' };
    expect(concreteCase(listed, 'replay', each)?.plan.scalars?.map(({ value }) => value)).toEqual([
      0.5, 0.1, 0.25, 2,
    ]);
    expect(concreteCase(listed, 'replay', { ...each, dims: { N: 1.5, D: 16 } })).toBeUndefined();
  });

  it.each<[Parts, string]>([
    [{ scalars: '{ N: 1 }' }, 'problems.norm.scalars.N: the problem has a dimension of this name'],
    [{ scalars: '{ x: 1 }' }, 'problems.norm.scalars.x: the problem has a tensor of this name'],
    [
      { scalars: '{ eps: { dtype: f16, value: 1 } }', cases: '{ small: { N: 1, D: 1 } }' },
      'problems.norm.scalars.eps.dtype: "f16" is not one of f64, f32, i64, i32',
    ],
    [
      { scalars: '{ eps: M }', cases: '{ small: { N: 1, D: 1 } }' },
      'problems.norm.scalars.eps: `M` is not a dimension; there are N, D',
    ],
    [
      { scalars: '{ eps: null }', cases: '{ small: { N: 1, D: 1 } }' },
      'problems.norm.cases.small: missing `eps`',
    ],
    [
      { cases: '{ small: { N: 1, D: 1, epps: 1 } }' },
      'problems.norm.cases.small.epps: the problem has no such dimension or scalar (did you mean `eps`?)',
    ],
    [
      { cases: '{ small: { N: 1, D: 1, top: 0.5 } }' },
      'problems.norm.cases.small.top: `top` is 0.5 in case small, not an integer that i32 holds',
    ],
    [
      { cases: '{ small: { N: 1.5, D: 1 } }' },
      'problems.norm.cases.small.N: `N` is 1.5 in case small, not an integer',
    ],
    [{ tunables: '{ eps: [1, 2] }' }, 'kernels.norm.tunables.eps: the problem has a scalar of this name'],
    [
      { fuzz: '{ dims: { eps: { min: 0, max: 1 } } }' },
      'problems.norm.fuzz.dims.eps: a scalar takes a list of values',
    ],
    [{ fuzz: '{ dims: { N: [0.5] } }' }, 'problems.norm.fuzz.dims.N: 0.5 is not an integer'],
  ])('is refused as %j', async (parts, message) => {
    expect(await mistakes(parts)).toContain(message);
  });
});
