import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { temporaryFolder } from '../../device/temporary-folder.ts';

const FIXTURES = resolve(import.meta.dirname, '../../fixtures/kernels');

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
    cases:
      small: { N: 1000 }
      large: { N: 4000 }
kernels:
  right: { problem: doubled, device: cpu, language: c++, sources: [src/right.cpp], include_dirs: [include] }
measure: { mode: hot, samples: 10, warmup: 2, stopping: fixed }
# Machines that run tests have other work to do.
thresholds: { regression_pct: 25, improvement_pct: 25 }
`;

const ORACLE = `#include "pawl_kernel.h"
#include <factor.h>

PAWL_EXPORT int pawl_oracle(const pawl_call *call) {
  const double *x = static_cast<const double *>(call->tensors[0].data);
  double *y = static_cast<double *>(call->tensors[1].data);
  for (int64_t i = 0; i < call->tensors[0].shape[0]; ++i) y[i] = FACTOR * x[i];
  return 0;
}
`;

/** y = factor·x, after so many turns of nothing. */
export function kernel(factor: number, turns = 20_000): string {
  return `#include "doubled.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  for (volatile int turn = 0; turn < ${turns}; turn = turn + 1) {}
  for (int64_t i = 0; i < size(call); ++i) output(call)[i] = ${factor} * input(call)[i];
  return 0;
}
`;
}

/** A repository with one kernel that is right, and an oracle that includes a header. */
export class JudgeProject {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<JudgeProject> {
    const project = new JudgeProject(await temporaryFolder());
    await mkdir(join(project.folder, 'src'));
    await mkdir(join(project.folder, 'include'));
    await copyFile(join(FIXTURES, 'doubled.hpp'), join(project.folder, 'src/doubled.hpp'));
    await project.write('pawl.yaml', CONFIG);
    await project.write('.gitignore', '.pawl/\npawl-ci/\n');
    await project.write('src/oracle.cpp', ORACLE);
    await project.write('include/factor.h', '#define FACTOR 2\n');
    await project.write('src/right.cpp', kernel(2));
    project.git('init', '--quiet', '--initial-branch=main');
    project.git('config', 'user.name', 'Ann');
    project.git('config', 'user.email', 'ann@example.org');
    project.git('config', 'commit.gpgsign', 'false');
    project.commit('base');
    return project;
  }

  async write(path: string, text: string): Promise<void> {
    await writeFile(join(this.folder, path), text);
  }

  async edit(
    path: string,
    ...pairs: readonly (readonly [from: string | RegExp, to: string])[]
  ): Promise<void> {
    let text = await readFile(join(this.folder, path), 'utf8');
    for (const [from, to] of pairs) {
      const edited = text.replace(from, to);
      if (edited === text) throw new Error(`${path} does not have ${String(from)}`);
      text = edited;
    }
    await this.write(path, text);
  }

  async remove(path: string): Promise<void> {
    await rm(join(this.folder, path));
  }

  commit(message: string): string {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--allow-empty', '--message', message);
    return this.git('rev-parse', 'HEAD');
  }

  /** Everything as it was at a commit. */
  reset(commit = 'main'): void {
    this.git('checkout', '--quiet', '--force', '--detach', commit);
    this.git('clean', '--quiet', '-d', '--force');
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.folder, encoding: 'utf8' }).trim();
  }
}

export interface Attack {
  readonly name: string;
  /** What the verdict has to say about it. */
  readonly kinds: readonly string[];
  readonly text: RegExp;
  /** Makes a judge of y = 2·x one that takes what a kernel for y = 0·x gives, or looks away from it. */
  readonly alter: (project: JudgeProject) => Promise<void>;
}

export const ATTACKS: readonly Attack[] = [
  {
    name: 'edit a header that the oracle includes',
    kinds: ['oracle'],
    text: /^include\/factor\.h, a part of the oracle of doubled, was edited$/u,
    alter: (project) => project.write('include/factor.h', '#define FACTOR 0\n'),
  },
  {
    name: 'put another header before the one that the oracle includes',
    kinds: ['oracle'],
    text: /^src\/factor\.h was added, and the oracle of doubled would include it/u,
    alter: async (project) => {
      await project.write('src/factor.h', '#define FACTOR 0\n');
      await project.edit('src/oracle.cpp', ['<factor.h>', '"factor.h"']);
    },
  },
  {
    name: 'edit the oracle',
    kinds: ['oracle'],
    text: /^src\/oracle\.cpp, the oracle of doubled, was edited$/u,
    alter: (project) => project.edit('src/oracle.cpp', ['FACTOR * x[i]', '0 * x[i]']),
  },
  {
    name: 'remove the oracle',
    kinds: ['oracle'],
    text: /^the oracle of doubled was removed: its results would not be checked$/u,
    alter: (project) => project.edit('pawl.yaml', ['    oracle: { source: src/oracle.cpp }\n', '']),
  },
  {
    name: 'replace the oracle',
    kinds: ['oracle'],
    text: /^oracle of doubled: source: src\/oracle\.cpp → src\/other\.cpp$/u,
    alter: async (project) => {
      await project.write('src/other.cpp', ORACLE.replace('FACTOR', '0'));
      await project.edit('pawl.yaml', ['source: src/oracle.cpp', 'source: src/other.cpp']);
    },
  },
  {
    name: 'look elsewhere for the headers of the oracle',
    kinds: ['oracle'],
    text: /^include\/factor\.h, a part of the oracle of doubled, is gone$/u,
    alter: async (project) => {
      project.git('mv', 'include', 'other');
      await project.write('other/factor.h', '#define FACTOR 0\n');
      await project.edit('pawl.yaml', ['[include]', '[other]']);
    },
  },
  {
    name: 'allow an error of 1e9',
    kinds: ['tolerance'],
    text: /^tolerance of doubled: atol: 0\.001 → 1000000000$/u,
    alter: (project) => project.edit('pawl.yaml', ['atol: 0.001', 'atol: 1e9']),
  },
  {
    name: 'ask with inputs of zero',
    kinds: ['problem'],
    text: /^tensors of the problem doubled: .*normal.* → .*constant/u,
    alter: (project) => project.edit('pawl.yaml', ['fill: normal', 'fill: { kind: constant, value: 0 }']),
  },
  {
    name: 'rename the problem',
    kinds: ['problem-removed', 'kernel'],
    text: /^the problem doubled was removed$/u,
    alter: (project) =>
      project.edit(
        'pawl.yaml',
        ['  doubled:\n', '  easy:\n'],
        ['problem: doubled', 'problem: easy'],
        ['    oracle: { source: src/oracle.cpp }\n', ''],
      ),
  },
  {
    name: 'rename the cases',
    kinds: ['case-renamed', 'case-renamed', 'tolerance'],
    text: /^the case small of right is now called tiny/u,
    alter: (project) =>
      project.edit('pawl.yaml', ['small:', 'tiny:'], ['large:', 'huge:'], ['atol: 0.001', 'atol: 9']),
  },
  {
    name: 'remove the cases that fail, and bring another',
    kinds: ['case-removed', 'case-removed', 'tolerance'],
    text: /^the case large of right was removed \(N=4000\)$/u,
    alter: (project) =>
      project.edit(
        'pawl.yaml',
        ['      small: { N: 1000 }\n      large: { N: 4000 }\n', '      other: { N: 1 }\n'],
        ['atol: 0.001', 'atol: 9'],
      ),
  },
];
