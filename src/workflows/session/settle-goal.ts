import { defined } from '../../model/defined.ts';
import type { ParsedGoal } from '../../learn/session/parse-goal.ts';
import type { RunCost } from '../../model/device/cost.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { bench } from '../runs/bench.ts';
import { workingOptions, type EvidenceContext } from './evidence/evidence-context.ts';
import { measurePair } from './evidence/measure-pair.ts';
import type { Working } from '../../learn/session/session-options.ts';
import { withCost } from '../../learn/session/spent-costs.ts';

export interface SettledGoal {
  readonly speedup: number;
  readonly cost?: RunCost;
}

type Subject = Pick<EvidenceContext, 'loaded' | 'kernel' | 'case' | 'reference'>;

interface MeasuredReference {
  readonly time_ms: number | undefined;
  readonly problem: string | undefined;
  readonly cost: RunCost | undefined;
}

/** Enough to know a time to a few percent, which is all that a goal in round numbers means. */
const PROCESSES = 3;

/** A goal as a speed-up. A time is one only beside the reference's, so that is measured now. */
export async function settleGoal(
  goal: ParsedGoal,
  subject: Subject,
  { signal, onProgress, wait_s, now, env }: Working,
): Promise<SettledGoal> {
  if (goal.kind === 'speedup') return { speedup: goal.speedup };
  const context: EvidenceContext = {
    ...subject,
    target: 1,
    ...defined({ signal, onProgress, wait_s, now, env }),
  };
  const { time_ms, problem, cost } =
    subject.reference.commit === undefined ? await inTheseFiles(context) : await inItsCommit(context);
  const { kernel, revision } = subject.reference;
  const [name, at] = [kernel ?? revision ?? subject.kernel, subject.case];
  if (time_ms === undefined || problem !== undefined) {
    throw new PawlError(
      'unavailable',
      `The goal is a time, and ${name} could not be measured at ${at} to turn it into a speed-up: ${problem ?? 'no series was taken'}.`,
      `Fix that first (pawl bench --only ${kernel ?? subject.kernel} --case ${at}), or give the goal as a speed-up: --goal "1.2x on ${at}".`,
    );
  }
  const speedup = time_ms / goal.time_ms;
  onProgress?.({
    type: 'note',
    level: 'info',
    text: `${name} takes ${time_ms.toPrecision(4)} ms at ${at}: the goal is ${speedup.toFixed(2)}×`,
  });
  return { speedup, ...defined({ cost }) };
}

async function inTheseFiles(context: EvidenceContext): Promise<MeasuredReference> {
  const { report } = await bench({
    ...workingOptions(context),
    only: [context.reference.kernel ?? context.kernel],
    cases: [context.case],
    processes: PROCESSES,
  });
  const [measured] = report.measurements;
  return {
    time_ms: measured !== undefined && 'median_ms' in measured ? measured.median_ms : undefined,
    problem: measured?.fault?.message,
    cost: report.cost,
  };
}

async function inItsCommit(context: EvidenceContext): Promise<MeasuredReference> {
  const { done, cost } = await withCost(context.loaded, [context.kernel], context, () =>
    measurePair(context, [context.case], { processes: PROCESSES }),
  );
  const { median_ms, problem } = done.cases[0]!.reference;
  return { time_ms: median_ms, problem, cost };
}
