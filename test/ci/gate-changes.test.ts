import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { loadConfig, type LoadedConfig } from '../../src/config/load-config.ts';
import { gateRules, withGate } from '../../src/workflows/check/gate-rules.ts';
import { gateChanges } from '../../src/workflows/ci/gate-changes.ts';

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

describe('what a change alters about its own gate', () => {
  it.each([
    [
      'a threshold',
      'measure:',
      'thresholds: { regression_pct: 50 }\nmeasure:',
      /thresholds\.regression_pct: 3 → 50 \(3 was/,
    ],
    ['how it is measured', 'processes: 5', 'processes: 1', /measure\.processes: 5 → 1 \(5 was applied\)/],
    [
      'a tolerance',
      'atol: 0.001',
      'atol: 5',
      /tolerance of doubled\.atol: 0\.001 → 5 \(0\.001 was applied\)/,
    ],
    ['an oracle taken away', '    oracle: { source: src/oracle.cpp }\n', '', /oracle of doubled is gone/],
    [
      'another oracle',
      'src/oracle.cpp',
      'src/kernel.cpp',
      /oracle of doubled: source src\/oracle\.cpp → src\/kernel\.cpp/,
    ],
    ['a case taken away', ', large: { N: 4000 }', '', /the case large of one is gone/],
    ['other dimensions under an old name', 'N: 4000', 'N: 1', /the case large of two has other dimensions/],
    ['a kernel taken away', /  two:.*\n/u, '', /the kernel two is gone/],
    [
      'a kernel that lists fewer cases',
      'sources: [src/kernel.cpp] }\n  two',
      'sources: [src/kernel.cpp], cases: [small] }\n  two',
      /the case large of one is gone/,
    ],
    [
      'easier inputs',
      'fill: normal',
      'fill: { kind: constant, value: 0 }',
      /tensors of the problem doubled changed/,
    ],
    ['a narrower fuzz', 'max: 100', 'max: 2', /fuzz of the problem doubled draws from something else: dims/],
    ['no fuzz', /    fuzz:.*\n/u, '', /fuzz of the problem doubled is gone/],
    ['less work counted', 'operations: N', 'operations: 1', /operations of the problem doubled changed/],
    [
      'results that may differ',
      'device: cpu, language',
      'deterministic: false, device: cpu, language',
      /kernel one may now give different results/,
    ],
  ])('is told: %s', async (_, from, to, expected) => {
    const text = CONFIG.replace(from, to);
    expect(text).not.toBe(CONFIG);
    const changes = await gateChanges(await project(CONFIG), await project(text));
    expect(changes.join('\n')).toMatch(expected);
  });

  it('is told: an edited oracle', async () => {
    expect(await gateChanges(await project(CONFIG), await project(CONFIG, 'anything goes'))).toEqual([
      'the oracle of doubled was edited: src/oracle.cpp says what is right',
    ]);
  });

  it('is nothing where a kernel, a case or a problem is added', async () => {
    const more = CONFIG.replace('large:', 'huge: { N: 9000 }, large:').replace(
      'measure:',
      '  three: { problem: doubled, device: cpu, language: c++, sources: [src/kernel.cpp] }\nmeasure:',
    );
    expect(await gateChanges(await project(CONFIG), await project(more))).toEqual([]);
  });

  it('has no effect on how the change is judged', async () => {
    const loose = CONFIG.replace('atol: 0.001', 'atol: 5').replace('processes: 5', 'processes: 1');
    const judged = withGate(await project(loose), gateRules(await project(CONFIG)));
    expect(judged.config.problems['doubled']?.tolerance.atol).toBe(0.001);
    expect(judged.config.measure.processes).toBe(5);
  });
});
