import type { Measurement } from '../model/measure/samples.ts';

/** Whether what was measured holds changes that its commit does not. */
export function isDirty({
  measurements,
}: {
  readonly measurements: readonly Pick<Measurement, 'dirty'>[];
}): boolean {
  return measurements.some(({ dirty }) => dirty === true);
}
