import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { chooseAxes } from '../../src/adopt/suites/choose-axes.ts';
import {
  parseDefinition,
  parseSolution,
  parseWorkloads,
  writtenInputs,
} from '../../src/adopt/suites/definition-file.ts';
import { extentFormula, toleranceFormula } from '../../src/adopt/suites/extents.ts';
import { generatorText } from '../../src/adopt/suites/generator-text.ts';
import { inputRule, scalarRule } from '../../src/adopt/suites/input-rules.ts';
import { samplingChecker } from '../../src/adopt/suites/sampling-checker.ts';
import { samplingDistribution } from '../../src/adopt/suites/sampling-distribution.ts';
import { solutionFiles } from '../../src/adopt/suites/solution-files.ts';
import { parseTask } from '../../src/adopt/suites/task-file.ts';

const fixture = (name: string) => readFile(join(import.meta.dirname, '../fixtures/adopt', name), 'utf8');

describe('a task.yml', () => {
  it('has a case for each parameter set that differs in more than its seed', async () => {
    const task = parseTask(await fixture('gpumode/rowscale/task.yml'), '/suite/rowscale/task.yml');
    expect(task).toEqual({
      modules: { reference: '/suite/rowscale/reference.py', utils: '/suite/checks.py' },
      sets: {
        test_1: { rows: 8, cols: 64, spread: 'narrow' },
        test_2: { rows: 33, cols: 96, spread: 'wide' },
        benchmark_1: { rows: 65536, cols: 65536, spread: 'wide' },
      },
    });
  });

  it.each([
    ['files: [', 'not YAML'],
    ['files: []', 'not a task of GPU MODE'],
    ['files: []\ntests: [{size: 4}]\nmulti_gpu: true', 'several GPUs'],
  ])('is refused in a sentence: %j', (text, words) => {
    expect(() => parseTask(text, 'task.yml')).toThrow(words);
  });
});

describe('extents that were seen', () => {
  const cases = [
    { rows: 8, cols: 64, k: 3 },
    { rows: 33, cols: 96, k: 5 },
  ];

  it.each([
    [[7, 7], '7'],
    [[8, 33], 'rows'],
    [[16, 66], '2 * rows'],
    [[32, 48], 'cols // 2'],
    [[512, 3168], 'rows * cols'],
    [[9, 34], 'rows + 1'],
    [[62, 92], 'cols - k + 1'],
    [[1, 1000], undefined],
  ])('%j are %j', (values, formula) => {
    expect(extentFormula(values, cases)).toBe(formula);
  });

  it('a tolerance that grows with the root of a size is one', () => {
    const grown = cases.map(({ cols }) => 1e-5 * Math.sqrt(cols));
    expect(toleranceFormula(grown, cases)).toBe('1e-5 * sqrt(cols)');
    expect(toleranceFormula([1e-3, 1e-3], cases)).toBe('1e-3');
    expect(toleranceFormula([1e-3, 5e-2], cases)).toBe('5e-2');
  });
});

