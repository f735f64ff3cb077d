import { blindTolerance } from '../../model/correctness/blind-tolerance.ts';
import { faultOf, faultText, lostText } from '../../model/measure/fault.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Measurement } from '../../model/measure/samples.ts';
import { isBroken } from '../../model/measure/skipped-kernel.ts';
import { refuseEmptyBench } from '../../rig/bench-result.ts';
import type { PreparedSide } from '../../rig/prepared-side.ts';
import type { JudgedProblem } from './judged-problem.ts';

export function refuseWithoutReference({ targets, skipped }: PreparedSide): void {
  const broken = skipped.find(isBroken);
  if (broken === undefined) {
    refuseEmptyBench(targets, skipped);
    return;
  }
  throw new PawlError(
    'bad-data',
    `The problem has no reference to measure against: ${broken.message}`,
    broken.hint,
  );
}

/** A candidate that is measured against a wrong reference, or judged by a blind tolerance, has no answer. */
export function refuseFaultyReference(
  { name, reference }: JudgedProblem,
  measurements: readonly Measurement[],
): void {
  for (const one of measurements) {
    const fault = faultOf(one);
    const blind = blindTolerance(one.check);
    const lost = one.lost?.[0];
    const what =
      fault !== undefined
        ? faultText(fault)
        : (blind?.message ?? (lost === undefined ? undefined : lostText(lost)));
    if (what === undefined) continue;
    throw new PawlError(
      'bad-data',
      `Problem ${name} cannot judge candidates: its reference ${reference} in case ${one.case}: ${what}.`,
      blind?.remedy ?? 'Fix the reference or its oracle.',
    );
  }
}
