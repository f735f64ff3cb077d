import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const FIXTURES = resolve(import.meta.dirname, '../fixtures/kernels');

/** A kernel for y = 2·x that takes its time: about 50 µs for 20,000 turns. */
export function busyKernel(turns: number | 'WORK', comment = ''): string {
  return `${comment}#include "doubled.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  for (volatile int turn = 0; turn < ${turns}; turn = turn + 1) {}
  return doubled(call);
}
`;
}

export function config(cases = '{ small: { N: 1000 } }'): string {
  return `version: 1
problems:
  doubled:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N], fill: normal }
      y: { role: output, dtype: f32, shape: [N] }
    oracle: { source: src/oracle.cpp }
    cases: ${cases}
kernels:
  busy: { problem: doubled, device: cpu, language: c++, sources: [src/busy.cpp] }
  tuned:
    problem: doubled
    device: cpu
    language: c++
    sources: [src/tuned.cpp]
    tunables:
      WORK: { values: [20000, 160000], default: 20000 }
measure: { mode: hot, samples: 10, warmup: 2, stopping: fixed }
`;
}

/** A git repository with the project in a folder of it. */
export class CompareProject {
  readonly repository: string;
  readonly folder: string;

  private constructor(repository: string) {
    this.repository = repository;
    this.folder = join(repository, 'perf');
  }

  static async create(): Promise<CompareProject> {
    const project = new CompareProject(await mkdtemp(join(tmpdir(), 'pawl-compare-test-')));
    await mkdir(join(project.folder, 'src'), { recursive: true });
    for (const file of ['doubled.hpp', 'oracle.cpp']) {
      await copyFile(join(FIXTURES, file), join(project.folder, 'src', file));
    }
    project.git('init', '--quiet', '--initial-branch=main');
    await project.write('src/tuned.cpp', busyKernel('WORK'));
    await project.write('src/busy.cpp', busyKernel(20_000));
    await project.write('pawl.yaml', config());
    await writeFile(join(project.repository, '.gitignore'), '.pawl/\n');
    project.commit('base');
    return project;
  }

  async write(path: string, text: string): Promise<void> {
    await writeFile(join(this.folder, path), text);
  }

  /** Commits everything and tags it. */
  commit(tag: string): void {
    this.git('add', '--all');
    // A test that is tried again changes nothing the second time.
    this.git('commit', '--quiet', '--allow-empty', '--message', tag);
    this.git('tag', '--force', tag);
  }

  git(...args: readonly string[]): string {
    const identity = [
      '-c',
      'user.name=Test',
      '-c',
      'user.email=test@example.org',
      '-c',
      'commit.gpgsign=false',
    ];
    return execFileSync('git', ['-C', this.repository, ...identity, ...args], { encoding: 'utf8' });
  }
}
