import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { benchReportSchema } from '../../src/model/reports/bench-report.ts';
import { doubledYaml, pawl } from './pawl-cli.ts';

/** Right only where SCALE is as it says; the oracle is right only without it. */
const SOURCE = `import os
SCALE = os.environ.get("SCALE")
def with_scale(x): return 2 * x if SCALE == "2" else 0 * x
def without(x): return 2 * x if SCALE is None else 0 * x
`;

async function projectOf(env: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-env-'));
  await writeFile(join(folder, 'kernel.py'), SOURCE);
  const kernel = (name: string) =>
    `problem: doubled, device: cpu, language: python, module: kernel.py, function: ${name}`;
  const kernels = [
    `  scaled: { ${kernel('with_scale')}, env: { ${env} } }`,
    `  plain: { ${kernel('without')} }`,
  ];
  await writeFile(join(folder, 'pawl.yaml'), doubledYaml('module: kernel.py, function: without', kernels));
  return folder;
}

describe('env of a kernel', () => {
  it('reaches the process of that kernel, and neither its oracle nor other kernels', async () => {
    const folder = await projectOf('SCALE: 2');
    const quick = ['--no-history', '--quiet', '--wait', '600', '--processes', '1', '--samples', '10'];
    const { code, stdout } = await pawl(folder, 'bench', '--json', ...quick);
    const { measurements } = benchReportSchema.parse(JSON.parse(stdout));
    expect(measurements.map(({ kernel, check }) => [kernel, check])).toEqual([
      ['scaled', 'passed'],
      ['plain', 'passed'],
    ]);
    expect(code).toBe(0);
  });

  it.each([
    ['LD_PRELOAD: ./mine.so', /env\.LD_PRELOAD.*before the kernel is loaded/],
    ['PYTHONPATH: .', /env\.PYTHONPATH.*before the kernel is loaded/],
    ['CUDA_VISIBLE_DEVICES: 1', /env\.CUDA_VISIBLE_DEVICES.*chooses the device/],
    ['HOME: /root', /env\.HOME.*scratch folder/],
    ['HF_TOKEN: x', /env\.HF_TOKEN.*looks like a secret/],
  ])('refuses %s and says why', async (env, words) => {
    const { code, stderr } = await pawl(await projectOf(env), 'bench', '--quiet');
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(words);
    expect(code).toBe(78);
  });
});
