import { evidenceOf } from '../../../learn/gates/evidence-of.ts';
import { gateNames } from '../../../learn/gates/gate-names.ts';
import type { Evidence } from '../../../model/learn/gate.ts';
import {
  hasReference,
  planOf,
  sharedCases,
  smallestCase,
  takenAt,
  type EvidenceContext,
} from './evidence-context.ts';
import { caseLine, measurePair, roughTime } from './measure-pair.ts';

/** Kernel and reference at the smallest case. */
export async function baselineEvidence(context: EvidenceContext): Promise<Evidence> {
  const taken = takenAt(context);
  const names = gateNames(context);
  const smallest = (smallestCase(sharedCases(context)) ?? smallestCase(planOf(context).cases))?.name;
  const pair = await measurePair(context, [smallest ?? context.case]);
  const measured = pair.cases[0]!;
  const { kernel, reference, speedup } = measured;
  const withReference = hasReference(context);
  const problem = kernel.problem ?? (withReference ? reference.problem : undefined);
  return evidenceOf('baseline', taken, {
    facts: {
      has_reference: withReference,
      smallest: measured.case,
      speedup,
      kernel_ms: kernel.median_ms,
      kernel_us: kernel.median_ms === undefined ? undefined : kernel.median_ms * 1000,
      reference_ms: reference.median_ms,
      processes: pair.processes,
      device: pair.device?.name,
      device_s: pair.device_s,
    },
    sources: pair.sources,
    lines: [
      withReference || kernel.median_ms === undefined
        ? caseLine(names.reference, measured)
        : `${measured.case}: ${roughTime(kernel.median_ms)}`,
      `${pair.processes} ${pair.processes === 1 ? 'process' : 'processes'} per case: a quick look`,
    ],
    ...(problem === undefined
      ? {}
      : {
          missing: [
            {
              facts: ['speedup', 'kernel_us', 'kernel_ms', 'reference_ms'],
              why: `${measured.case} was not measured: ${problem}.`,
              next: kernel.problem === undefined ? names.measure_reference : names.compare_case,
            },
          ],
        }),
  });
}
