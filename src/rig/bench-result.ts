import { blindTolerance } from '../model/blind-tolerance.ts';
import { detectorOf, faultOf } from '../model/fault.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Measurement, Samples } from '../model/samples.ts';
import type { Target } from '../runner/target.ts';
import type { SkippedKernel } from './prepare-targets.ts';

/** good: all that was asked for is measured. bad: a result was wrong, or a kernel cheated. undecided: something was lost or skipped, or a tolerance is blind. */
export type BenchResult = 'good' | 'bad' | 'undecided';

export function benchResult(
  samples: Samples,
  skipped: readonly SkippedKernel[],
  only: readonly string[] | undefined,
): BenchResult {
  const wrong = samples.measurements.some((one) => isWrong(one));
  if (wrong) return 'bad';
  const blind = samples.measurements.some(({ check }) => blindTolerance(check) !== undefined);
  const lost = samples.measurements.some(({ series }) => series.length === 0);
  const askedAndSkipped = skipped.some(
    ({ kernel, reason }) => reason === 'build-failed' || reason === 'no-compiler' || only?.includes(kernel),
  );
  return blind || lost || askedAndSkipped || samples.incomplete !== undefined ? 'undecided' : 'good';
}

/** A detector spoke against it. A kernel that crashed has no result: that is undecided, not wrong. */
function isWrong(measurement: Measurement): boolean {
  const fault = faultOf(measurement);
  return fault !== undefined && detectorOf(fault.detector) !== undefined;
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
  const kind = first.reason === 'build-failed' ? 'bad-data' : 'unavailable';
  const lines = skipped.map(({ kernel, message }) => `${kernel}: ${message}`);
  throw new PawlError(
    kind,
    `No kernel could be measured.\n${lines.join('\n')}`,
    first.hint ?? 'Run: pawl doctor',
  );
}
