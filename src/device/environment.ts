/** Where a run takes place: everything that can be known is there; what cannot is absent, never null. */
import { hostname } from 'node:os';

import { defined } from '../model/defined.ts';
import { BASELINE_FILE } from '../model/judge/baseline.ts';
import type { Environment } from '../model/measure/samples.ts';
import { PAWL_VERSION } from '../model/version.ts';
import { findCxx, findNvcc } from './compiler-versions.ts';
import { cpuModel, osName } from './host.ts';
import { findPython } from './python.ts';
import { runGit } from '../os/git/run-git.ts';
import type { ProcessContext } from '../os/run-context.ts';

export type EnvironmentOptions = Partial<Pick<ProcessContext, 'signal' | 'env'>>;

/** The host's part of a fingerprint; the run adds its times, clocks and seed. */
export async function hostEnvironment(options: EnvironmentOptions = {}): Promise<Environment> {
  const [os, cpu, nvcc, cxx, python] = await Promise.all([
    osName(),
    cpuModel(),
    findNvcc(options),
    findCxx(options),
    findPython(options),
  ]);
  return {
    host: hostname(),
    node: process.versions.node,
    pawl: PAWL_VERSION,
    ...defined({ os, cpu, nvcc: nvcc?.version, cxx: cxx?.version }),
    ...(python.status === 'found' ? { python: python.version } : {}),
  };
}

export interface GitState {
  readonly commit: string;
  /**
   * The work tree holds what the commit does not, new files that git does not ignore included. What Pawl itself
   * writes beside pawl.yaml does not count: no kernel depends on it.
   */
  readonly dirty: boolean;
}

/** The whole repository, less what Pawl writes into the folder of the project. */
const WITHOUT_OWN_FILES = [
  ':(top)',
  ...['.pawl', 'tuning', 'lessons.yaml', BASELINE_FILE].map((path) => `:(exclude)${path}`),
];

/** The commit a directory is at; undefined without git, outside a repository and before the first commit. */
export async function gitState(
  root: string,
  options: EnvironmentOptions = {},
): Promise<GitState | undefined> {
  const git = (args: readonly string[]) => runGit(root, args, { ...options, timeout_ms: 30_000 });
  const [head, status] = await Promise.all([
    git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']),
    git(['status', '--porcelain', '--', ...WITHOUT_OWN_FILES]),
  ]);
  if (head.status !== 'exited' || head.code !== 0) return undefined;
  if (status.status !== 'exited' || status.code !== 0) return undefined;
  return { commit: head.stdout.trim(), dirty: status.stdout !== '' };
}

/** What makes a work tree dirty, as paths from the top of the repository. */
export async function changedFiles(root: string, options: EnvironmentOptions = {}): Promise<string[]> {
  const args = ['status', '--porcelain', '--no-renames', '-z', '--', ...WITHOUT_OWN_FILES];
  const status = await runGit(root, args, { ...options, timeout_ms: 30_000 });
  if (status.status !== 'exited' || status.code !== 0) return [];
  // Two letters and a space stand before each path.
  return status.stdout.split('\0').flatMap((line) => (line === '' ? [] : [line.slice(3)]));
}
