import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { CompareProject } from '../workflows/compare-project.ts';
import { pawl } from './pawl-cli.ts';

/** What each kernel of the table in docs/commands.md does. */
const BODIES: Readonly<Record<string, string>> = {
  'is right': 'return doubled(call) /* as before */;',
  'is wrong':
    'const int status = doubled(call); static_cast<float *>(call->tensors[1].data)[0] = 1e9f; return status;',
  crashes: '*reinterpret_cast<volatile int *>(8) = 1; return doubled(call);',
  hangs: 'for (volatile bool on = true; on;) {} return doubled(call);',
  'returns not 0': 'return 3;',
  'lacks pawl_run': 'return doubled(call);',
  'does not build': 'return nothing_of_that_name;',
};

const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  build: [],
  bench: ['--no-history'],
  fuzz: ['--cases', '2', '--no-save'],
  compare: ['--base', 'main'],
  check: ['--profile', 'never'],
  ci: ['--event', 'none', '--base', 'main', '--profile', 'never'],
};

const document = await readFile(join(import.meta.dirname, '../../docs/commands.md'), 'utf8');
/** Kernels that end alike share a row, commands a column. */
const [names = [], , ...shared] = document
  .slice(document.indexOf('| the kernel '))
  .trim()
  .split('\n')
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().split(', ')),
  );
const commands = names.slice(1).flat();
const rows = shared.flatMap(([kernels = [], ...codes]) =>
  kernels.map((name) => [name, ...codes.flatMap(([code = ''], at) => names[at + 1]!.map(() => code))]),
);

describe('the table of exit codes', () => {
  let project: CompareProject;

  beforeAll(async () => {
    project = await CompareProject.create();
    // The kernel alone: what fails is about it.
    const yaml = await readFile(join(project.folder, 'pawl.yaml'), 'utf8');
    await writeFile(join(project.folder, 'pawl.yaml'), yaml.replace(/ {2}tuned:[\s\S]*?(?=measure:)/u, ''));
    await project.write('src/busy.cpp', sourceOf('return doubled(call);'));
    project.commit('right');
    project.git('checkout', '--quiet', '-b', 'change');
  });

  it('names the kernels and the commands that are tried', () => {
    expect(rows.map(([name]) => name)).toEqual(Object.keys(BODIES));
    expect(rows.every((row) => row.length === commands.length + 1)).toBe(true);
    expect(commands).toEqual(Object.keys(ARGUMENTS));
  });

  it.each(Object.keys(BODIES))('is true of a kernel that %s', async (name) => {
    const source = sourceOf(BODIES[name]!);
    await project.write(
      'src/busy.cpp',
      name === 'lacks pawl_run' ? source.replace('pawl_run', 'pawl_ran') : source,
    );
    project.commit(name.replaceAll(' ', '-'));
    const found = [];
    for (const command of commands) {
      const timed = command === 'build' ? [] : ['--timeout', '2', '--wait', '300', '--processes', '2'];
      const options = command === 'fuzz' ? timed.slice(0, 4) : timed;
      const { code } = await pawl(project.folder, command, '--quiet', ...ARGUMENTS[command]!, ...options);
      found.push(String(code));
    }
    expect(found).toEqual(rows.find(([row]) => row === name)?.slice(1));
  });

  it('goes with a command that finds the line of a crash', async () => {
    await project.write('src/busy.cpp', sourceOf(BODIES['crashes']!));
    const { stdout } = await pawl(project.folder, 'bench', '--quiet', '--no-history', '--wait', '300');
    const [, command = ''] = /find the line:\s+pawl (.*)/.exec(stdout) ?? [];
    const found = await pawl(project.folder, ...command.split(' '), '--wait', '300');
    expect(found.stdout).toMatch(/SEGV: in pawl_run at src\/busy\.cpp:2/);
  });
});

function sourceOf(body: string): string {
  return `#include "doubled.hpp"\nPAWL_EXPORT int pawl_run(const pawl_call *call) { ${body} }\n`;
}
