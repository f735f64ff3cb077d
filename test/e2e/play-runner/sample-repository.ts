import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { initGitHub } from '../../../src/workflows/init-github.ts';
import { kernel } from '../../ci/ci-project.ts';

const run = promisify(execFile);
const FIXTURES = resolve(import.meta.dirname, '../../fixtures/kernels');

export const ACTION_REF = 'example/pawl@0123456789012345678901234567890123456789';

export function config(cases: string): string {
  return `version: 1
problems:
  doubled:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N], fill: normal }
      y: { role: output, dtype: f32, shape: [N] }
    oracle: { source: kernels/oracle.cpp }
    cases: ${cases}
kernels:
  busy: { problem: doubled, device: cpu, language: c++, sources: [kernels/busy.cpp] }
measure: { mode: hot, samples: 10, warmup: 2, stopping: fixed, processes: 3 }
# Planted changes are of a factor of four and more: neither noise nor a loaded machine makes such ones.
thresholds: { regression_pct: 40, improvement_pct: 45 }
`;
}

/** A repository on a host, with a project in a folder of it and the workflows that \`pawl init --github\` writes. */
export class SampleRepository {
  readonly folder: string;
  readonly remote: string;
  readonly work: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.remote = join(folder, 'remote.git');
    this.work = join(folder, 'work');
  }

  static async create(): Promise<SampleRepository> {
    const sample = new SampleRepository(await mkdtemp(join(tmpdir(), 'pawl-sample-')));
    await run('git', ['init', '-q', '--bare', '-b', 'main', sample.remote]);
    await run('git', ['init', '-q', '-b', 'main', sample.work]);
    await sample.git('config', 'user.name', 'Ada');
    await sample.git('config', 'user.email', 'ada@example.org');
    await sample.git('remote', 'add', 'origin', sample.remote);
    await mkdir(join(sample.work, 'perf/kernels'), { recursive: true });
    for (const file of ['doubled.hpp', 'oracle.cpp']) {
      await copyFile(join(FIXTURES, file), join(sample.work, 'perf/kernels', file));
    }
    await writeFile(join(sample.work, '.gitignore'), '.pawl/\n');
    await sample.write('kernels/busy.cpp', kernel(40));
    await sample.write('pawl.yaml', config('{ small: { N: 1000 } }'));
    await initGitHub({
      directory: join(sample.work, 'perf'),
      action: ACTION_REF,
      force: false,
      dryRun: false,
    });
    await sample.commit('first');
    await sample.git('push', '-q', 'origin', 'main');
    return sample;
  }

  /** Below the project's folder. */
  async write(path: string, text: string): Promise<void> {
    await writeFile(join(this.work, 'perf', path), text);
  }

  async git(...args: readonly string[]): Promise<string> {
    return (await run('git', ['-C', this.work, ...args])).stdout.trim();
  }

  async commit(message: string): Promise<string> {
    await this.git('add', '--all');
    await this.git('commit', '-q', '-m', message);
    return this.git('rev-parse', 'HEAD');
  }

  /** A change on a branch from main as it is on the host; pushed where a pull request's commits are. */
  async branch(
    name: string,
    files: Readonly<Record<string, string>>,
  ): Promise<{ head: string; base: string }> {
    await this.git('fetch', '-q', 'origin');
    await this.git('checkout', '-q', '-B', name, 'origin/main');
    const base = await this.git('rev-parse', 'HEAD');
    for (const [path, text] of Object.entries(files)) await this.write(path, text);
    const head = await this.commit(name);
    await this.git('push', '-q', 'origin', `HEAD:refs/pull/${name}/head`);
    return { head, base };
  }

  /** A change on main itself. */
  async push(message: string, files: Readonly<Record<string, string>>): Promise<string> {
    await this.git('fetch', '-q', 'origin');
    await this.git('checkout', '-q', '-B', 'main', 'origin/main');
    for (const [path, text] of Object.entries(files)) await this.write(path, text);
    const head = await this.commit(message);
    await this.git('push', '-q', 'origin', 'main');
    return head;
  }

  /** What main holds on the host. */
  async onMain(path: string): Promise<string> {
    await this.git('fetch', '-q', 'origin');
    return this.git('show', `origin/main:${path}`);
  }

  async mainLog(): Promise<string[]> {
    await this.git('fetch', '-q', 'origin');
    return (await this.git('log', '--format=%an: %s', 'origin/main')).split('\n');
  }

  workflow(name: string): Promise<string> {
    return readFile(join(this.work, '.github/workflows', name), 'utf8');
  }
}
