import { join } from 'node:path';

import type { BuildOptions } from './build-all.ts';
import { buildAll } from './build-all.ts';
import type { BuildJob, BuildOutcome } from './build-job.ts';
import { userCacheDir } from './cache-dirs.ts';
import { packageRoot } from './package-root.ts';

/**
 * What each program is made of, below runner/src (runner/README.md says what each file does). What confines is around
 * candidates, in the judge, and around compilers, in `pawl-sandbox`.
 */
const SANDBOX_SOURCES = [
  'sandbox/confined_child.cpp',
  'sandbox/descendants.cpp',
  'sandbox/guard.cpp',
  'sandbox/landlock.cpp',
  'sandbox/namespaces.cpp',
  'sandbox/sandbox.cpp',
  'sandbox/seccomp_filter.cpp',
] as const;

/** What runs beside kernel code. */
const CANDIDATE_SOURCES = [
  'fields.cpp',
  'json.cpp',
  'scalar.cpp',
  'wire.cpp',
  'candidate/host_place.cpp',
  'candidate/mapped_case.cpp',
  'candidate/serve.cpp',
  'cpu/pin.cpp',
  'watch/environment.cpp',
  'watch/proc.cpp',
] as const;

/** The judge starts itself once more as its candidate: one program has both. */
const JUDGE_SOURCES = [
  ...SANDBOX_SOURCES,
  ...CANDIDATE_SOURCES,
  'main.cpp',
  'candidate/native_kernel.cpp',
  'kernel_library.cpp',
  'audit.cpp',
  'batch_guard.cpp',
  'blind_answers.cpp',
  'candidate.cpp',
  'channel.cpp',
  'check.cpp',
  'clock_bound.cpp',
  'compare.cpp',
  'device_watch.cpp',
  'guarded_buffer.cpp',
  'input_generator.cpp',
  'library_oracle.cpp',
  'output_relay.cpp',
  'prepared_case.cpp',
  'problem.cpp',
  'python_function.cpp',
  'python_oracle.cpp',
  'recordings.cpp',
  'rules.cpp',
  'run_library_oracle.cpp',
  'sampling.cpp',
  'scratch_folder.cpp',
  'sealed_file.cpp',
  'session.cpp',
  'sha256.cpp',
  'tamper.cpp',
  'timed_guard.cpp',
  'verifier.cpp',
  'cpu/cache_evictor.cpp',
  'cpu/cpu_device.cpp',
  'cpu/cpu_info.cpp',
  'cpu/shared_memory.cpp',
  'watch/candidate_watch.cpp',
  'watch/child_processes.cpp',
  'watch/elf_file.cpp',
  'watch/loaded_libraries.cpp',
  'watch/open_files.cpp',
  'watch/repeated_calls.cpp',
  'watch/sleep_watch.cpp',
] as const;

/** What both sides of a GPU use, and what is the judge's or the candidate's alone. */
const CUDA_SOURCES = ['cuda/cuda_error.cpp', 'cuda/shared_memory.cpp'] as const;
const CUDA_JUDGE_SOURCES = [
  'cuda/cuda_device.cpp',
  'cuda/cuda_info.cpp',
  'cuda/cuda_memory.cu',
  'cuda/nvml.cpp',
  'cuda/process_watch.cpp',
] as const;
const CUDA_CANDIDATE_SOURCES = [
  'cuda/cuda_place.cpp',
  'cuda/cuda_settings.cpp',
  'cuda/graph_replay.cpp',
  'cuda/launch_audit.cpp',
  'cuda/timer.cu',
] as const;

/** The judge: the CUDA one measures on the CPU too, and needs nvcc. */
export function runnerJob(device: 'cpu' | 'cuda', archs: readonly string[] = []): BuildJob {
  if (device === 'cpu') return recipe('pawl-judge-cpu', 'c++', 'executable', JUDGE_SOURCES, []);
  const sources = [...JUDGE_SOURCES, ...CUDA_SOURCES, ...CUDA_JUDGE_SOURCES, ...CUDA_CANDIDATE_SOURCES];
  return recipe('pawl-judge-cuda', 'cuda', 'executable', sources, archs);
}

/** The candidate as a library, for kernels and oracles in Python. */
export function candidateJob(device: 'cpu' | 'cuda', archs: readonly string[] = []): BuildJob {
  const sources = [...CANDIDATE_SOURCES, 'candidate/hooked_kernel.cpp'];
  if (device === 'cpu') return recipe('libpawl-candidate-cpu', 'c++', 'shared', sources, []);
  const all = [...sources, ...CUDA_SOURCES, ...CUDA_CANDIDATE_SOURCES];
  return recipe('libpawl-candidate-cuda', 'cuda', 'shared', all, archs);
}

/** The program that compilers of foreign sources run in. */
export function sandboxJob(): BuildJob {
  return recipe(
    'pawl-sandbox',
    'c++',
    'executable',
    ['sandbox/main.cpp', 'sandbox/environment.cpp', ...SANDBOX_SOURCES],
    [],
  );
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
