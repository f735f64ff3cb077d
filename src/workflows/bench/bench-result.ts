import { PawlError } from '../../model/pawl-error.ts';
import type { Samples } from '../../model/samples.ts';
import type { Target } from '../../runner/target.ts';
import type { SkippedKernel } from './prepare-targets.ts';

/** good: all that was asked for is measured. bad: a result was wrong. undecided: something was lost or skipped. */
export type BenchResult = 'good' | 'bad' | 'undecided';

export function benchResult(
  samples: Samples,
  skipped: readonly SkippedKernel[],
  only: readonly string[] | undefined,
): BenchResult {
  const wrong = samples.measurements.some(({ check }) => check?.passed === false);
  if (wrong) return 'bad';
  const lost = samples.measurements.some(({ series }) => series.length === 0);
  const askedAndSkipped = skipped.some(
    ({ kernel, reason }) => reason === 'build-failed' || only?.includes(kernel),
  );
  return lost || askedAndSkipped || samples.incomplete !== undefined ? 'undecided' : 'good';
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
