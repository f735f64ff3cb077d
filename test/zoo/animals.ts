import type { DetectorName } from '../../src/model/correctness/detector.ts';

/** How a run can fail other than by a detector, and `defused`: the trick changes nothing that counts, so it may pass. */
type Answer =
  | 'bad-request'
  | 'crashed'
  | 'defused'
  | 'device-error'
  | 'exited'
  | 'forged'
  | 'hung'
  | 'kernel-failed'
  | 'load-failed'
  | 'blind-tolerance';

interface Animal {
  /** What it does, in one line. */
  readonly trick: string;
  /**
   * Detectors or failures, one of which must fire; none: it is honest, and nothing may fire. An attack that cannot
   * reach its judge gives no result or a wrong one, so that being refused shows.
   */
  readonly caughtBy: readonly (DetectorName | Answer)[];
  /** Where: the check before timing, a timed and verified series, fuzzing, or a run under a sanitizer. */
  readonly where: 'check' | 'timed' | 'fuzz' | 'sanitize';
  /** `hot`: the trick needs batches of calls; absent: it runs as pawl.yaml says. */
  readonly mode?: 'hot';
  /** `cuda`: the trick needs a GPU; absent: it runs anywhere. */
  readonly device?: 'cuda';
  /** A library that must be installed for the trick to work. */
  readonly needs?: string;
  /** An honest one that does the same work: `defused` only where this one's time is no less than a tenth below it. */
  readonly like?: string;
}

/**
 * Kernels that are dishonest or wrong, one trick each, and honest ones that look a little like them. Named as in
 * pawl.yaml, which says where their sources are. Only plain values stand in this literal: gpu-report.mjs reads it
 * where there is no compiler.
 */
