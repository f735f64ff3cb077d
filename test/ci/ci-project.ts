import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { fixtureProject } from '../e2e/pawl-cli.ts';

const THRESHOLDS = 'thresholds: { regression_pct: 25, improvement_pct: 30 }\n';

/** A repository with one kernel for y = 2·x, whose cost is known, and rules that noise does not reach. */
export class CiProject {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<CiProject> {
    const project = new CiProject(await fixtureProject(['right']));
    await project.edit('pawl.yaml', 'measure: {', `${THRESHOLDS}measure: { mode: hot, samples: 10,`);
    await project.write('.gitignore', '.pawl/\n');
    await project.write('src/right.cpp', kernel(40));
    project.git('init', '--quiet', '--initial-branch=main');
    project.commit('first');
    return project;
  }

  async read(path: string): Promise<string> {
    return readFile(join(this.folder, path), 'utf8');
  }

  async write(path: string, text: string): Promise<void> {
    await writeFile(join(this.folder, path), text);
  }

  async edit(path: string, from: string, to: string): Promise<void> {
    const text = await this.read(path);
    if (!text.includes(from)) throw new Error(`${path} does not have "${from}"`);
    await this.write(path, text.replace(from, to));
  }

  commit(message: string): string {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', message);
    return this.git('rev-parse', 'HEAD');
  }

  /** A branch from main, as a pull request has it. */
  branch(name: string): void {
    this.git('checkout', '--quiet', '--force', '-B', name, 'main');
  }

  git(...args: readonly string[]): string {
    const identity = ['-c', 'user.name=test', '-c', 'user.email=test@localhost'];
    return execFileSync('git', [...identity, ...args], { cwd: this.folder, encoding: 'utf8' }).trim();
  }
}

/** y = 2·x, so many times over: what it takes is known. With another factor, one element is wrong. */
export function kernel(repeats: number, factor = 2): string {
  return `#include "doubled.hpp"
PAWL_EXPORT int pawl_run(const pawl_call *call) {
  for (volatile int i = 0; i < ${repeats}; i = i + 1) doubled(call);
${factor === 2 ? '' : `  output(call)[7] = ${factor} * input(call)[7];\n`}  return 0;
}
`;
}

export interface FakeEvent {
  readonly name: 'pull_request' | 'push' | 'workflow_dispatch';
  readonly payload: object;
  readonly sha: string;
  readonly apiUrl: string;
}

export interface FakeRunner {
  readonly env: NodeJS.ProcessEnv;
  readonly summary: () => Promise<string>;
  readonly outputs: () => Promise<string>;
}

/** The variables and files that GitHub gives to a step. */
export async function fakeRunner(event: FakeEvent): Promise<FakeRunner> {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-runner-'));
  const [path, summary, output] = ['event.json', 'summary.md', 'output'].map((name) => join(folder, name));
  await writeFile(path!, JSON.stringify(event.payload));
  await writeFile(summary!, '');
  await writeFile(output!, '');
  return {
    env: {
      ...process.env,
      GITHUB_ACTIONS: 'true',
      GITHUB_EVENT_NAME: event.name,
      GITHUB_EVENT_PATH: path,
      GITHUB_REPOSITORY: 'acme/kernels',
      GITHUB_SHA: event.sha,
      GITHUB_RUN_ID: '99',
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_API_URL: event.apiUrl,
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_OUTPUT: output,
    },
    summary: () => readFile(summary!, 'utf8'),
    outputs: () => readFile(output!, 'utf8'),
  };
}

/** What GitHub says of a pull request, as far as anybody reads it. */
export function pullRequestEvent(options: {
  readonly number: number;
  readonly head: string;
  readonly base: string;
  readonly fork?: boolean;
}): object {
  const own = { id: 4242, full_name: 'acme/kernels' };
  const repo = options.fork === true ? { id: 77, full_name: 'someone/kernels' } : own;
  return {
    action: 'synchronize',
    number: options.number,
    pull_request: {
      number: options.number,
      head: { sha: options.head, ref: 'change', repo },
      base: { sha: options.base, ref: 'main', repo: own },
    },
    repository: { ...own, default_branch: 'main' },
  };
}
