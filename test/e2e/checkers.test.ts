import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { benchReportSchema } from '../../src/model/reports/bench-report.ts';
import { fixtureProject, pawl } from './pawl-cli.ts';

const FAST = ['--quiet', '--wait', '300', '--mode', 'hot', '--samples', '5', '--processes', '1'];
const RIGHT = `import numpy as np

def is_doubled(x, y, atol):
    return bool(np.abs(y - 2 * x).max() <= atol) or "y is not twice x"
`;

/** Kernels for y = 2·x, judged by a function in the place of an oracle. */
async function project(kernels: string[], checker: string): Promise<string> {
  const folder = await fixtureProject(kernels);
  await writeFile(join(folder, 'src/right.py'), checker);
  const yaml = await readFile(join(folder, 'pawl.yaml'), 'utf8');
  const judged = yaml.replace(/oracle: .*/, 'checker: { module: src/right.py, function: is_doubled }');
  await writeFile(join(folder, 'pawl.yaml'), judged);
  return folder;
}

it('a kernel in C++ is judged by a function in Python: right ones are timed, wrong ones are not', async () => {
  const folder = await project(['right', 'zeros'], RIGHT);
  const { code, stdout } = await pawl(folder, 'bench', '--json', '--verified', ...FAST);
  const { measurements } = benchReportSchema.parse(JSON.parse(stdout));
  expect(measurements.map(({ kernel, state }) => [kernel, state])).toEqual([
    ['right', 'measured'],
    ['zeros', 'unmeasured'],
  ]);
  expect(stdout).toContain('right.py:is_doubled refuses the outputs: y is not twice x');
  expect(code).toBe(1);
  const fuzzed = await pawl(folder, 'fuzz', '--quiet', '--wait', '300', '--cases', '6', '--json');
  expect(fuzzed.stdout).toContain('y is not twice x');
  expect(fuzzed.code).toBe(1);
});

it.each([
  ['raises', 'raise KeyError("x")', /the checker is_doubled raised KeyError/],
  ['hangs', 'while True: pass', /the checker hangs/],
  ['returns nothing', 'pass', /returned NoneType where True, or a sentence/],
])('a checker that %s is named, and the kernel is not called wrong', async (_, body, words) => {
  const folder = await project(['right'], `def is_doubled(x, y):\n    ${body}\n`);
  const { code, stdout } = await pawl(folder, 'bench', '--json', ...FAST, '--timeout', '5');
  expect(stdout).toMatch(words);
  expect(stdout).toContain('"checker-failed"');
  expect(code).toBe(2);
});

it('a checker that lets everything pass leaves the run undecided, and is told why', async () => {
  const folder = await project(['right'], 'def is_doubled(y):\n    return True\n');
  const { code, stdout } = await pawl(folder, 'bench', ...FAST);
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
    /the checker right.py:is_doubled is blind: an output that was never written, zeros, .* would pass as 'y'/,
  );
  expect(code).toBe(2);
});
