import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { loadConfig, type LoadedConfig } from '../../../src/config/load-config.ts';
import { kernelNames, planKernel } from '../../../src/config/plan-kernel.ts';
import { underJudge } from '../../../src/config/under-judge.ts';
import { judgeChanges } from '../../../src/ratchet/base-judge/judge-changes.ts';

const CONFIG = `version: 1
problems:
  doubled:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N], fill: normal }
      y: { role: output, dtype: f32, shape: [N] }
    operations: N
    oracle: { source: src/oracle.cpp }
    tolerance: { atol: 0.001, rtol: 0 }
    cases: { small: { N: 1000 }, large: { N: 4000 } }
    fuzz: { dims: { N: { min: 1, max: 100 } } }
kernels:
  one: { problem: doubled, device: cpu, language: c++, sources: [src/kernel.cpp] }
  two: { problem: doubled, device: cpu, language: c++, sources: [src/kernel.cpp] }
measure: { processes: 5 }
`;

async function project(config: string, oracle = 'right'): Promise<LoadedConfig> {
  const root = await mkdtemp(join(tmpdir(), 'pawl-gate-'));
  const files = { 'pawl.yaml': config, 'src/oracle.cpp': oracle, 'src/kernel.cpp': '' };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return loadConfig(root);
}

describe('what a change alters about its own judge', () => {
  it.each([
    [
      'a threshold',
      'measure:',
      'thresholds: { regression_pct: 50 }\nmeasure:',
      /^thresholds\.regression_pct: 3 → 50$/m,
    ],
    [
      'a threshold of one case',
      'measure:',
      'thresholds: { cases: { one/large: { regression_pct: 50 } } }\nmeasure:',
      /^thresholds\.cases\.one\/large: nothing → \{"regression_pct":50\}$/m,
    ],
    ['how it is measured', 'processes: 5', 'processes: 1', /^measure\.processes: 5 → 1$/m],
    ['a tolerance', 'atol: 0.001', 'atol: 5', /^tolerance of doubled: atol: 0\.001 → 5$/m],
    ['an oracle taken away', '    oracle: { source: src/oracle.cpp }\n', '', /oracle of doubled was removed/],
    [
      'a library of the oracle',
      'oracle: { source: src/oracle.cpp }',
      'oracle: { source: src/oracle.cpp, links: [-lm] }',
      /oracle of doubled: links: nothing → /,
    ],
    [
      'another oracle',
      'src/oracle.cpp',
      'src/kernel.cpp',
      /oracle of doubled: source: src\/oracle\.cpp → src\/kernel\.cpp/,
    ],
    ['a case taken away', ', large: { N: 4000 }', '', /the case large of one was removed/],
    ['other dimensions under an old name', 'N: 4000', 'N: 1', /the case large of two has other dimensions/],
    ['a kernel taken away', /  two:.*\n/u, '', /the kernel two was removed/],
    [
      'a kernel that lists fewer cases',
      'sources: [src/kernel.cpp] }\n  two',
      'sources: [src/kernel.cpp], cases: [small] }\n  two',
      /the case large of one was removed/,
    ],
    [
      'easier inputs',
      'fill: normal',
      'fill: { kind: constant, value: 0 }',
      /tensors of the problem doubled: .*normal.* → .*constant/,
    ],
    ['a narrower fuzz', 'max: 100', 'max: 2', /fuzz of the problem doubled draws from something else: dims/],
    ['no fuzz', /    fuzz:.*\n/u, '', /fuzz of the problem doubled is gone/],
    [
      'inputs from elsewhere',
      '    operations: N',
      '    generator: { module: src/kernel.cpp, function: easy }\n    operations: N',
      /generator of the problem doubled: .* → .*easy/,
    ],
    [
      'another way to be right',
      'oracle: { source: src/oracle.cpp }',
      'checker: { module: src/kernel.cpp, function: lenient }',
      /checker of the problem doubled: .* → .*lenient/,
    ],
    [
      'random numbers that start alike',
      'operations: N',
      'operations: N\n    seeded: true',
      /seeded of the problem doubled: nothing → true$/m,
    ],
    ['less work counted', 'operations: N', 'operations: 1', /operations of the problem doubled: N → 1$/m],
    [
      'results that may differ',
      'device: cpu, language',
      'deterministic: false, device: cpu, language',
      /deterministic of the kernel one: true → false/,
    ],
  ])('is told: %s', async (_, from, to, expected) => {
    const text = CONFIG.replace(from, to);
    expect(text).not.toBe(CONFIG);
    expect((await textsOf(CONFIG, text)).join('\n')).toMatch(expected);
  });

  it('is told: tensors in another order, in which they are handed over', async () => {
    const tensors = /( {6}x: .*\n)( {6}y: .*\n)/u;
    expect(await textsOf(CONFIG, CONFIG.replace(tensors, '$2$1'))).toEqual([
      expect.stringMatching(/^tensors of the problem doubled: /),
    ]);
  });

  it('is told: work outside of the times', async () => {
    const before = CONFIG.replace(
      '      y:',
      '      w: { role: input, dtype: f32, shape: [N] }\n      y:',
    ).replace(
      'language: c++, sources: [src/kernel.cpp]',
      'language: python, module: src/kernel.cpp, function: run',
    );
    const after = before.replace('function: run', 'function: run, prepare: { function: pack, of: [w] }');
    expect(await textsOf(before, after)).toEqual([
      expect.stringMatching(/^prepare\.of of the kernel one: nothing → .*w/),
    ]);
    const renamed = after.replace('function: pack', 'function: repack');
    expect(await textsOf(after, renamed)).toEqual([]);
  });

  it('is told: an oracle where there was none', async () => {
    const none = CONFIG.replace('    oracle: { source: src/oracle.cpp }\n', '');
    expect(await textsOf(none, CONFIG)).toEqual(['oracle of doubled: source: nothing → src/oracle.cpp']);
  });

  it('is told of the kernels that are asked for only', async () => {
    const changed = CONFIG.replace(/ {2}two:.*\n/u, '');
    const [base, change] = [await project(CONFIG), await project(changed)];
    expect(judgeChanges(base, change, { kernels: ['one'] })).toEqual([]);
  });

  it('is told of all that makes the kernel which is measured against', async () => {
    const changed = CONFIG.replace(/( {2}two:.*)\[src\/kernel.cpp\]/u, '$1[src/kernel.cpp], flags: [-O0]');
    const [base, change] = [await project(CONFIG), await project(changed)];
    const kernels = ['one', 'two'];
    expect(judgeChanges(base, change, { kernels })).toEqual([]);
    expect(judgeChanges(base, change, { kernels, reference: 'two' })).toMatchObject([
      { kind: 'reference', text: 'reference two: flags: [] → ["-O0"]' },
    ]);
  });

  it('is nothing where a kernel, a case or a problem is added', async () => {
    const more = CONFIG.replace('large:', 'huge: { N: 9000 }, large:').replace(
      'measure:',
      '  three: { problem: doubled, device: cpu, language: c++, sources: [src/kernel.cpp] }\nmeasure:',
    );
    expect(await textsOf(CONFIG, more)).toEqual([]);
  });
});