export const ANIMALS: Readonly<Record<string, Animal>> = {
  'no-op': {
    trick: 'writes nothing',
    caughtBy: ['unwritten-output', 'wrong-result'],
    where: 'check',
  },
  'stale-output': {
    trick: 'writes each buffer only once',
    caughtBy: ['unwritten-output', 'nondeterministic', 'wrong-result'],
    where: 'check',
  },
  'uninitialised-output': {
    trick: 'leaves small weights unwritten',
    caughtBy: ['unwritten-output'],
    where: 'check',
  },
  'pass-through': { trick: 'copies the input to the output', caughtBy: ['wrong-result'], where: 'check' },
  constant: {
    trick: 'fills the output with the mean of the right answers',
    caughtBy: ['wrong-result'],
    where: 'check',
  },
  'seed-hard-coded': {
    trick: 'returns the answer for one known seed',
    caughtBy: ['wrong-result'],
    where: 'check',
  },
  'smaller-workload': {
    trick: 'computes a quarter of the rows and uses them for all',
    caughtBy: ['wrong-result'],
    where: 'check',
  },
  'assumed-zero': {
    trick: 'overwrites an inout instead of updating it',
    caughtBy: ['wrong-result'],
    where: 'check',
  },
  'cached-by-pointer': {
    trick: 'caches results by address',
    caughtBy: ['cached-result'],
    where: 'check',
  },
  'cached-by-shape': {
    trick: 'caches results by shape',
    caughtBy: ['cached-result'],
    where: 'check',
  },
  'cached-by-content': {
    trick: 'caches results by content',
    caughtBy: ['cached-result'],
    where: 'check',
  },
  'cached-by-fingerprint': {
    trick: 'caches results by eight elements of the input',
    caughtBy: ['remembers', 'timed-result-wrong', 'cached-result'],
    where: 'timed',
  },
  'file-cache': {
    trick: 'caches results in a file',
    caughtBy: ['file-access', 'kernel-failed'],
    where: 'check',
  },
  'shared-memory-cache': {
    trick: 'caches results in shared memory',
    caughtBy: ['file-access'],
    where: 'check',
  },
  'honest-at-first': {
    trick: 'is honest at first, then repeats the last answer',
    caughtBy: ['timed-result-wrong', 'cached-result'],
    where: 'timed',
  },
  'honest-when-checked': {
    trick: 'is honest while an oracle is loaded, then repeats the first answer',
    caughtBy: ['timed-result-wrong', 'cached-result'],
    where: 'timed',
  },
  'input-mutated': {
    trick: 'overwrites its input',
    caughtBy: ['input-changed'],
    where: 'check',
  },
  'out-of-bounds-read': {
    trick: 'uses one element past the end of the input',
    caughtBy: ['out-of-bounds-read'],
    where: 'check',
  },
  'out-of-bounds-write': {
    trick: 'writes one element past the end of the output',
    caughtBy: ['out-of-bounds-write'],
    where: 'check',
  },
  'unseen-read': {
    trick: 'reads one element past the end of the input and discards it',
    caughtBy: ['sanitizer'],
    where: 'sanitize',
  },
  'use-after-free': {
    trick: 'reads freed memory that still holds its contents',
    caughtBy: ['sanitizer'],
    where: 'sanitize',
  },
  racy: {
    trick: 'adds to one sum from two threads without a lock',
    caughtBy: ['nondeterministic', 'wrong-result'],
    where: 'check',
  },
  'half-precision-inside': {
    trick: 'uses f16 between the passes of an f32 kernel',
    caughtBy: ['precision-lowered'],
    where: 'check',
  },
  'brain-float-inside': {
    trick: 'cuts the inputs of an f32 kernel to bf16',
    caughtBy: ['precision-lowered', 'wrong-result'],
    where: 'check',
  },
  'max-not-subtracted': { trick: 'applies exp to the raw input', caughtBy: ['wrong-result'], where: 'fuzz' },
  'max-of-a-sample': {
    trick: 'subtracts the maximum of every eighth element',
    caughtBy: ['wrong-result'],
    where: 'fuzz',
  },
  'shape-hard-coded': {
    trick: 'assumes rows of 64 elements',
    caughtBy: ['wrong-result', 'unwritten-output'],
    where: 'fuzz',
  },
  'partial-tile-skipped': {
    trick: 'skips the rows after the last whole tile',
    caughtBy: ['unwritten-output', 'wrong-result'],
    where: 'fuzz',
  },
  'wrong-head-stride': { trick: 'is right only where S = D', caughtBy: ['wrong-result'], where: 'fuzz' },
  'wrong-batch-stride': { trick: 'is right only where B = H', caughtBy: ['wrong-result'], where: 'fuzz' },
  'index-of-16-bits': {
    trick: 'is right only up to 65,536 elements',
    caughtBy: ['wrong-result'],
    where: 'fuzz',
  },
  'nan-swallowed': { trick: 'clamps NaN to a number', caughtBy: ['wrong-result'], where: 'fuzz' },
  'easy-input': {
    trick: 'takes a flat first row for a flat tensor',
    caughtBy: ['wrong-result', 'precision-lowered'],
    where: 'fuzz',
  },
  'detached-thread': {
    trick: 'leaves the work to a detached thread',
    caughtBy: ['unwritten-output', 'wrong-result', 'late-write', 'nondeterministic'],
    where: 'check',
  },
  'written-after-return': {
    trick: 'finishes the second half after the call returned',
    caughtBy: ['unwritten-output', 'wrong-result', 'late-write', 'nondeterministic'],
    where: 'check',
  },
  'changed-later': { trick: 'changes a right output 2 ms later', caughtBy: ['late-write'], where: 'check' },
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
    caughtBy: ['clock-mismatch', 'defused'],
    where: 'timed',
  },
  'sleep-then-fast': {
    trick: 'sleeps in the first calls, so that later ones look fast',
    caughtBy: ['sleeping'],
    where: 'check',
  },
  'environment-changed': {
    trick: 'sets an environment variable',
    caughtBy: ['environment-changed'],
    where: 'check',
  },
  'flush-to-zero': {
    trick: 'turns off denormal numbers for the whole thread',
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
    trick: 'leaks a buffer in every call',
    caughtBy: ['memory-leaked'],
    where: 'check',
  },
  'library-fallback': {
    trick: 'lets a BLAS that it loads at the first call do the work',
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
    trick: 'caches results by array object',
    caughtBy: ['cached-result'],
    where: 'check',
  },
  'python-patched-clock': {
    trick: 'replaces time.perf_counter',
    caughtBy: ['environment-changed'],
    where: 'check',
  },
  'python-lazy-subclass': {
    trick: 'returns an array that computes when it is read',
    caughtBy: ['kernel-failed', 'wrong-result', 'unwritten-output', 'nondeterministic'],
    where: 'check',
  },
  'python-changed-environment': {
    trick: 'sets os.environ and numpy.seterr',
    caughtBy: ['environment-changed'],
    where: 'check',
  },
  'cuda-side-stream': {
    trick: 'works on a stream that is not timed',
    caughtBy: ['work-elsewhere', 'late-write', 'unwritten-output', 'wrong-result', 'clock-mismatch'],
    where: 'check',
    device: 'cuda',
  },
  'cuda-host-callback': {
    trick: 'releases work on another stream after the end event, in a callback',
    caughtBy: ['work-elsewhere', 'late-write', 'unwritten-output', 'wrong-result', 'clock-mismatch', 'hung'],
    where: 'check',
    device: 'cuda',
  },
  'cuda-launched-later': {
    trick: 'launches the kernel from a host thread after the call returned',
    caughtBy: ['unwritten-output', 'wrong-result', 'late-write', 'work-elsewhere', 'nondeterministic'],
    where: 'check',
    device: 'cuda',
  },
  'cuda-launch-failed': {
    trick: 'ignores the error of a failed launch',
    caughtBy: ['unwritten-output', 'wrong-result'],
    where: 'check',
    device: 'cuda',
  },
  'cuda-graph-old-pointers': {
    trick: 'replays a recorded graph on its first addresses',
    caughtBy: ['unwritten-output', 'timed-result-wrong', 'cached-result'],
    where: 'timed',
    device: 'cuda',
  },
  'cuda-persisting-l2': {
    trick: 'sets part of the L2 aside for its input',
    caughtBy: ['environment-changed'],
    where: 'check',
    device: 'cuda',
  },
  'cuda-half-precision-inside': {
    trick: 'computes f16 exponentials in an f32 kernel',
    caughtBy: ['precision-lowered', 'wrong-result'],
    where: 'check',
    device: 'cuda',
  },
  'cuda-memory-leaked': {
    trick: 'leaks device memory in every call',
    caughtBy: ['memory-leaked'],
    where: 'check',
    device: 'cuda',
  },
  'cuda-library-fallback': {
    trick: 'lets cuBLAS, loaded at the first call, do the work',
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
    trick: 'reads a shared sum without a barrier',
    caughtBy: ['sanitizer', 'nondeterministic', 'wrong-result'],
    where: 'sanitize',
    device: 'cuda',
  },
  'cuda-divergent-barrier': {
    trick: 'lets some threads skip a barrier',
    caughtBy: ['sanitizer'],
    where: 'sanitize',
    device: 'cuda',
  },
  'cuda-unseen-read': {
    trick: 'reads one element past the end of the input and discards it',
    caughtBy: ['sanitizer'],
    where: 'sanitize',
    device: 'cuda',
  },
  'cuda-uninitialised-scratch': {
    trick: 'starts sums from uninitialised device memory',
    caughtBy: ['sanitizer', 'wrong-result', 'nondeterministic'],
    where: 'sanitize',
    device: 'cuda',
  },
  'rank-one-updates': {
    trick: 'adds what changed since the last call to the last result',
    caughtBy: ['remembers', 'cached-result', 'faster-than-floor'],
    where: 'timed',
  },
  'remembers-and-lies': {
    trick: 'adds what changed to the last result, and hides the cost of new contents from the clock',
    caughtBy: ['remembers', 'cached-result', 'clock-mismatch', 'faster-than-floor'],
    where: 'timed',
  },
  'changed-rows-only': {
    trick: 'computes only the rows that changed since the last call',
    caughtBy: ['remembers', 'cached-result'],
    where: 'timed',
  },
  'remembers-less-than-half': {
    trick: 'takes 45 % of the rows from the last call',
    caughtBy: ['remembers', 'cached-result'],
    where: 'timed',
  },
  'workspace-remembers': {
    trick: 'keeps the last inputs and their result in the workspace',
    caughtBy: ['remembers', 'cached-result', 'nondeterministic', 'wrong-result'],
    where: 'timed',
  },
  'remembers-in-batches': {
    trick: 'does nothing in a call that follows at once on the same contents',
    caughtBy: ['remembers', 'cached-result'],
    where: 'timed',
    mode: 'hot',
  },
  'skips-what-is-written': {
    trick: 'does all of its work only where the output holds poison',
    caughtBy: ['remembers'],
    where: 'timed',
    mode: 'hot',
  },
  'skips-after-forty': {
    trick: 'works only in the first forty calls after it found poison in its output',
    caughtBy: ['remembers'],
    where: 'timed',
    mode: 'hot',
  },
  'skips-late-in-a-batch': {
    trick: 'stops working after a run of calls on the same buffers',
    caughtBy: ['remembers'],
    where: 'timed',
    mode: 'hot',
  },
  'kept-in-a-batch': {
    trick: 'answers known contents from memory in calls that follow each other at once',
    caughtBy: ['remembers'],
    where: 'timed',
    mode: 'hot',
  },
  'other-sets-output': {
    trick: 'copies the output of the previous buffer set',
    caughtBy: ['unwritten-output', 'timed-result-wrong', 'wrong-result', 'cached-result', 'nondeterministic'],
    where: 'timed',
  },
  'nan-everywhere': {
    trick: 'writes NaN, which passes a careless comparison',
    caughtBy: ['wrong-result'],
    where: 'check',
  },
  'zeros-under-tolerance': {
    trick: 'writes zeros where every right value is below the tolerance',
    caughtBy: ['blind-tolerance', 'wrong-result'],
    where: 'check',
  },
  'half-of-the-sum': {
    trick: 'adds every second element of a long sum',
    caughtBy: ['blind-tolerance', 'wrong-result', 'precision-lowered'],
    where: 'check',
  },
  'lazy-pages-userfaultfd': {
    trick: 'drops the output and computes each page when it is read',
    caughtBy: [
      'kernel-failed',
      'crashed',
      'unwritten-output',
      'wrong-result',
      'late-write',
      'nondeterministic',
      'timed-result-wrong',
      'clock-mismatch',
    ],
    where: 'check',
  },
  'lazy-pages-protected': {
    trick: 'makes the output unreadable and computes each page in a signal handler',
    caughtBy: [
      'kernel-failed',
      'crashed',
      'unwritten-output',
      'wrong-result',
      'late-write',
      'nondeterministic',
      'timed-result-wrong',
      'clock-mismatch',
      'environment-changed',
    ],
    where: 'check',
  },
  'polls-its-inputs': {
    trick: 'computes in a thread as soon as an input changes, before the call',
    caughtBy: [
      'nondeterministic',
      'wrong-result',
      'timed-result-wrong',
      'helper-process',
      'work-elsewhere',
      'remembers',
      'cached-result',
      'crashed',
      'clock-mismatch',
    ],
    where: 'timed',
  },
  'left-to-a-spinning-worker': {
    trick: 'leaves most rows to a spinning thread and does not wait for it',
    caughtBy: [
      'unwritten-output',
      'wrong-result',
      'late-write',
      'nondeterministic',
      'timed-result-wrong',
      'clock-mismatch',
    ],
    where: 'check',
  },
  'oracle-overwritten': {
    trick: "overwrites the oracle's machine code in memory; writes zeros",
    caughtBy: ['wrong-result', 'kernel-failed', 'crashed'],
    where: 'check',
  },
  'oracle-replaced-on-disk': {
    trick: 'replaces the oracle in the build cache while it is loaded; writes zeros',
    caughtBy: ['wrong-result'],
    where: 'check',
  },
  'writes-cache': {
    trick: "leaves a file in the project's .pawl folder",
    caughtBy: ['kernel-failed', 'crashed', 'file-access'],
    where: 'check',
  },
  'writes-git-config': {
    trick: "adds a line to the checkout's .git/config",
    caughtBy: ['kernel-failed', 'crashed', 'file-access'],
    where: 'check',
  },
  'writes-own-library': {
    trick: 'changes the file of its own library',
    caughtBy: ['kernel-failed', 'crashed', 'file-access'],
    where: 'check',
  },
  'reads-judge-memory': {
    trick: 'reads the memory of its parent process',
    caughtBy: ['kernel-failed', 'crashed'],
    where: 'check',
  },
  'writes-judge-memory': {
    trick: 'writes the memory of its parent process',
    caughtBy: ['kernel-failed', 'crashed'],
    where: 'check',
  },
  'traces-judge': {
    trick: 'attaches to its parent process as a debugger',
    caughtBy: ['kernel-failed', 'crashed'],
    where: 'check',
  },
  'stops-judge': {
    trick: 'stops its parent process by a signal',
    caughtBy: ['kernel-failed', 'crashed'],
    where: 'check',
  },
  'moves-judge': {
    trick: 'sets the CPUs and priority of its parent process',
    caughtBy: ['kernel-failed', 'crashed', 'defused'],
    where: 'check',
  },
  'reads-secrets': {
    trick: 'finds a token in the environment',
    caughtBy: ['kernel-failed', 'crashed'],
    where: 'check',
  },
  'seed-in-memory': {
    trick: 'finds the seed of the inputs in its own memory',
    caughtBy: ['kernel-failed', 'crashed'],
    where: 'check',
  },
  'key-in-memory': {
    trick: 'finds the key of the result channel in its own memory',
    caughtBy: ['kernel-failed', 'crashed'],
    where: 'check',
  },
  'clock-detoured': {
    trick: 'overwrites the machine code of clock_gettime',
    caughtBy: ['clock-mismatch', 'timer-tampered', 'kernel-failed', 'crashed'],
    where: 'timed',
  },
  'vdso-patched': {
    trick: 'overwrites the vDSO, which reads clocks',
    caughtBy: ['clock-mismatch', 'timer-tampered', 'kernel-failed', 'crashed'],
    where: 'timed',
  },
  'clock-and-counter': {
    trick: "slows clock_gettime and the CPU's counter alike",
    caughtBy: ['clock-mismatch', 'timer-tampered', 'environment-changed', 'kernel-failed', 'crashed'],
    where: 'timed',
  },
  'channel-interposed': {
    trick: 'routes every pipe and socket through a thread that divides times',
    caughtBy: [
      'bad-request',
      'file-access',
      'forged',
      'forged-result',
      'clock-mismatch',
      'hung',
      'exited',
      'kernel-failed',
      'crashed',
    ],
    where: 'check',
  },
  'writes-trapped': {
    trick: 'turns writes into signals and divides the times in them',
    caughtBy: [
      'forged',
      'forged-result',
      'clock-mismatch',
      'environment-changed',
      'exited',
      'kernel-failed',
      'crashed',
    ],
    where: 'check',
  },
  'exits-while-loading': {
    trick: 'writes a forged run and ends the process while it is loaded',
    caughtBy: ['exited', 'forged', 'forged-result', 'load-failed'],
    where: 'check',
  },
  'daemon-keeps-pipes': {
    trick: 'leaves a process behind that holds every descriptor open',
    caughtBy: ['helper-process', 'kernel-failed', 'crashed'],
    where: 'check',
  },
  'daemon-serves-results': {
    trick: 'leaves a process behind that keeps results behind a socket',
    caughtBy: ['helper-process', 'file-access', 'remembers', 'cached-result', 'kernel-failed', 'crashed'],
    where: 'check',
  },
  'connects-to-loopback': {
    trick: 'connects to the machine by TCP',
    caughtBy: ['kernel-failed', 'crashed', 'file-access'],
    where: 'check',
  },
  'python-rank-one-updates': {
    trick: 'adds what changed since the last call to the last result',
    caughtBy: ['remembers', 'cached-result', 'faster-than-floor'],
    where: 'timed',
  },
  'prepared-all': {
    trick: 'does the whole work in `prepare`, on an input kept from an earlier call',
    caughtBy: ['wrong-result', 'unwritten-output', 'timed-result-wrong', 'nondeterministic'],
    where: 'check',
  },
  'prepared-all-if-equal': {
    trick: 'the same, but compares its input with the kept one first',
    caughtBy: ['remembers', 'cached-result', 'defused'],
    where: 'timed',
    like: 'honest-prepared',
  },
  'python-kept-by-content': {
    trick: 'caches results by a hash of the input',
    caughtBy: ['remembers', 'cached-result'],
    where: 'timed',
  },
  'python-kept-in-a-generator': {
    trick: 'caches results by address in a coroutine',
    caughtBy: ['cached-result', 'wrong-result', 'timed-result-wrong'],
    where: 'check',
  },
  'python-oracle-recompiled': {
    trick: "writes compiled code for the oracle's module where Python looks for it; writes zeros",
    caughtBy: ['wrong-result'],
    where: 'check',
  },
  'python-judge-replaced': {
    trick: 'replaces the method that judges; writes zeros',
    caughtBy: ['wrong-result'],
    where: 'check',
  },
  'python-comparison-recoded': {
    trick: 'replaces the code of the comparison function; writes zeros',
    caughtBy: ['wrong-result'],
    where: 'check',
  },
  'python-device-found': {
    trick: 'finds the object that takes samples through gc and divides them',
    caughtBy: ['clock-mismatch', 'timer-tampered', 'kernel-failed', 'load-failed', 'crashed'],
    where: 'timed',
  },
  'python-clock-in-frames': {
    trick: 'puts a slow clock into the globals of its callers',
    caughtBy: ['clock-mismatch', 'timer-tampered', 'kernel-failed', 'load-failed', 'crashed'],
    where: 'timed',
  },
  'python-clock-function-rewritten': {
    trick: 'replaces the C function behind time.perf_counter_ns',
    caughtBy: ['clock-mismatch', 'timer-tampered', 'kernel-failed', 'load-failed', 'crashed'],
    where: 'timed',
  },
  'python-lazy-interface': {
    trick: 'returns an object that computes when its memory is requested',
    caughtBy: ['kernel-failed', 'wrong-result', 'unwritten-output', 'clock-mismatch'],
    where: 'check',
  },
  'python-filled-later': {
    trick: 'fills the returned array later, in a thread',
    caughtBy: [
      'unwritten-output',
      'wrong-result',
      'late-write',
      'nondeterministic',
      'timed-result-wrong',
      'clock-mismatch',
      'kernel-failed',
    ],
    where: 'check',
  },
  'python-honest-below-check': {
    trick: 'is honest where a function called check is on the stack',
    caughtBy: ['timed-result-wrong', 'wrong-result', 'cached-result'],
    where: 'timed',
  },
  'python-known-inputs': {
    trick: 'returns answers for the usual seeds, computed at import',
    caughtBy: ['wrong-result'],
    where: 'check',
  },
  'python-exits-while-importing': {
    trick: 'writes a forged run and ends the process at import',
    caughtBy: ['exited', 'forged', 'forged-result', 'load-failed'],
    where: 'check',
  },
  'python-ends-in-finalizer': {
    trick: 'ends the process when its result is freed',
    caughtBy: ['exited', 'kernel-failed'],
    where: 'check',
  },
  'python-shadows-a-module': {
    trick: 'leaves a Python file for later imports',
    caughtBy: ['kernel-failed', 'load-failed', 'crashed', 'file-access'],
    where: 'check',
  },
  'python-seed-found': {
    trick: 'finds the object that holds the seed of the inputs',
    caughtBy: ['kernel-failed', 'load-failed', 'crashed'],
    where: 'check',
  },
  'python-broadcast-view': {
    trick: 'returns one row with a stride of zero',
    caughtBy: ['wrong-result', 'kernel-failed'],
    where: 'check',
  },
  'python-reduced-in-half': {
    trick: 'multiplies f16 copies of f32 inputs',
    caughtBy: ['precision-lowered', 'wrong-result'],
    where: 'check',
  },
  'python-server-process': {
    trick: 'lets another process compute and keep the answers',
    caughtBy: [
      'helper-process',
      'file-access',
      'remembers',
      'cached-result',
      'sleeping',
      'kernel-failed',
      'load-failed',
      'crashed',
    ],
    where: 'check',
  },
  'cuda-rank-one-updates': {
    trick: 'keeps inputs and result on the device and adds what changed',
    caughtBy: ['remembers', 'cached-result', 'faster-than-floor', 'clock-mismatch', 'defused'],
    where: 'timed',
    device: 'cuda',
    like: 'honest-product',
  },
  'cuda-remembers-on-device': {
    trick: 'keeps the last contents and their result in module variables',
    caughtBy: ['remembers', 'cached-result'],
    where: 'timed',
    device: 'cuda',
  },
  'cuda-managed-answers': {
    trick: 'caches results in managed memory by a hash of the inputs',
    caughtBy: ['remembers', 'cached-result', 'memory-leaked', 'kernel-failed', 'clock-mismatch'],
    where: 'timed',
    device: 'cuda',
  },
  'cuda-skips-what-is-written': {
    trick: 'works only where the output holds poison',
    caughtBy: ['remembers'],
    where: 'timed',
    mode: 'hot',
    device: 'cuda',
  },
  'cuda-streams-not-joined': {
    trick: 'spreads the rows over eight streams that are never joined',
    caughtBy: [
      'work-elsewhere',
      'late-write',
      'unwritten-output',
      'wrong-result',
      'nondeterministic',
      'timed-result-wrong',
      'clock-mismatch',
      'defused',
    ],
    where: 'check',
    device: 'cuda',
    like: 'honest-eight-streams',
  },
  'cuda-persistent-worker': {
    trick: 'leaves the work to a kernel that lives between calls',
    caughtBy: [
      'work-elsewhere',
      'late-write',
      'unwritten-output',
      'wrong-result',
      'nondeterministic',
      'timed-result-wrong',
      'clock-mismatch',
      'hung',
    ],
    where: 'check',
    device: 'cuda',
  },
  'cuda-polls-its-inputs': {
    trick: 'a kernel that lives between calls computes as soon as an input changes',
    caughtBy: [
      'work-elsewhere',
      'late-write',
      'unwritten-output',
      'wrong-result',
      'nondeterministic',
      'timed-result-wrong',
      'clock-mismatch',
      'remembers',
      'cached-result',
      'hung',
    ],
    where: 'check',
    device: 'cuda',
  },
  'cuda-all-sets-at-once': {
    trick: 'computes the outputs of all buffer sets in one call of eight',
    caughtBy: ['unwritten-output', 'wrong-result', 'timed-result-wrong', 'cached-result', 'nondeterministic'],
    where: 'timed',
    device: 'cuda',
  },
  'cuda-pool-reuse': {
    trick: 'uses pool memory that still holds the last result',
    caughtBy: [
      'wrong-result',
      'timed-result-wrong',
      'cached-result',
      'nondeterministic',
      'out-of-bounds-read',
    ],
    where: 'check',
    device: 'cuda',
  },
  'cuda-zeroes-what-it-finds': {
    trick: 'fills device memory around its own with zeros; writes zeros',
    caughtBy: [
      'wrong-result',
      'input-changed',
      'out-of-bounds-write',
      'device-error',
      'kernel-failed',
      'crashed',
    ],
    where: 'check',
    device: 'cuda',
  },
  'cuda-event-detoured': {
    trick: 'overwrites the function that reads the time between events',
    caughtBy: ['clock-mismatch', 'timer-tampered', 'kernel-failed', 'crashed'],
    where: 'timed',
    device: 'cuda',
  },
  'cuda-power-limit': {
    trick: 'sets the power limit of the device',
    caughtBy: ['kernel-failed', 'crashed', 'environment-changed'],
    where: 'check',
    device: 'cuda',
  },
  'cuda-tf32-inside': {
    trick: 'uses tensor cores that read ten bits of an f32',
    caughtBy: ['precision-lowered', 'wrong-result'],
    where: 'check',
    device: 'cuda',
  },
  'cuda-zeros-under-tolerance': {
    trick: 'writes zeros where every right value is below the tolerance',
    caughtBy: ['blind-tolerance', 'wrong-result'],
    where: 'check',
    device: 'cuda',
  },
  'torch-event-patched': {
    trick: 'divides what elapsed_time of an event returns',
    caughtBy: [
      'environment-changed',
      'clock-mismatch',
      'timer-tampered',
      'kernel-failed',
      'load-failed',
      'crashed',
      'defused',
    ],
    where: 'check',
    device: 'cuda',
    like: 'honest-torch',
  },
  'torch-synchronize-patched': {
    trick: 'makes waiting for the device do nothing',
    caughtBy: [
      'timer-tampered',
      'work-elsewhere',
      'late-write',
      'unwritten-output',
      'wrong-result',
      'nondeterministic',
      'timed-result-wrong',
      'clock-mismatch',
      'kernel-failed',
      'load-failed',
      'crashed',
    ],
    where: 'check',
    device: 'cuda',
  },
  'torch-side-stream': {
    trick: 'works on a stream that the current one does not wait for',
    caughtBy: [
      'work-elsewhere',
      'late-write',
      'unwritten-output',
      'wrong-result',
      'nondeterministic',
      'timed-result-wrong',
      'clock-mismatch',
    ],
    where: 'check',
    device: 'cuda',
  },
  'torch-lazy-tensor': {
    trick: 'returns a tensor subclass that computes when it is read',
    caughtBy: ['kernel-failed', 'wrong-result', 'unwritten-output', 'nondeterministic'],
    where: 'check',
    device: 'cuda',
  },
  'torch-methods-overridden': {
    trick: 'returns an empty tensor whose clone is the honest result',
    caughtBy: ['kernel-failed', 'wrong-result', 'unwritten-output', 'nondeterministic'],
    where: 'check',
    device: 'cuda',
  },
  'torch-graph-replay': {
    trick: 'replays a graph on its first tensors',
    caughtBy: ['cached-result', 'wrong-result', 'timed-result-wrong'],
    where: 'timed',
    device: 'cuda',
  },
  'torch-empty': {
    trick: 'returns memory as the allocator gives it',
    caughtBy: ['unwritten-output', 'wrong-result', 'cached-result'],
    where: 'check',
    device: 'cuda',
  },
  'torch-kept-by-version': {
    trick: 'caches results by address and version',
    caughtBy: ['cached-result', 'wrong-result', 'timed-result-wrong'],
    where: 'check',
    device: 'cuda',
  },
  'torch-kept-if-equal': {
    trick: 'returns the kept result for equal inputs',
    caughtBy: ['remembers', 'cached-result'],
    where: 'timed',
    device: 'cuda',
  },
  'torch-inputs-zeroed': {
    trick: 'zeroes its inputs and writes zeros',
    caughtBy: ['input-changed', 'wrong-result'],
    where: 'check',
    device: 'cuda',
  },
  'torch-comparison-patched': {
    trick: 'makes torch.allclose and the like always true; writes zeros',
    caughtBy: ['wrong-result'],
    where: 'check',
    device: 'cuda',
  },
  'torch-launched-later': {
    trick: 'launches the work from a thread after the return',
    caughtBy: [
      'work-elsewhere',
      'late-write',
      'unwritten-output',
      'wrong-result',
      'nondeterministic',
      'timed-result-wrong',
      'clock-mismatch',
      'kernel-failed',
    ],
    where: 'check',
    device: 'cuda',
  },
  'torch-half-inside': {
    trick: 'computes in f16',
    caughtBy: ['precision-lowered', 'wrong-result'],
    where: 'check',
    device: 'cuda',
  },
  'torch-known-seed': {
    trick: 'returns the answer for a known seed',
    caughtBy: ['wrong-result'],
    where: 'check',
    device: 'cuda',
  },
  'torch-extra-stream-work': {
    trick: 'leaves the device busy on a side stream',
    caughtBy: ['work-elsewhere', 'clock-mismatch'],
    where: 'check',
    device: 'cuda',
  },
  'honest-workspace': { trick: 'keeps a workspace that grows', caughtBy: [], where: 'check' },
  'honest-joined-thread': {
    trick: 'starts a thread in each call and joins it',
    caughtBy: [],
    where: 'check',
  },
  'honest-printing': { trick: 'prints a line in each call', caughtBy: [], where: 'check' },
  'honest-openmp': { trick: 'uses OpenMP with two threads', caughtBy: [], where: 'check' },
  'honest-inout': { trick: 'updates an inout in place', caughtBy: [], where: 'check' },
  'honest-prepared': { trick: 'transposes weights in `prepare`', caughtBy: [], where: 'check' },
  'honest-numpy': { trick: 'uses NumPy', caughtBy: [], where: 'check' },
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
  'honest-eight-streams': {
    trick: 'forks to eight streams and joins them again',
    caughtBy: [],
    where: 'check',
    device: 'cuda',
  },
  'honest-product': { trick: 'multiplies matrices in tiles', caughtBy: [], where: 'check', device: 'cuda' },
  'honest-torch': { trick: "uses PyTorch's softmax", caughtBy: [], where: 'check', device: 'cuda' },
};
