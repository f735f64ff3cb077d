import { defined } from '../model/defined.ts';
import type { CasePlan, KernelPlan } from '../config/plan-kernel.ts';
import type { CheckerCode, Code, GeneratorCode, Request } from '../model/measure/protocol.ts';
import type { Measurement } from '../model/measure/samples.ts';
import type { OpenOptions, RunnerCommand } from './runner-process.ts';

/** A kernel that is ready to run: what was planned, what was built, and the runner that can load it. */
export interface Target {
  readonly plan: KernelPlan;
  readonly runner: RunnerCommand;
  readonly open: OpenOptions;
  readonly oracle: Code | undefined;
  /** What makes the inputs, and what judges outputs by what they have to be. */
  readonly generator?: GeneratorCode;
  readonly checker?: CheckerCode;
  readonly binary: Measurement['binary'];
}

/** What says whether outputs of a case are right; undefined where nothing does. */
export function rulesOf(
  { oracle, checker }: Pick<Target, 'oracle' | 'checker'>,
  { tolerance }: Pick<CasePlan, 'tolerance'>,
): NonNullable<Extract<Request, { op: 'sample' }>['verify']> | undefined {
  if (oracle === undefined && checker === undefined) return undefined;
  return { ...defined({ oracle, checker }), ...tolerance };
}

type PrepareRequest = Extract<Request, { op: 'prepare' }>;

/** How a case is laid out for the runner; `sets` says how many copies of its tensors, where that matters. */
export function prepareRequest(
  target: Target,
  plan: CasePlan,
  seed: string,
  { sets, drawn }: Pick<PrepareRequest, 'sets' | 'drawn'> = {},
): PrepareRequest {
  return {
    op: 'prepare',
    case: plan.name,
    dims: [...plan.dims],
    ...(plan.scalars !== undefined && { scalars: [...plan.scalars] }),
    tensors: [...plan.tensors],
    variant: { ...target.plan.variant },
    seed,
    ...defined({ sets, drawn, generator: target.generator, seeded: target.plan.seeded }),
  };
}
