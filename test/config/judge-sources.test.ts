import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { oracleJob } from '../../src/build/kernel-jobs.ts';
import { leastBytes } from '../../src/config/least-bytes.ts';
import { judgeSources } from '../../src/config/judge-sources.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { planKernel } from '../../src/config/plan-kernel.ts';
import { tempProject } from './temp-project.ts';

function yaml(ofProblem: string, kernel = 'device: cuda, language: cuda, sources: [k.cu]'): string {
  return `version: 1
problems:
  copy:
    dims: [N]
    tensors:
      x: {role: input, dtype: f32, shape: [N]}
      y: {role: output, dtype: f32, shape: [N]}
    ${ofProblem}
    cases: {small: {N: 8}}
kernels:
  k: {problem: copy, ${kernel}}
`;
}

const files = {
  'k.cu': '',
  'k.py': '',
  'o.cu': '',
  'o.py': '',
  'init.py': '',
  'make.py': '',
  'right.py': '',
};

async function planned(ofProblem: string, kernel?: string) {
  const folder = await tempProject({ ...files, 'pawl.yaml': yaml(ofProblem, kernel) });
  return { folder, plan: planKernel(await loadConfig(folder), 'k') };
}

describe('an oracle in CUDA alone', () => {
  it.each([
    ['CUDA', 'device: cuda, language: cuda, sources: [k.cu]', true],
    ['Python on a GPU', 'device: cuda, language: python, module: k.py, function: f', true],
    ['Python on the CPU', 'device: cpu, language: python, module: k.py, function: f', false],
  ])('for a kernel in %s', async (_, kernel, judges) => {
    const { folder, plan } = await planned('oracle: {cuda: o.cu}', kernel);
    expect(oracleJob(plan, ['sm_90'])?.sources).toEqual(judges ? [join(folder, 'o.cu')] : undefined);
  });

  it('takes no reference or arguments, which are for Python', async () => {
    await expect(planned('oracle: {cuda: o.cu, reference: f}')).rejects.toThrow(/is its `pawl_reference`/);
  });
});

it('a generator and a dimension that is called as its seed do not go together', async () => {
  const text = yaml('generator: {module: make.py, function: h}').replaceAll('N', 'seed');
  const folder = await tempProject({ ...files, 'pawl.yaml': text });
  await expect(loadConfig(folder)).rejects.toThrow(
    /problems\.copy\.generator: its function gets a number named `seed`/,
  );
});

describe('a checker', () => {
  const checker = 'checker: {module: right.py, function: f}';

  it('judges without an oracle, and its file is one of the judge', async () => {
    const { folder, plan } = await planned(checker);
    expect(judgeSources(plan)).toEqual([join(folder, 'right.py')]);
    await expect(planned(checker.replace('right', 'absent'))).rejects.toThrow('problems.copy.checker.module');
  });

  it.each([
    ['an output that is none', 'function: f, outputs: [z]', /checker\.outputs\[0\]: `z` is not an output/],
    ['an input', 'function: f, outputs: [x]', /`x` is not an output/],
    ['no output', 'function: f, outputs: []', /checker\.outputs/],
  ])('does not judge %s', async (_, from, message) => {
    await expect(planned(checker.replace('function: f', from))).rejects.toThrow(message);
  });

  it('leaves something to an oracle beside it', async () => {
    const oracle = 'oracle: {module: o.py, function: f}';
    for (const outputs of ['', ', outputs: [y]']) {
      const both = `${oracle}\n    ${checker.replace('}', `${outputs}}`)}`;
      await expect(planned(both)).rejects.toThrow(/at least one is left to the oracle/);
    }
  });

  it('gets the tolerance by names that nothing else has', async () => {
    const folder = await tempProject({ ...files, 'pawl.yaml': yaml(checker).replaceAll('N', 'atol') });
    await expect(loadConfig(folder)).rejects.toThrow(/checker: its function gets the tolerance as `atol`/);
  });
});

describe('an output of draws', () => {
  const drawing = (distribution: string, oracle = 'oracle: {module: o.py, function: f}') =>
    yaml(oracle).replace(
      'y: {role: output, dtype: f32, shape: [N]}',
      `s: {role: input, dtype: i64, shape: [1]}\n      y: {role: output, dtype: i64, shape: [N], distribution: ${distribution}}`,
    );
  const load = async (text: string) => loadConfig(await tempProject({ ...files, 'pawl.yaml': text }));

  it('has as many outcomes in each case as its formula says', async () => {
    const plan = planKernel(await load(drawing('{outcomes: 2 * N, seed: s}')), 'k');
    expect(plan.cases[0]?.tensors.at(-1)?.distribution).toEqual({ outcomes: 16, slack: 1e-3, seed: 's' });
  });

  it.each([
    [
      'without an oracle',
      drawing('{outcomes: N}', 'checker: {module: right.py, function: f}'),
      /has no oracle/,
    ],
    [
      'with a seed that is no input',
      drawing('{outcomes: N, seed: y}'),
      /distribution\.seed: `y` is not an input/,
    ],
    [
      'of floating-point numbers',
      drawing('{outcomes: N}').replace('i64, shape: [N]', 'f32, shape: [N]'),
      /integers/,
    ],
    ['with outcomes over something else', drawing('{outcomes: M}'), /`M` is not a dimension/],
  ])('%s is a mistake', async (_, text, message) => {
    await expect(load(text)).rejects.toThrow(message);
  });
});

describe('an output of which not all rows count', () => {
  const counting = (by: string, count = 'role: output, dtype: i64, shape: [1]') =>
    yaml('oracle: {module: o.py, function: f}').replace(
      'shape: [N]}\n    oracle',
      `shape: [N], counted_by: ${by}}\n      c: {${count}}\n    oracle`,
    );
  const load = async (text: string) => loadConfig(await tempProject({ ...files, 'pawl.yaml': text }));

  it('has no floor by its bytes, which the data chooses', async () => {
    const plan = planKernel(await load(counting('c')), 'k').cases[0]!;
    expect(plan.tensors[1]?.counted_by).toBe('c');
    expect(leastBytes(plan)).toBeUndefined();
  });

  it.each([
    ['nothing', counting('d'), /counted_by: there is no tensor `d`/],
    ['an input', counting('x'), /`x` is not an output of one integer/],
    ['numbers', counting('c', 'role: output, dtype: f32, shape: [1]'), /not an output of one integer/],
    ['many', counting('c', 'role: output, dtype: i64, shape: [N]'), /not an output of one integer/],
  ])('is not counted by %s', async (_, text, message) => {
    await expect(load(text)).rejects.toThrow(message);
  });
});

describe('files of the judge', () => {
  const inPython =
    'oracle: {module: o.py, function: f, init: {module: init.py, function: g}}\n    generator: {module: make.py, function: h}';

  it('are those of the oracle, of its arguments and of what makes inputs', async () => {
    const { folder, plan } = await planned(inPython);
    expect(judgeSources(plan)).toEqual(['o.py', 'init.py', 'make.py'].map((file) => join(folder, file)));
  });

  it.each([
    ['o.py', 'problems.copy.oracle.module'],
    ['init.py', 'problems.copy.oracle.init.module'],
    ['make.py', 'problems.copy.generator.module'],
  ])('without %s the file is refused, and the key is named', async (missing, key) => {
    await expect(planned(inPython.replace(missing, 'absent.py'))).rejects.toThrow(key);
  });
});
