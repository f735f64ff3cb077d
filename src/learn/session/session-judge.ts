import { Worktrees } from '../../rig/worktrees.ts';
import { ruleOnJudge, type Ruling } from '../../ratchet/base-judge/rule-on-judge.ts';
import type { SessionDesk } from './session-desk.ts';
import type { Working } from './session-options.ts';

export interface JudgeOptions extends Working {
  /** A person accepts what the files alter about the session's judge. Default false. */
  readonly acceptJudgeChange?: boolean;
}

/**
 * Rules on the files as they are by the state that the session started from, or the last whose judge was accepted.
 * That state is checked out while `use` works.
 */
export async function withSessionJudge<Result>(
  { session, loaded, judge }: SessionDesk,
  options: JudgeOptions,
  use: (ruling: Ruling) => Promise<Result>,
): Promise<Result> {
  const signal = options.signal ?? new AbortController().signal;
  const worktrees = new Worktrees(loaded, signal);
  try {
    const base = await worktrees.checkOut(judge);
    const { kernel, reference } = session;
    const ruling = await ruleOnJudge(base.loaded, loaded, {
      main: loaded,
      signal,
      only: reference.kernel === undefined ? [kernel] : [kernel, reference.kernel],
      accept: options.acceptJudgeChange === true,
      ...(reference.kernel === undefined ? {} : { reference: reference.kernel }),
      ...(options.env === undefined ? {} : { env: options.env }),
      ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
      ...(options.now === undefined ? {} : { now: options.now }),
    });
    return await use(ruling);
  } finally {
    await worktrees.remove();
  }
}
