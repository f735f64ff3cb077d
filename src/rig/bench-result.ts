import { blindTolerance } from '../model/correctness/blind-tolerance.ts';
import { faultOf } from '../model/measure/fault.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Samples } from '../model/measure/samples.ts';
import type { Target } from '../runner/target.ts';
import { isBroken, type SkippedKernel } from '../model/measure/skipped-kernel.ts';

/**
 * good: all that was asked for is measured. bad: a kernel is wrong, cheats, does not build, or fails in its check.
 * undecided: something else was lost or skipped, or a tolerance is blind.
 */
export type BenchResult = 'good' | 'bad' | 'undecided';

export function benchResult(
  samples: Samples,
  { only, timed = true }: { readonly only?: readonly string[]; readonly timed?: boolean },
): BenchResult {
  const { skipped = [] } = samples;
  if (skipped.some(isBroken) || samples.measurements.some((one) => faultOf(one) !== undefined)) return 'bad';
  const blind = samples.measurements.some(({ check }) => blindTolerance(check) !== undefined);
  const lost = samples.measurements.some(({ series, check }) =>
    timed ? series.length === 0 : check === undefined,
  );
  const askedAndSkipped = skipped.some(
    ({ kernel, reason }) => reason === 'no-compiler' || only?.includes(kernel),
  );
  return blind || lost || askedAndSkipped || samples.incomplete !== undefined ? 'undecided' : 'good';
}

/**
 * Nothing to measure is not a result: it says why, kernel by kernel. That a kernel does not build is one, and a
 * caller that can report it asks only where none is broken.
 */
export function refuseEmptyBench(targets: readonly Target[], skipped: readonly SkippedKernel[]): void {
  if (targets.length > 0) return;
  const [first] = skipped;
  if (first === undefined) {
    throw new PawlError('configuration', 'pawl.yaml has no kernel to measure.', 'Add one under `kernels:`.');
  }
  const kind = isBroken(first) ? 'does-not-build' : 'unavailable';
  const lines = skipped.map(({ kernel, message }) => `${kernel}: ${message}`);
  throw new PawlError(
    kind,
    `No kernel could be measured.\n${lines.join('\n')}`,
    first.hint ?? 'Run: pawl doctor',
  );
}
