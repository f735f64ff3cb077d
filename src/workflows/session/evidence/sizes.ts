import { evidenceOf } from '../../../learn/gates/evidence-of.ts';
import { gateNames } from '../../../learn/gates/gate-names.ts';
import type { Evidence } from '../../../model/learn/gate.ts';
import { batchFamily, sizeFamily, type CaseFamily } from '../../../learn/session/case-families.ts';
import { hasReference, sharedCases, takenAt, type EvidenceContext } from './evidence-context.ts';
import { caseLine, measurePair } from './measure-pair.ts';
import type { MeasuredPair } from './measured-pair.ts';

/** How the speed-up goes with the size, and with batch and heads. */
export async function sizesEvidence(context: EvidenceContext): Promise<Evidence> {
  const taken = takenAt(context);
  const names = gateNames(context);
  const shared = sharedCases(context);
  const sizes = sizeFamily(shared, context.case);
  const batches = batchFamily(shared, context.case);
  const known = {
    has_reference: hasReference(context),
    has_sizes: sizes !== undefined,
    size_dim: sizes?.dim,
    has_batches: batches !== undefined,
  };
  const cases = [...new Set([sizes, batches].flatMap((one) => one?.cases.map(({ name }) => name) ?? []))];
  if (!hasReference(context) || cases.length === 0) {
    return evidenceOf('sizes', taken, { facts: known, lines: ['no cases that differ in size only'] });
  }
  const pair = await measurePair(context, cases);
  const size = trendOf(sizes, pair);
  const batch = trendOf(batches, pair);
  const lost = pair.cases.find(({ speedup }) => speedup === undefined);
  return evidenceOf('sizes', taken, {
    facts: {
      ...known,
      size_first: size?.first,
      size_last: size?.last,
      speedup_smallest: size?.speedup_first,
      speedup_largest: size?.speedup_last,
      trend: size?.trend,
      batch_first: batch?.first,
      batch_last: batch?.last,
      batch_trend: batch?.trend,
      processes: pair.processes,
      device: pair.device?.name,
      device_s: pair.device_s,
    },
    sources: pair.sources,
    lines: pair.cases.map((one) => caseLine(names.reference, one)),
    ...(lost === undefined
      ? {}
      : {
          missing: [
            {
              facts: ['trend', 'batch_trend'],
              why: `${caseLine(names.reference, lost)}.`,
              next: names.compare_all,
            },
          ],
        }),
  });
}

function trendOf(family: CaseFamily | undefined, pair: MeasuredPair) {
  const first = family?.cases[0]?.name;
  const last = family?.cases.at(-1)?.name;
  const speedup = (name: string | undefined) => pair.cases.find((one) => one.case === name)?.speedup;
  const [speedup_first, speedup_last] = [speedup(first), speedup(last)];
  const isBoth = speedup_first !== undefined && speedup_last !== undefined;
  return {
    first,
    last,
    speedup_first,
    speedup_last,
    trend: isBoth ? speedup_last / speedup_first : undefined,
  };
}
