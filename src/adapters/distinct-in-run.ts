import { caseId, caseLabel } from '../model/judge/case-key.ts';
import type { Reading } from './adapter.ts';

/**
 * The files of one run, with names that stand in several of them numbered in their order: two benchmarks of one id are
 * two benchmarks, and a run cannot have one twice.
 */
export function distinctInRun<Part extends Reading>(readings: readonly Part[]): Part[] {
  const taken = new Set<string>();
  return readings.map((reading) => {
    const notes = [...reading.notes];
    const measurements = reading.measurements.map((one) => {
      let named = one;
      for (let number = 2; taken.has(caseId(named)); number++)
        named = { ...one, case: `${one.case} #${number}` };
      if (named !== one) {
        notes.push({
          kind: 'doubt',
          text: `a name that an earlier file of the folder also has, numbered here: ${caseLabel(named)}`,
        });
      }
      taken.add(caseId(named));
      return named;
    });
    return { ...reading, measurements, notes };
  });
}
