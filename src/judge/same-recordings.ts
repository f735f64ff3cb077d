import type { Measurement } from '../model/measure/samples.ts';

type Recorded = Pick<Measurement, 'recorded'>;

/** Whether two measurements had the same recorded inputs, as far as both say. */
export function holdSameRecordings({ recorded: one }: Recorded, { recorded: other }: Recorded): boolean {
  if (one === undefined || other === undefined) return true;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => one[name] === other[name]);
}
