import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';

import { PawlError } from '../model/pawl-error.ts';
import { BuildCache } from './build-cache.ts';
import type { BuildJob, BuildOutcome } from './build-job.ts';
import { Builder } from './builder.ts';
import { projectCacheDir } from './cache-dirs.ts';
import { CompilerRegistry } from './compiler-registry.ts';
import { packageRoot } from './package-root.ts';
import { PathLabels } from './path-labels.ts';
import { Semaphore } from '../os/semaphore.ts';
import type { ProcessContext } from '../os/run-context.ts';

export interface BuildOptions extends Partial<Pick<ProcessContext, 'signal' | 'onProgress' | 'env'>> {
  /** The project's directory: commands run here. */
  readonly root: string;
  /** Where builds are kept; by default below the root (projectCacheDir). */
  readonly cacheDir?: string;
  /** Compiler processes at a time; by default as many as there are processors. */
  readonly parallel?: number;
  /** Say what would be run, run nothing, write nothing. */
  readonly dryRun?: boolean;
  /** For each compiler process. */
  readonly timeout_ms?: number;
  readonly now_ms?: () => number;
  /** What the compilers run in (findSandbox); by default they run as Pawl does, which is right for its own sources. */
  readonly sandbox?: string | undefined;
}

/** The longest compile of a heavily templated CUDA kernel is minutes; more is a hang. */
const DEFAULT_TIMEOUT_MS = 15 * 60 * 1000;

/** Builds all jobs; outcomes come in the order of the jobs, and equal jobs are built once. */
export async function buildAll(jobs: readonly BuildJob[], options: BuildOptions): Promise<BuildOutcome[]> {
  const { signal, onProgress, dryRun = false, env = process.env, now_ms = Date.now } = options;
  const root = resolve(options.root);
  const cacheDir = resolve(options.cacheDir ?? projectCacheDir(root, env));
  const home = packageRoot();
  // Pawl first: where both are one folder, its own programs have the same key as anywhere else.
  const labels = new PathLabels({ pawl: home, root });
  const cache = new BuildCache(cacheDir, labels);
  let done = 0;
  const builder = new Builder({
    root,
    cache,
    labels,
    compilers: new CompilerRegistry(cacheDir, env, !dryRun),
    includeDirs: [join(home, 'runner', 'include')],
    processes: new Semaphore(options.parallel ?? availableParallelism()),
    env,
    dryRun,
    sandbox: options.sandbox,
    timeout_ms: options.timeout_ms ?? DEFAULT_TIMEOUT_MS,
    signal,
    now_ms,
    onCompile: ({ name }) => onProgress?.({ type: 'step', done, label: name, detail: 'compiling' }),
  });
  onProgress?.({ type: 'started', title: 'building', total: jobs.length });
  const settled = await Promise.allSettled(
    jobs.map(async (job) => {
      const outcome = await builder.build(job);
      done += 1;
      onProgress?.({ type: 'step', done, label: job.name, detail: outcome.status });
      return outcome;
    }),
  );
  onProgress?.({ type: 'finished' });
  const outcomes = settled.map((result) => {
    if (result.status === 'rejected') throw cacheError(result.reason, cacheDir);
    return result.value;
  });
  if (outcomes.some(({ status }) => status === 'built')) await cache.sweep(now_ms());
  return outcomes;
}

/** What the file system refuses is the user's to fix; anything else is a bug and keeps its stack. */
function cacheError(error: unknown, cacheDir: string): unknown {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  const remedy = 'Set PAWL_CACHE_DIR to a folder that can be written to.';
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'].includes(code ?? '')) {
    return new PawlError(
      'permission',
      `The build cache ${cacheDir} cannot be written: ${String(error)}.`,
      remedy,
    );
  }
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new PawlError(
      'unavailable',
      `The disk of the build cache ${cacheDir} is full.`,
      `Free some space. ${remedy}`,
    );
  }
  return error;
}