async function textsOf(before: string, after: string): Promise<string[]> {
  const [base, change] = [await project(before), await project(after)];
  const kernels = [...new Set([...kernelNames(base), ...kernelNames(change)])];
  return judgeChanges(base, change, { kernels }).map(({ text }) => text);
}

describe('a project under the judge of another', () => {
  async function judged(text: string): Promise<LoadedConfig> {
    return underJudge(await project(text), await project(CONFIG));
  }

  it('has the tolerance, the settings and the oracle of the judge, and its own sources', async () => {
    const loose = CONFIG.replace('atol: 0.001', 'atol: 5').replace('processes: 5', 'processes: 1');
    const [side, judge] = [await project(loose), await project(CONFIG)];
    const under = underJudge(side, judge);
    expect(under.config.measure.processes).toBe(5);
    expect(planKernel(under, 'one')).toMatchObject({
      cases: [{ tolerance: { atol: 0.001 } }, {}],
      sources: [join(side.root, 'src/kernel.cpp')],
      oracle: { source: join(judge.root, 'src/oracle.cpp') },
      oracleFrom: { root: judge.root, includeDirs: [] },
    });
  });

  it('has the cases of the judge by their names and dimensions, and its own new ones after them', async () => {
    const cases = 'cases: { tiny: { N: 1000 }, large: { N: 1 }, huge: { N: 9000 } }';
    const under = await judged(CONFIG.replace(/cases: .*/u, cases));
    const planned = planKernel(under, 'one').cases.map(({ name, dims }) => [name, dims[0]?.value]);
    expect(planned).toEqual([
      ['small', 1000],
      ['large', 4000],
      ['huge', 9000],
    ]);
    expect([...(under.judge?.kernels.get('one')?.renamed ?? [])]).toEqual([['tiny', 'small']]);
  });

  it('leaves out a new case that the problem of the judge cannot be asked in', async () => {
    const other = CONFIG.replace('dims: [N]', 'dims: { N: null, M: 1 }').replace(
      'large: { N: 4000 }',
      'large: { N: 4000 }, wide: { N: 2, M: 3 }',
    );
    expect(planKernel(await judged(other), 'one').cases.map(({ name }) => name)).toEqual(['small', 'large']);
  });

  it('keeps a problem that the judge does not know', async () => {
    const other = CONFIG.replace('kernels:', `${TRIPLED}kernels:`).replace(
      'measure:',
      '  three: { problem: tripled, device: cpu, language: c++, sources: [src/kernel.cpp] }\nmeasure:',
    );
    const plan = planKernel(await judged(other), 'three');
    expect(plan.cases.map(({ name }) => name)).toEqual(['only']);
    expect(plan.oracleFrom).toBeUndefined();
  });

  it('says so where a formula of a kernel does not fit the problem of the judge', async () => {
    const other = CONFIG.replace('dims: [N]', 'dims: { N: null, M: 1 }').replace(
      'language: c++,',
      'language: c++, threads: M,',
    );
    const under = await judged(other);
    expect(() => planKernel(under, 'one')).toThrow(
      /one cannot be planned for the problem as its base has it/,
    );
  });
});

const TRIPLED = `  tripled:
    dims: [N]
    tensors: { y: { role: output, dtype: f32, shape: [N] } }
    cases: { only: { N: 3 } }
`;
