import { join } from 'node:path';

import type { BuildOptions } from './build-all.ts';
import { buildAll } from './build-all.ts';
import type { BuildJob, BuildOutcome } from './build-job.ts';
import { userCacheDir } from './cache-dirs.ts';
import { packageRoot } from './package-root.ts';

/** What each program is made of, below runner/src (runner/README.md says what each file does). */
const RUNNER_SOURCES = [
  'main.cpp',
  'audit.cpp',
  'channel.cpp',
  'check.cpp',
  'compare.cpp',
  'fields.cpp',
  'guarded_buffer.cpp',
  'json.cpp',
  'kernel_library.cpp',
  'oracle.cpp',
  'oracle_run.cpp',
  'prepared_case.cpp',
  'problem.cpp',
  'session.cpp',
  'sha256.cpp',
  'tamper.cpp',
  'timed_guard.cpp',
  'verifier.cpp',
  'cpu/cache_evictor.cpp',
  'cpu/cpu_device.cpp',
  'cpu/cpu_info.cpp',
  'watch/child_processes.cpp',
  'watch/environment.cpp',
  'watch/host_clock.cpp',
  'watch/kernel_watch.cpp',
  'watch/loaded_libraries.cpp',
  'watch/open_files.cpp',
  'watch/proc.cpp',
  'watch/repeated_calls.cpp',
  'watch/sleep_watch.cpp',
] as const;

const TIMER_SOURCES = [
  'json.cpp',

  'cuda/timer.cu',
  'cuda/cuda_info.cpp',
  'cuda/nvml.cpp',
  'cuda/process_watch.cpp',
] as const;

const CUDA_SOURCES = [
  'cuda/cuda_device.cpp',
  'cuda/cuda_error.cpp',
  'cuda/cuda_memory.cu',
  'cuda/cuda_settings.cpp',
  'cuda/device_watch.cpp',
  'cuda/graph_replay.cpp',
  'cuda/launch_audit.cpp',
] as const;

/** The native runner: the CUDA one measures on the CPU too, and needs nvcc. */
export function runnerJob(device: 'cpu' | 'cuda', archs: readonly string[] = []): BuildJob {
  if (device === 'cpu') return recipe('pawl-runner-cpu', 'c++', 'executable', RUNNER_SOURCES, []);
  const sources = [...new Set([...RUNNER_SOURCES, ...CUDA_SOURCES, ...TIMER_SOURCES])];
  return recipe('pawl-runner-cuda', 'cuda', 'executable', sources, archs);
}

/** The CUDA timer as a library, for the Python runner. */
export function timerJob(archs: readonly string[]): BuildJob {
  return recipe('libpawl-timer', 'cuda', 'shared', TIMER_SOURCES, archs);
}

/** What is confined by: around the candidate (in the runner) and around compilers (`pawl-sandbox`). */
const SANDBOX_SOURCES = [
  'sandbox/confined_child.cpp',
  'sandbox/descendants.cpp',
  'sandbox/environment.cpp',
  'sandbox/guard.cpp',
  'sandbox/landlock.cpp',
  'sandbox/namespaces.cpp',
  'sandbox/sandbox.cpp',
  'sandbox/seccomp_filter.cpp',
] as const;

/** The program that compilers of foreign sources run in. */
export function sandboxJob(): BuildJob {
  return recipe('pawl-sandbox', 'c++', 'executable', ['sandbox/main.cpp', ...SANDBOX_SOURCES], []);
}

/** Builds Pawl's own programs. They belong to the installation, so they are kept for the user, not the project. */
export async function buildRunners(
  jobs: readonly BuildJob[],
  options: Omit<BuildOptions, 'root' | 'cacheDir'> = {},
): Promise<BuildOutcome[]> {
  const cacheDir = await userCacheDir(options.env ?? process.env);
  return buildAll(jobs, { ...options, root: packageRoot(), cacheDir });
}

function recipe(
  name: string,
  language: BuildJob['language'],
  output: BuildJob['output'],
  sources: readonly string[],
  arch: readonly string[],
): BuildJob {
  const folder = join(packageRoot(), 'runner', 'src');
  return {
    name,
    language,
    output,
    sources: sources.map((source) => join(folder, source)),
    includeDirs: [],
    defines: {},
    // Only what surrounds the measurement runs in these programs; a fixed level keeps it the same everywhere.
    flags: ['-O2'],
    links: ['-ldl', '-lpthread'],
    arch,
  };
}
