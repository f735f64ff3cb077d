import { join } from 'node:path';

import type { BuildOptions } from './build-all.ts';
import { buildAll } from './build-all.ts';
import type { BuildJob, BuildOutcome } from './build-job.ts';
import { userCacheDir } from './cache-dirs.ts';
import { packageRoot } from './package-root.ts';

/**
 * What each program is made of, below runner/src (runner/README.md says what each file does). What confines is around
 * candidates, in the judge, and around compilers, in `pawl-sandbox`.
 *
 * Each list is compiled as one file: half of what the compiler did for one file was the same as for the next. More than
 * one list, so that several processors have something to do. Where names of two files clash, they go to two lists.
 */
const SANDBOX_SOURCES = [
  'sandbox/confined_child.cpp',
  'sandbox/descendants.cpp',
  'sandbox/followed.cpp',
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

/** The judge: its requests, its candidate and its oracles. */
const CONVERSATION_SOURCES = [
  'main.cpp',
  'candidate.cpp',
  'candidate_requests.cpp',
  'candidate_round_trips.cpp',
  'candidate/native_kernel.cpp',
  'channel.cpp',
  'kept_objects.cpp',
  'kernel_library.cpp',
  'library_oracle.cpp',
  'named_framework.cpp',
  'output_relay.cpp',
  'problem.cpp',
  'python_function.cpp',
  'python_oracle.cpp',
  'read_view.cpp',
  'run_library_oracle.cpp',
  'scratch_folder.cpp',
  'sealed_file.cpp',
  'session.cpp',
  'session_open.cpp',
  'started_ahead.cpp',
  'sha256.cpp',
  'warm_python.cpp',
] as const;

/** The judge: contents and what is right. */
const CHECK_SOURCES = [
  'blind_answers.cpp',
  'case_contents.cpp',
  'check.cpp',
  'clock_bound.cpp',
  'compare.cpp',
  'device_watch.cpp',
  'guarded_buffer.cpp',
  'input_generator.cpp',
  'prepared_case.cpp',
  'prepared_contents.cpp',
  'prepared_guards.cpp',
  'recordings.cpp',
  'rules.cpp',
  'tamper.cpp',
  'unseen_time.cpp',
  'verifier.cpp',
] as const;

/** The judge: outputs that are right by what they are. */
const PROPERTY_SOURCES = ['blind_checker.cpp', 'checker.cpp', 'draw_test.cpp'] as const;

/** The judge: timing on the CPU. */
const TIMING_SOURCES = [
  'audit.cpp',
  'batch_guard.cpp',
  'sampling.cpp',
  'timed_kernel.cpp',
  'cpu/cache_evictor.cpp',
  'cpu/cpu_device.cpp',
  'cpu/cpu_info.cpp',
  'cpu/shared_memory.cpp',
] as const;

/** The judge: watching the candidate. */
const WATCH_SOURCES = [
  'timed_guard.cpp',
  'watch/candidate_watch.cpp',
  'watch/child_processes.cpp',
  'watch/elf_file.cpp',
  'watch/loaded_libraries.cpp',
  'watch/open_files.cpp',
  'watch/repeated_calls.cpp',
  'watch/sleep_watch.cpp',
] as const;

/** The judge starts itself once more as its candidate: one program has both. */
const JUDGE_SOURCES = [
  SANDBOX_SOURCES,
  CANDIDATE_SOURCES,
  CONVERSATION_SOURCES,
  CHECK_SOURCES,
  PROPERTY_SOURCES,
  TIMING_SOURCES,
  WATCH_SOURCES,
] as const;

/** What both sides of a GPU use, and what is the judge's or the candidate's alone. Each .cu is compiled by itself. */
const CUDA_SOURCES = [['cuda/cuda_error.cpp', 'cuda/shared_memory.cpp']] as const;
const CUDA_JUDGE_SOURCES = [
  [
    'cuda/cuda_device.cpp',
    'cuda/cuda_info.cpp',
    'cuda/nvml.cpp',
    'cuda/process_watch.cpp',
    'cuda/scratch_memory.cpp',
  ],
  'cuda/cuda_comparison.cu',
  'cuda/cuda_memory.cu',
  'cuda/cuda_view.cu',
] as const;
const CUDA_CANDIDATE_SOURCES = [
  ['cuda/cuda_place.cpp', 'cuda/cuda_settings.cpp', 'cuda/graph_replay.cpp', 'cuda/launch_audit.cpp'],
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
  const sources = [
    SANDBOX_SOURCES,
    [...CANDIDATE_SOURCES, 'candidate/hooked_kernel.cpp', 'candidate/warm_copies.cpp'],
  ];
  if (device === 'cpu') return recipe('libpawl-candidate-cpu', 'c++', 'shared', sources, []);
  const all = [...sources, ...CUDA_SOURCES, ...CUDA_CANDIDATE_SOURCES];
  return recipe('libpawl-candidate-cuda', 'cuda', 'shared', all, archs);
}

/** What a process for Python loads before CUDA's runtime. */
export function defaultStreamJob(): BuildJob {
  return recipe('libpawl-default-stream', 'c++', 'shared', [['cuda/default_stream.cpp']], []);
}

/** The program that compilers of foreign sources run in. */
export function sandboxJob(): BuildJob {
  return recipe(
    'pawl-sandbox',
    'c++',
    'executable',
    [['sandbox/main.cpp', 'sandbox/environment.cpp', ...SANDBOX_SOURCES]],
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
  sources: readonly (string | readonly string[])[],
  arch: readonly string[],
): BuildJob {
  const folder = join(packageRoot(), 'runner', 'src');
  const path = (source: string) => join(folder, source);
  return {
    name,
    language,
    output,
    sources: sources.flat().map(path),
    together: sources.filter((source) => typeof source !== 'string').map((group) => group.map(path)),
    includeDirs: [],
    defines: {},
    // Only what surrounds the measurement runs in these programs; a fixed level keeps it the same everywhere.
    flags: ['-O2'],
    links: ['-ldl', '-lpthread'],
    arch,
  };
}
