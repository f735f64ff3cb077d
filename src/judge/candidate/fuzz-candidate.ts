import type { FuzzSpace } from '../../config/fuzz-space.ts';
import type { CaseOutcome } from '../../correctness/case-outcome.ts';
import { CaseRunner } from '../../correctness/case-runner.ts';
import { concreteCase } from '../../correctness/concrete-case.ts';
import { caseSequence } from '../../correctness/fuzz/case-sequence.ts';
import { replayLine } from '../../correctness/replay-line.ts';
import type { Target } from '../../runner/target.ts';
import type { Fuzzed } from '../describe-judgement.ts';

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

/** No case is begun after that long, once enough were tried: where oracles are slow, fewer cases judge. */
const MOST_MS = 10_000;
/** A candidate that wastes the time is not judged by fewer than this. */
const LEAST_CASES = 8;
/** Nor does it keep others waiting for longer. */
const LONGEST_MS = 60_000;

/**
 * Compares a candidate with the oracle in cases drawn from what pawl.yaml says of `fuzz`: other extents, other values.
 * What counts is wrong twice, the second time in a process of its own, and right in the reference: a case that the
 * reference gets wrong as well says nothing about the candidate.
 */
export async function fuzzCandidate(
  { base, head }: { readonly base: Target; readonly head: Target },
  { space, count, seed, timeout_ms, signal, now_ms }: FuzzCandidateOptions,
): Promise<Fuzzed> {
  const candidate = new CaseRunner(head, { timeout_ms, signal });
  const reference = new CaseRunner(base, { timeout_ms, signal });
  const from_ms = now_ms();
  const isTimeUp = (right: number): boolean =>
    now_ms() - from_ms > (right < LEAST_CASES ? LONGEST_MS : MOST_MS);
  const smaller = space.with({ matrix: [] });
  const drawn = { corpus: [], matrix: false, names: undefined, replay: undefined, seed: BigInt(seed), count };
  const cases = [...caseSequence({ ...head.plan, cases: [] }, smaller, drawn)].flatMap((each) => {
    const concrete = concreteCase(smaller, each.name, each.case);
    return concrete !== undefined && smaller.fits(concrete.plan) ? [{ ...each, concrete }] : [];
  });
  let [right, beyondReference] = [0, 0];
  const fuzzed = (): Fuzzed => ({ right, needed: Math.min(LEAST_CASES, cases.length - beyondReference) });
  try {
    for (const { name, case: tried, concrete } of cases) {
      if (signal.aborted || isTimeUp(right)) break;
      const check = (runner: CaseRunner, alone: boolean): Promise<CaseOutcome> =>
        runner.check(concrete, tried.seed, { alone });
      const { status } = await check(candidate, false);
      if (status === 'passed') {
        right += 1;
        continue;
      }
      const again = status === 'failed' ? await check(candidate, true) : undefined;
      if (signal.aborted) break;
      if ((await check(reference, true)).status !== 'passed') {
        beyondReference += 1;
      } else if (again?.status === 'failed') {
        const { detector, message } = again.finding;
        const finding = { detector, evidence: `${message} (${replayLine(tried)})`, case: name };
        return { ...fuzzed(), finding };
      }
    }
    return fuzzed();
  } finally {
    await candidate.end();
    await reference.end();
  }
}
