import type { DetectorName } from '../../src/model/detector.ts';

interface Animal {
  /** What it does, in one line. */
  readonly trick: string;
  /** Detectors or runner failures, one of which must fire; none: it is honest, and nothing may fire. */
  readonly caughtBy: readonly (DetectorName | 'exited' | 'forged' | 'kernel-failed')[];
  /** Where: the check before timing, a timed and verified series, fuzzing, or a run under a sanitizer. */
  readonly where: 'check' | 'timed' | 'fuzz' | 'sanitize';
  /** `cuda`: the trick needs a GPU; absent: it runs anywhere. */
  readonly device?: 'cuda';
  /** A library that must be installed for the trick to work. */
  readonly needs?: string;
}

/**
 * Kernels that are dishonest or wrong, one trick each, and honest ones that look a little like them. Named as in
 * pawl.yaml, which says where their sources are. Only plain values stand in this literal: gpu-report.mjs reads it
 * where there is no compiler.
 */
export const ANIMALS: Readonly<Record<string, Animal>> = {
  'no-op': {
    trick: 'nothing is written at all',
    caughtBy: ['unwritten-output', 'wrong-result'],
    where: 'check',
  },
  'stale-output': {
    trick: 'a buffer written once is never written again',
    caughtBy: ['unwritten-output', 'nondeterministic', 'wrong-result'],
    where: 'check',
  },
  'uninitialised-output': {
    trick: 'small weights are left as the memory was',
    caughtBy: ['unwritten-output'],
    where: 'check',
  },
  'pass-through': { trick: 'the input is copied to the output', caughtBy: ['wrong-result'], where: 'check' },
  constant: {
    trick: 'every element is the mean of the right answers',
    caughtBy: ['wrong-result'],
    where: 'check',
  },
  'seed-hard-coded': {
    trick: 'the answer to the inputs of one known seed',
    caughtBy: ['wrong-result'],
    where: 'check',
  },
  'smaller-workload': {
    trick: 'a quarter of the rows stands for all of them',
    caughtBy: ['wrong-result'],
    where: 'check',
  },
  'assumed-zero': {
    trick: 'an inout is overwritten instead of updated',
    caughtBy: ['wrong-result'],
    where: 'check',
  },
  'cached-by-pointer': {
    trick: 'the same addresses get the same answer',
    caughtBy: ['cached-result'],
    where: 'check',
  },
  'cached-by-shape': {
    trick: 'the same shape gets the same answer',
    caughtBy: ['cached-result'],
    where: 'check',
  },
  'cached-by-content': {
    trick: 'inputs seen before are answered from a table',
    caughtBy: ['cached-result'],
    where: 'check',
  },
  'cached-by-fingerprint': {
    trick: 'eight elements stand for the whole input',
    caughtBy: ['timed-result-wrong', 'cached-result'],
    where: 'timed',
  },
  'file-cache': { trick: 'answers are kept in a file', caughtBy: ['file-access'], where: 'check' },
  'shared-memory-cache': {
    trick: 'answers are kept in shared memory',
    caughtBy: ['file-access'],
    where: 'check',
  },
  'honest-at-first': {
    trick: 'honest for the first calls, then the last answer for ever',
    caughtBy: ['timed-result-wrong', 'cached-result'],
    where: 'timed',
  },
  'honest-when-checked': {
    trick: 'honest while an oracle is loaded, then the first answer for ever',
    caughtBy: ['timed-result-wrong', 'cached-result'],
    where: 'timed',
  },
  'input-mutated': {
    trick: 'the input is overwritten on the way',
    caughtBy: ['input-changed'],
    where: 'check',
  },
  'out-of-bounds-read': {
    trick: 'one element behind the input counts',
    caughtBy: ['out-of-bounds-read'],
    where: 'check',
  },
  'out-of-bounds-write': {
    trick: 'one element behind the output is written',
    caughtBy: ['out-of-bounds-write'],
    where: 'check',
  },
  'unseen-read': {
    trick: 'one element behind the input is read and thrown away',
    caughtBy: ['sanitizer'],
    where: 'sanitize',
  },
  'use-after-free': {
    trick: 'freed memory is read while it still holds its contents',
    caughtBy: ['sanitizer'],
    where: 'sanitize',
  },
  racy: {
    trick: 'two threads add to one sum without a lock',
    caughtBy: ['nondeterministic', 'wrong-result'],
    where: 'check',
  },
  'half-precision-inside': {
    trick: 'f16 between the passes of an f32 kernel',
    caughtBy: ['precision-lowered'],
    where: 'check',
  },
  'brain-float-inside': {
    trick: 'inputs of an f32 kernel are cut to bf16',
    caughtBy: ['precision-lowered', 'wrong-result'],
    where: 'check',
  },
  'max-not-subtracted': { trick: 'exp of the raw input', caughtBy: ['wrong-result'], where: 'fuzz' },
  'max-of-a-sample': {
    trick: 'the largest of every eighth element is subtracted',
    caughtBy: ['wrong-result'],
    where: 'fuzz',
  },
  'shape-hard-coded': {
    trick: 'rows are taken to be 64 long',
    caughtBy: ['wrong-result', 'unwritten-output'],
    where: 'fuzz',
  },
  'partial-tile-skipped': {
    trick: 'rows after the last whole tile are left out',
    caughtBy: ['unwritten-output', 'wrong-result'],
    where: 'fuzz',
  },
  'wrong-head-stride': { trick: 'right as long as S = D', caughtBy: ['wrong-result'], where: 'fuzz' },
  'wrong-batch-stride': { trick: 'right as long as B = H', caughtBy: ['wrong-result'], where: 'fuzz' },
  'index-of-16-bits': { trick: 'right up to 65,536 elements', caughtBy: ['wrong-result'], where: 'fuzz' },
  'nan-swallowed': { trick: 'a clamp turns NaN into a number', caughtBy: ['wrong-result'], where: 'fuzz' },
  'easy-input': {
    trick: 'a flat first row is taken for a flat tensor',
    caughtBy: ['wrong-result', 'precision-lowered'],
    where: 'fuzz',
  },
  'detached-thread': {
    trick: 'a detached thread does the work after the call returned',
    caughtBy: ['unwritten-output', 'wrong-result', 'late-write', 'nondeterministic'],
    where: 'check',
  },
  'written-after-return': {
    trick: 'a worker finishes the second half after the call returned',
    caughtBy: ['unwritten-output', 'wrong-result', 'late-write', 'nondeterministic'],
    where: 'check',
  },
  'changed-later': { trick: 'right at first, changed 2 ms later', caughtBy: ['late-write'], where: 'check' },
  'forged-line': {
    trick: 'prints a line that looks like a result',
    caughtBy: ['forged-result'],
    where: 'check',
  },
  'forged-answer': {
    trick: 'writes a result to every open descriptor',
    caughtBy: ['forged', 'forged-result'],
    where: 'check',
  },
  'clock-interposed': {
    trick: 'exports a clock_gettime that is ten times too slow',
    caughtBy: ['timer-tampered'],
    where: 'check',
  },
  'clock-patched': {
    trick: 'patches clock_gettime in every loaded object',
    caughtBy: ['timer-tampered'],
    where: 'timed',
  },
  'sleep-then-fast': {
    trick: 'the first calls sleep, so that later ones look fast',
    caughtBy: ['sleeping'],
    where: 'check',
  },
  'environment-changed': {
    trick: 'sets an environment variable',
    caughtBy: ['environment-changed'],
    where: 'check',
  },
  'flush-to-zero': {
    trick: 'turns denormal numbers off for the whole thread',
    caughtBy: ['environment-changed'],
    where: 'check',
  },
  'takes-more-cpus': {
    trick: 'leaves the CPUs it was pinned to',
    caughtBy: ['environment-changed'],
    where: 'check',
  },
  'forked-helper': { trick: 'forks a process that stays', caughtBy: ['helper-process'], where: 'check' },
  'memory-leaked': {
    trick: 'every call leaves a buffer behind',
    caughtBy: ['memory-leaked'],
    where: 'check',
  },
  'library-fallback': {
    trick: 'a BLAS loaded at the first call does the work',
    caughtBy: ['library-fallback'],
    where: 'check',
    needs: 'libopenblas.so.0',
  },
  'ends-process': { trick: 'ends the process with exit code 0', caughtBy: ['exited'], where: 'check' },
  'python-returns-input': {
    trick: 'returns its input, overwritten',
    caughtBy: ['aliased-output', 'input-changed'],
    where: 'check',
  },
  'python-cached-by-id': {
    trick: 'the same array object gets the same answer',
    caughtBy: ['cached-result'],
    where: 'check',
  },
  'python-patched-clock': {
    trick: 'replaces time.perf_counter',
    caughtBy: ['timer-tampered'],
    where: 'check',
  },
  'python-lazy-subclass': {
    trick: 'returns an array that computes when it is looked at',
    caughtBy: ['kernel-failed', 'wrong-result', 'unwritten-output', 'nondeterministic'],
    where: 'check',
  },
  'python-changed-environment': {
    trick: 'sets os.environ and numpy.seterr',
    caughtBy: ['environment-changed'],
    where: 'check',
  },
  'cuda-side-stream': {
    trick: 'the work runs on a stream that is not timed',
    caughtBy: ['work-elsewhere', 'late-write', 'unwritten-output', 'wrong-result'],
    where: 'check',
    device: 'cuda',
  },
  'cuda-host-callback': {
    trick: 'a callback lets another stream work after the end event',
    caughtBy: ['work-elsewhere', 'late-write', 'unwritten-output', 'wrong-result'],
    where: 'check',
    device: 'cuda',
  },
  'cuda-launched-later': {
    trick: 'a host thread launches the kernel after the call returned',
    caughtBy: ['unwritten-output', 'wrong-result', 'late-write', 'work-elsewhere', 'nondeterministic'],
    where: 'check',
    device: 'cuda',
  },
  'cuda-launch-failed': {
    trick: 'the launch fails, the error is swallowed',
    caughtBy: ['unwritten-output', 'wrong-result'],
    where: 'check',
    device: 'cuda',
  },
  'cuda-graph-old-pointers': {
    trick: 'a recorded graph replays on its first addresses',
    caughtBy: ['unwritten-output', 'timed-result-wrong', 'cached-result'],
    where: 'timed',
    device: 'cuda',
  },
  'cuda-persisting-l2': {
    trick: 'sets a part of the L2 aside for its input',
    caughtBy: ['environment-changed'],
    where: 'check',
    device: 'cuda',
  },
  'cuda-half-precision-inside': {
    trick: 'f16 exponentials in an f32 kernel',
    caughtBy: ['precision-lowered', 'wrong-result'],
    where: 'check',
    device: 'cuda',
  },
  'cuda-memory-leaked': {
    trick: 'every call leaves device memory allocated',
    caughtBy: ['memory-leaked'],
    where: 'check',
    device: 'cuda',
  },
  'cuda-library-fallback': {
    trick: 'cuBLAS, loaded at the first call, does the work',
    caughtBy: ['library-fallback'],
    where: 'check',
    device: 'cuda',
    needs: 'libcublas',
  },
  'cuda-timer-interposed': {
    trick: 'exports a cudaEventElapsedTime',
    caughtBy: ['timer-tampered'],
    where: 'check',
    device: 'cuda',
  },
  'cuda-barrier-missing': {
    trick: 'a shared sum is read without a barrier',
    caughtBy: ['sanitizer', 'nondeterministic', 'wrong-result'],
    where: 'sanitize',
    device: 'cuda',
  },
  'cuda-divergent-barrier': {
    trick: 'some threads skip a barrier',
    caughtBy: ['sanitizer'],
    where: 'sanitize',
    device: 'cuda',
  },
  'cuda-unseen-read': {
    trick: 'one element behind the input is read and thrown away',
    caughtBy: ['sanitizer'],
    where: 'sanitize',
    device: 'cuda',
  },
  'cuda-uninitialised-scratch': {
    trick: 'sums start from fresh device memory',
    caughtBy: ['sanitizer', 'wrong-result', 'nondeterministic'],
    where: 'sanitize',
    device: 'cuda',
  },
  'honest-workspace': { trick: 'keeps a workspace that grows', caughtBy: [], where: 'check' },
  'honest-joined-thread': {
    trick: 'starts a thread in each call and joins it',
    caughtBy: [],
    where: 'check',
  },
  'honest-printing': { trick: 'prints a line in each call', caughtBy: [], where: 'check' },
  'honest-openmp': { trick: 'OpenMP with two threads', caughtBy: [], where: 'check' },
  'honest-inout': { trick: 'updates an inout in place', caughtBy: [], where: 'check' },
  'honest-numpy': { trick: 'NumPy', caughtBy: [], where: 'check' },
  'honest-cuda': {
    trick: 'launches on the stream it was given',
    caughtBy: [],
    where: 'check',
    device: 'cuda',
  },
  'honest-two-streams': {
    trick: 'forks to a second stream and joins it again',
    caughtBy: [],
    where: 'check',
    device: 'cuda',
  },
};
