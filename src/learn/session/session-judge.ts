import { defined } from '../../model/defined.ts';
import { Worktrees } from '../../rig/worktrees.ts';
import { ruleOnJudge, type Ruling } from '../../ratchet/base-judge/rule-on-judge.ts';
import type { OpenSession } from './open-session.ts';
import type { Working } from './session-options.ts';
import { processContext } from '../../os/run-context.ts';

export interface JudgeOptions extends Working {
  /** Accept that the files change oracles, cases or thresholds. Default false. */
  readonly acceptJudgeChange?: boolean;
}

/**
 * Rules on the files as they are by the state that the session started from, or the last whose judge was accepted.
 * That state is checked out while `use` works.
 */
export async function withSessionJudge<Result>(
  { session, loaded, judge }: OpenSession,
  options: JudgeOptions,
  use: (ruling: Ruling) => Promise<Result>,
): Promise<Result> {
  const context = processContext(options);
  const worktrees = new Worktrees(loaded, context.signal);
  try {
    const base = await worktrees.checkOut(judge);
    const { kernel, reference } = session;
    const ruling = await ruleOnJudge(base.loaded, loaded, {
      ...context,
      main: loaded,
      only: reference.kernel === undefined ? [kernel] : [kernel, reference.kernel],
      accept: options.acceptJudgeChange === true,
      ...defined({ reference: reference.kernel }),
    });
    return await use(ruling);
  } finally {
    await worktrees.remove();
  }
}
