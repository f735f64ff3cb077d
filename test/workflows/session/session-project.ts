import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
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
    oracle: { source: src/oracle.cpp }
    cases: { small: { N: 1000 } }
kernels:
  slow:
    problem: doubled
    device: cpu
    language: c++
    sources: [src/slow.cpp]
    tunables:
      PARTS: { values: [1, 8], default: 8 } # how much of the work is done
measure: { mode: hot, samples: 10, warmup: 2, stopping: fixed }
# Machines that run tests have other work to do.
thresholds: { regression_pct: 25, improvement_pct: 25 }
cost: { currency: USD, default: 3.6 }
`;

export interface Knobs {
  readonly turns?: number;
  readonly more?: number;
  /** Lines of code before the end. */
  readonly code?: string;
}

/** y = 2·x, which takes PARTS times TURNS turns. */
export function slowKernel({ turns = 50_000, more = 0, code = '' }: Knobs = {}): string {
  return `#include "doubled.hpp"

constexpr int TURNS = ${turns};
constexpr int MORE = ${more};

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  for (volatile int turn = 0; turn < PARTS * (TURNS + MORE); turn = turn + 1) {}
  const int status = doubled(call);
  ${code}
  return status;
}
`;
}

/** A git repository with one kernel in it that can be made faster, slower and wrong. */
export class SessionProject {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<SessionProject> {
    const project = new SessionProject(await temporaryFolder());
    await mkdir(join(project.folder, 'src'));
    for (const file of ['doubled.hpp', 'oracle.cpp']) {
      await copyFile(join(FIXTURES, file), join(project.folder, 'src', file));
    }
    await project.write('pawl.yaml', CONFIG);
    await project.write('.gitignore', '.pawl/\n');
    await project.kernel();
    project.git('init', '--quiet', '--initial-branch=main');
    project.git('config', 'user.name', 'Ann');
    project.git('config', 'user.email', 'ann@example.org');
    project.git('config', 'commit.gpgsign', 'false');
    project.git('add', '--all');
    project.git('commit', '--quiet', '--message', 'before');
    return project;
  }

  get config(): string {
    return join(this.folder, 'pawl.yaml');
  }

  kernel(knobs: Knobs = {}): Promise<void> {
    return this.write('src/slow.cpp', slowKernel(knobs));
  }

  write(path: string, text: string): Promise<void> {
    return writeFile(join(this.folder, path), text);
  }

  read(path: string): Promise<string> {
    return readFile(join(this.folder, path), 'utf8');
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', ['-C', this.folder, ...args], { encoding: 'utf8' });
  }

  /** What would not be there any more had a session touched the user's own git. */
  gitState(): string {
    return [
      this.git('rev-parse', 'HEAD'),
      this.git('branch', '--all'),
      this.git('ls-files', '--stage'),
      this.git('stash', 'list'),
    ].join('\n');
  }
}
