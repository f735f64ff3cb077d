/** Two profiles of one kernel: what moved, which findings came and went, and the likely cause in one sentence. */
import { defined } from '../model/defined.ts';
import type { Finding, ProfileComparison } from '../model/profile/diagnosis.ts';
import type { RuleId } from '../model/profile/diagnosis-words.ts';
import { movedSignals } from '../model/profile/moved-signals.ts';
import type { LaunchProfile } from '../model/profile/profile.ts';
import { diagnose } from './diagnose.ts';
import { explainChange } from './explain-change.ts';
import { Facts } from './facts/facts.ts';
import type { Problem } from './facts/problem.ts';
import { signalsOf } from './signals-of.ts';

export function compareProfiles(
  before: LaunchProfile,
  after: LaunchProfile,
  problem: Problem = {},
): ProfileComparison {
  const [was, is] = [diagnose(before, problem), diagnose(after, problem)];
  const [wasFacts, isFacts] = [new Facts(before, problem), new Facts(after, problem)];
  const changePct = durationChangePct(was.duration_us, is.duration_us);
  const has = (findings: readonly Finding[], id: RuleId): boolean => findings.some(({ rule }) => rule === id);
  const rulesOf = (findings: readonly Finding[], keep: (id: RuleId) => boolean): RuleId[] =>
    findings.map(({ rule }) => rule).filter((id) => keep(id));
  return {
    kernel: after.name,
    summary: explainChange({ was, is, wasFacts, isFacts, changePct }),
    ...defined({ before_us: was.duration_us, after_us: is.duration_us, change_pct: changePct }),
    moved: movedSignals(signalsOf(wasFacts), signalsOf(isFacts)),
    appeared: rulesOf(is.findings, (id) => !has(was.findings, id)),
    vanished: rulesOf(was.findings, (id) => !has(is.findings, id)),
    persisted: rulesOf(is.findings, (id) => has(was.findings, id)),
  };
}

/** Positive is faster. */
function durationChangePct(before: number | undefined, after: number | undefined): number | undefined {
  if (before === undefined || after === undefined || before <= 0) return undefined;
  return (100 * (before - after)) / before;
}
