import { expect, it } from 'vitest';

import { loadConfig } from '../../src/config/load-config.ts';
import { planFuzz } from '../../src/config/plan-fuzz.ts';
import { planKernel } from '../../src/config/plan-kernel.ts';
import { referenceSubjects } from '../../src/correctness/fuzz/reference-targets.ts';
import { tempProject } from '../config/temp-project.ts';

it('the reference of an oracle gets contiguous inputs, where kernels get views', async () => {
  const root = await tempProject({
    'sums.cpp': '',
    'oracle.cpp': '',
    'pawl.yaml': `version: 1
problems:
  sums:
    dims: [R, C]
    tensors:
      x: { role: input, dtype: f32, shape: [R, C], strides: [1, R], offset: 2 }
      s: { role: output, dtype: f32, shape: [R] }
    oracle: { source: oracle.cpp }
    cases: { small: { R: 2, C: 3 } }
kernels:
  mine: { problem: sums, device: cpu, language: c++, sources: [sums.cpp] }
`,
  });
  const loaded = await loadConfig(root);
  const subject = { plan: planKernel(loaded, 'mine'), space: planFuzz(loaded, 'mine') };
  const [reference] = referenceSubjects([subject]);
  const inputOf = ({ space }: typeof subject) => space.plan('small', { R: 2, C: 3 }, undefined)?.tensors[0];
  expect(inputOf(subject)).toMatchObject({ shape: [2, 3], strides: [1, 2], offset: 2 });
  expect(inputOf(reference!)).toEqual({
    name: 'x',
    role: 'input',
    dtype: 'f32',
    shape: [2, 3],
    fill: { kind: 'normal', mean: 0, std: 1 },
  });
});
