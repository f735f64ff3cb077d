import type { RunnerFailure } from '../../runner/runner-failure.ts';
import { counterPermissionError } from '../ncu/ncu-failure.ts';
import { skipped, type Skipped } from './profiler.ts';

/** What ncu says when it cannot, and what helps (Nsight Compute, "Common issues"). */
const SAYINGS: readonly (readonly [saying: RegExp, skip: () => Skipped])[] = [
  [/ERR_NVGPUCTRPERM/, noPermission],
  [
    /not supported on (?:this )?(?:device|GPU)|No (?:supported|compatible) GPU|unsupported GPU|--list-chips|virtualized? GPU/i,
    () =>
      skipped(
        'unsupported-device',
        'this ncu cannot profile this GPU',
        'Use an Nsight Compute that knows it (`ncu --list-chips`): Volta needs one before 2025, a new GPU the newest. ' +
          'A virtual GPU needs profiling switched on by its host.',
      ),
  ],
  [
    /driver resource was unavailable|concurrently collecting profiling data|ERR_NVGPUCTR(?:BUSY|RESERVED)/i,
    () =>
      skipped(
        'busy',
        'another tool is reading the GPU performance counters',
        'Stop it for the time of a profile: `dcgmi profiling --pause`, and `--resume` afterwards.',
      ),
  ],
  [
    /lock file|InterprocessLock/i,
    () =>
      skipped(
        'busy',
        "ncu cannot take its lock: another user's ncu holds it or left its file behind",
        'Set TMPDIR to a folder of your own, or remove nsight-compute-lock from the temporary folder.',
      ),
  ],
];

export function noPermission(): Skipped {
  const { hint = '' } = counterPermissionError();
  return skipped('no-permission', 'ncu may not read the GPU performance counters (ERR_NVGPUCTRPERM)', hint);
}

/** Why ncu left no report, as well as what it printed and what became of the runner tell. */
export function ncuSkip(
  output: string,
  failure: RunnerFailure | undefined,
  context: { readonly interrupted: boolean; readonly timeout_ms: number },
): Skipped {
  if (context.interrupted) {
    return skipped('interrupted', 'interrupted before the profile was done', 'Profile again.');
  }
  for (const [saying, skip] of SAYINGS) if (saying.test(output)) return skip();
  if (failure?.reason === 'hung') {
    return skipped(
      'timed-out',
      `the profile was not done within ${Math.round(context.timeout_ms / 1000)} s`,
      'Give it longer (--timeout), take a smaller case, or collect less (--set fast).',
    );
  }
  const error = /^==ERROR==\s*(.+)$/m.exec(output)?.[1]?.trim();
  if (error !== undefined) {
    return skipped('profiler-failed', `ncu failed: ${error.slice(0, 300)}`, DOCTOR);
  }
  if (failure !== undefined && ENDED.has(failure.reason)) {
    return skipped('profiler-failed', `ncu ended early: ${failure.message}${lastWords(output)}`, DOCTOR);
  }
  if (failure !== undefined) {
    return skipped(
      'kernel-failed',
      `the kernel failed under ncu: ${failure.message}`,
      'Run it without a profiler first: pawl bench.',
    );
  }
  return skipped(
    'nothing-profiled',
    'ncu saw no launch of the kernel',
    'Does the kernel launch work on the device it is given? `pawl check` says so (work-elsewhere).',
  );
}

const DOCTOR =
  'See what is wrong with `pawl doctor --require profiler`; what ncu printed is in its log file.';

const ENDED = new Set<RunnerFailure['reason']>(['crashed', 'exited', 'not-started']);

function lastWords(output: string): string {
  const last = output.trimEnd().split('\n').at(-1)?.trim() ?? '';
  return last === '' ? '' : ` (${last.slice(0, 200)})`;
}
