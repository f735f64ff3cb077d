import { blindTolerance } from '../model/blind-tolerance.ts';
import { faultOf } from '../model/fault.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Samples } from '../model/samples.ts';
import type { Target } from '../runner/target.ts';
import type { SkippedKernel } from './prepare-targets.ts';

/**
 * good: all that was asked for is measured. bad: a kernel is wrong, cheats, does not build, or fails in its check.
 * undecided: something else was lost or skipped, or a tolerance is blind.
 */
export type BenchResult = 'good' | 'bad' | 'undecided';

export function benchResult(
  samples: Samples,
  skipped: readonly SkippedKernel[],
  only: readonly string[] | undefined,
): BenchResult {
  const isBroken = skipped.some(({ reason }) => reason === 'build-failed');
  if (isBroken || samples.measurements.some((one) => faultOf(one) !== undefined)) return 'bad';
  const blind = samples.measurements.some(({ check }) => blindTolerance(check) !== undefined);
  const lost = samples.measurements.some(({ series }) => series.length === 0);
  const askedAndSkipped = skipped.some(
    ({ kernel, reason }) => reason === 'no-compiler' || only?.includes(kernel),
  );
  return blind || lost || askedAndSkipped || samples.incomplete !== undefined ? 'undecided' : 'good';
}

/** Nothing to measure is not a result: it says why, kernel by kernel. */
export function refuseEmptyBench(targets: readonly Target[], skipped: readonly SkippedKernel[]): void {
  if (targets.length > 0) return;
  const [first] = skipped;
  if (first === undefined) {
    throw new PawlError(
      'configuration',
      'pawl.yaml names no kernel to measure.',
      'Add one below `kernels:`.',
    );
  }
  const kind = first.reason === 'build-failed' ? 'does-not-build' : 'unavailable';
  const lines = skipped.map(({ kernel, message }) => `${kernel}: ${message}`);
  throw new PawlError(
    kind,
    `No kernel could be measured.\n${lines.join('\n')}`,
    first.hint ?? 'Run: pawl doctor',
  );
}
