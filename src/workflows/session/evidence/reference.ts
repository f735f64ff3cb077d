import { gateNames } from '../../../learn/gates/gate-names.ts';
import { MISSING_TEXTS } from '../../../learn/gates/missing-texts.ts';
import { evidenceOf } from '../../../learn/gates/evidence-of.ts';
import type { Evidence } from '../../../model/learn/gate.ts';
import {
  hasReference,
  sharedCases,
  smallestCase,
  takenAt,
  type EvidenceContext,
} from './evidence-context.ts';
import { caseLine, measurePair, roughTime } from './measure-pair.ts';

/** The reference, measured now at the smallest and the goal's case, with the kernel beside it. */
export async function referenceEvidence(context: EvidenceContext): Promise<Evidence> {
  const taken = takenAt(context);
  if (!hasReference(context)) return withoutReference('reference', taken, ['reference_measured']);
  const shared = sharedCases(context);
  const smallest = smallestCase(shared)?.name;
  if (smallest === undefined || !shared.some(({ name }) => name === context.case)) {
    const problem = `it does not have the case ${context.case}`;
    return evidenceOf('reference', taken, {
      facts: {
        has_reference: true,
        reference_measured: false,
        reference_correct: false,
        reference_problem: problem,
      },
    });
  }
  const pair = await measurePair(context, [...new Set([smallest, context.case])]);
  const { reference: name } = gateNames(context);
  const small = pair.cases.find((one) => one.case === smallest)?.reference;
  const target = pair.cases.find((one) => one.case === context.case)?.reference;
  return evidenceOf('reference', taken, {
    facts: {
      has_reference: true,
      smallest,
      reference_measured: small?.median_ms !== undefined && target?.median_ms !== undefined,
      reference_correct: small?.isRight === true && target?.isRight === true,
      reference_problem: small?.problem ?? target?.problem,
      reference_small_ms: small?.median_ms,
      reference_target_ms: target?.median_ms,
      reference_times: pair.cases
        .flatMap(({ case: at, reference: { median_ms } }) =>
          median_ms === undefined ? [] : [`${roughTime(median_ms)} at ${at}`],
        )
        .join(', '),
      processes: pair.processes,
      device: pair.device?.name,
      device_s: pair.device_s,
    },
    sources: pair.sources,
    lines: pair.cases.map((one) => caseLine(name, one)),
  });
}

/** Where nothing is there to measure against, what needs it is not known. */
export function withoutReference(
  kind: 'reference' | 'room',
  taken: Date,
  facts: readonly string[],
): Evidence {
  return evidenceOf(kind, taken, {
    facts: {},
    missing: [
      {
        facts: [...facts],
        why: MISSING_TEXTS.reference,
        next: 'pawl preflight --reference KERNEL_OR_COMMIT',
      },
    ],
  });
}
