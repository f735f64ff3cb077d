import type { FuzzSpace } from '../../config/fuzz-space.ts';
import type { CaseOutcome } from '../../correctness/case-outcome.ts';
import { CaseRunner } from '../../correctness/case-runner.ts';
import { concreteCase } from '../../correctness/concrete-case.ts';
import { caseSequence } from '../../correctness/fuzz/case-sequence.ts';
import { replayLine } from '../../correctness/replay-line.ts';
import type { FuzzCase } from '../../model/fuzz-case.ts';
import type { JudgementFinding } from '../../model/judgement.ts';
import type { Target } from '../../runner/target.ts';

/** What a candidate has to be right in besides the declared cases. */
export interface JudgedFuzz {
  readonly space: FuzzSpace;
  /** Cases that are drawn, after the edge cases that pawl.yaml names. */
  readonly count: number;
}

interface FuzzCandidateOptions extends JudgedFuzz {
  readonly seed: string;
  readonly timeout_ms: number;
  readonly signal: AbortSignal;
  readonly now_ms: () => number;
}

/** No case is begun after that long: a candidate in whose cases oracles are slow is judged by fewer of them. */
const MOST_MS = 10_000;

/**
 * Compares a candidate with the oracle in cases drawn from what pawl.yaml says of `fuzz`: other extents, other values.
 * What counts is wrong twice, the second time in a process of its own, and right in the reference: a case that the
 * reference gets wrong as well says nothing about the candidate.
 */
export async function fuzzCandidate(
  { base, head }: { readonly base: Target; readonly head: Target },
  { space, count, seed, timeout_ms, signal, now_ms }: FuzzCandidateOptions,
): Promise<JudgementFinding | undefined> {
  const candidate = new CaseRunner(head, { timeout_ms, signal });
  const reference = new CaseRunner(base, { timeout_ms, signal });
  const until_ms = now_ms() + MOST_MS;
  const none = { corpus: [], matrix: false, names: undefined, replay: undefined };
  const smaller = space.with({ matrix: [] });
  try {
    for (const each of caseSequence({ ...head.plan, cases: [] }, smaller, {
      ...none,
      seed: BigInt(seed),
      count,
    })) {
      if (signal.aborted || now_ms() > until_ms) return undefined;
      const check = (runner: CaseRunner, alone: boolean): Promise<CaseOutcome | undefined> =>
        checkFitting(runner, smaller, { name: each.name, case: each.case, alone });
      if ((await check(candidate, false))?.status !== 'failed') continue;
      const again = await check(candidate, true);
      if (again?.status !== 'failed' || signal.aborted) continue;
      if ((await check(reference, true))?.status !== 'passed') continue;
      const { detector, message } = again.finding;
      return { detector, evidence: `${message} (${replayLine(each.case)})`, case: each.name };
    }
    return undefined;
  } finally {
    await candidate.end();
    await reference.end();
  }
}

async function checkFitting(
  runner: CaseRunner,
  space: FuzzSpace,
  { name, case: each, alone }: { readonly name: string; readonly case: FuzzCase; readonly alone: boolean },
): Promise<CaseOutcome | undefined> {
  const concrete = concreteCase(space, name, each);
  if (concrete === undefined || !space.fits(concrete.plan)) return undefined;
  return runner.check(concrete, each.seed, { alone });
}