describe('a definition', () => {
  const read = async () => parseDefinition(await fixture('flashinfer/bag_sum.json'), 'bag_sum.json');

  it('gets values for its axes that keep its constraints', async () => {
    expect(chooseAxes(await read(), {}, 'cpu')).toEqual({
      batch_size: 4,
      len_indptr: 5,
      num_kv_indices: 32,
      num_pages: 40,
      head_dim: 32,
    });
    expect(chooseAxes(await read(), { batch_size: 7 }, 'cpu')['len_indptr']).toBe(8);
  });

  it('gets a generator whose offsets end with the total and whose indices are in range', async () => {
    const text = generatorText(await read(), undefined);
    expect(text).toContain('"indptr": offsets(split(num_kv_indices, len_indptr - 1)),');
    expect(text).toContain('"indices": torch.randperm(num_pages)[:num_kv_indices],');
    expect(text).toContain('# Pages in random order, each once.');
  });

  it('has the usual value of a scale', async () => {
    const definition = await read();
    expect(scalarRule(definition, 'scale', definition.inputs['scale']!).value).toBe('head_dim ** -0.5');
  });

  it('has scales that keep products with weights in 8 bits about 1', async () => {
    const definition = await read();
    const inputs = {
      w: { shape: ['rows', 'cols'], dtype: 'float32' },
      proj: { shape: ['rows', 'cols'], dtype: 'float8_e4m3fn' },
      proj_scale: { shape: ['row_blocks', 'col_blocks'], dtype: 'float32' },
      x: { shape: ['rows', 'cols'], dtype: 'float8_e4m3fn' },
      x_scale: { shape: ['rows', 'col_blocks'], dtype: 'float32' },
    };
    const codeOf = (name: keyof typeof inputs) =>
      inputRule({ ...definition, inputs }, name, inputs[name]).code;
    expect(codeOf('proj')).toBe('torch.randn(rows, cols, device=device()).clamp(-2, 2)');
    expect(codeOf('proj_scale')).toBe(
      '(0.5 + torch.rand(row_blocks, col_blocks, device=device())) * cols ** -0.5',
    );
    expect(codeOf('x_scale')).toBe('0.5 + torch.rand(rows, col_blocks, device=device())');
  });

  it('makes weights of experts one after the other, in their own type', async () => {
    const definition = await read();
    const inputs = {
      gemm_weights: { shape: ['experts', 'rows', 'cols'], dtype: 'bfloat16' },
      fc_weights: { shape: ['experts', 'rows', 'cols'], dtype: 'float8_e4m3fn' },
      fc_weights_scale: { shape: ['experts', 'blocks'], dtype: 'float32' },
    };
    const codeOf = (name: keyof typeof inputs) =>
      inputRule({ ...definition, inputs }, name, inputs[name]).code;
    expect(codeOf('gemm_weights')).toBe(
      'normal(experts, rows, cols, dtype=torch.bfloat16, factor=cols ** -0.5)',
    );
    expect(codeOf('fc_weights')).toBe('normal(experts, rows, cols, dtype=torch.float8_e4m3fn, limit=2)');
  });

  it('says which inputs its reference writes to', async () => {
    const definition = await read();
    expect(writtenInputs(definition)).toEqual([]);
    const writing = {
      ...definition,
      reference: 'def run(values, table):\n    table[0, 1] = 2\n    if values[0] == 1: pass\n',
    };
    expect(writtenInputs(writing)).toEqual(['table']);
  });

  it('that draws among the likeliest states their probabilities', async () => {
    expect(samplingDistribution(await read())).toBeUndefined();
    const drawing = parseDefinition(await fixture('flashinfer/drawn.json'), 'drawn.json');
    expect(samplingDistribution(drawing)).toMatchObject({
      output: 'samples',
      outcomes: 'tokens',
      text: expect.stringContaining('def probabilities(probs, top_k, top_p):'),
    });
    const { top_p: _, ...inputs } = drawing.inputs;
    expect(samplingDistribution({ ...drawing, inputs })?.text).not.toContain('top_p');
    // What else narrows it is not known.
    const temperature = { shape: ['rows'], dtype: 'float32' };
    expect(samplingDistribution({ ...drawing, inputs: { ...inputs, temperature } })).toBeUndefined();
    const several = { samples: { shape: ['rows', 'tries'], dtype: 'int64' } };
    expect(samplingDistribution({ ...drawing, outputs: several })).toBeUndefined();
  });

  it('that draws in another way gets a checker', async () => {
    const definition = await read();
    expect(samplingChecker(definition)).toBeUndefined();
    const probs = { shape: ['rows', 'vocabulary'], dtype: 'float32' };
    const drawing = {
      ...definition,
      op_type: 'sampling',
      inputs: { probs, top_k: { shape: ['rows'], dtype: 'int32' } },
      outputs: { samples: { shape: ['rows'], dtype: 'int64' } },
    };
    expect(samplingChecker(drawing)).toContain('def is_right(probs, top_k, samples):');
  });

  it('has workloads, as lines of their own or in traces', async () => {
    const text = await fixture('flashinfer/bag_sum.jsonl');
    const workloads = parseWorkloads(text, 'bag_sum.jsonl');
    expect(workloads.map(({ axes }) => axes['batch_size'])).toEqual([2, 16]);
    const bare = JSON.stringify(workloads[0]);
    expect(parseWorkloads(`${bare}\n`, 'bare.jsonl')).toEqual([workloads[0]]);
  });

  it.each(['{', '{}', '[]', '{"name": "x", "axes": 3}'])('is refused in a sentence: %s', (text) => {
    expect(() => parseDefinition(text, 'other.json')).toThrow(/other.json is not/u);
  });

  it('whose solution leaves its folder, or has no entry point, is refused', async () => {
    const definition = await read();
    const solution = parseSolution(await fixture('flashinfer/bag_sum_solution.json'), 'solution.json');
    const [source] = solution.sources;
    const files = solutionFiles(solution, definition, 'bag', 'pawl_bag_mine.py').map(({ path }) => path);
    expect(files).toEqual(['solution/main.py', 'pawl_bag_mine.py']);
    const outside = { ...solution, sources: [{ ...source!, path: '../../main.py' }] };
    expect(() => solutionFiles(outside, definition, 'bag', 'x.py')).toThrow(
      'has a source outside its own folder',
    );
    const without = { ...solution, spec: { ...solution.spec, entry_point: 'other.py::run' } };
    expect(() => solutionFiles(without, definition, 'bag', 'x.py')).toThrow('entry point');
  });
});
