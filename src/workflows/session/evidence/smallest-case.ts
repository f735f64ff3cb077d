import { isJudged } from '../../../config/plan-kernel.ts';
import { evidenceOf } from '../../../learn/gates/evidence-of.ts';
import { faultText, lostText } from '../../../model/measure/fault.ts';
import type { Evidence } from '../../../model/learn/gate.ts';
import { bench } from '../../runs/bench.ts';
import {
  planOf,
  QUICK_LOOK,
  sharedCases,
  smallestCase,
  takenAt,
  workingOptions,
  type EvidenceContext,
} from './evidence-context.ts';

/** The smallest case against its oracle, with what takes several calls to see, and timed in one process. */
export async function smallestCaseEvidence(context: EvidenceContext): Promise<Evidence> {
  const taken = takenAt(context);
  const plan = planOf(context);
  const smallest = smallestCase(sharedCases(context)) ?? smallestCase(plan.cases);
  const name = smallest?.name ?? context.case;
  if (!isJudged(plan)) {
    return evidenceOf('smallest-case', taken, {
      facts: { smallest: name },
      missing: [
        {
          facts: ['correct'],
          why: `Problem ${plan.problem} has no oracle, so ${plan.name} cannot be checked. Add \`oracle\` or \`checker\` to it in pawl.yaml.`,
          next: 'pawl init --help',
        },
      ],
    });
  }
  const outcome = await bench({
    ...workingOptions(context),
    ...QUICK_LOOK,
    only: [plan.name],
    cases: [name],
    processes: 1,
    verified: true,
    allowNone: true,
    history: false,
  });
  const measured = outcome.report.measurements[0];
  const tensors = outcome.samples.measurements[0]?.check?.tensors ?? [];
  const lost = measured?.state === 'measured' ? undefined : measured?.lost[0];
  const fault =
    (measured?.fault && faultText(measured.fault)) ?? (lost && lostText(lost)) ?? outcome.skipped[0]?.message;
  const isRight = measured?.check === 'passed' && fault === undefined;
  const errors = tensors.flatMap(({ max_abs_err }) => max_abs_err ?? []);
  return evidenceOf('smallest-case', taken, {
    facts: {
      smallest: name,
      correct: isRight,
      fault: isRight ? undefined : (fault ?? 'its result was not checked'),
      max_abs_err: errors.length === 0 ? undefined : Math.max(...errors),
      has_nonfinite: tensors.some(({ spread }) => (spread?.nonfinite ?? 0) > 0),
      kernel_ms: measured?.state === 'measured' ? measured.median_ms : undefined,
      device: outcome.report.device?.name,
      device_s: outcome.times.reduce((sum, { device_s }) => sum + device_s, 0),
    },
    sources: [{ command: `pawl bench --only ${plan.name} --case ${name}`, file: outcome.files.samples }],
    lines: [isRight ? `${name}: right` : `${name}: ${fault ?? 'not checked'}`],
  });
}
