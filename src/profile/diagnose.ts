/** What limits a launch, what was found, and what could not be looked at. */
import { defined } from '../model/defined.ts';
import type { Finding, KernelDiagnosis } from '../model/profile/diagnosis.ts';
import type { LaunchProfile } from '../model/profile/profile.ts';
import { Facts } from './facts/facts.ts';
import { findLimit } from './rules/limiter.ts';
import type { Problem } from './facts/problem.ts';
import { rankFindings, type Fired } from './rank-findings.ts';
import { RULES } from './rules/index.ts';
import { round1, type Rule } from './rules/rule.ts';
import { undecidedQuestion } from './undecided-question.ts';

const NS_PER_US = 1000;

export function diagnose(launch: LaunchProfile, problem: Problem = {}): KernelDiagnosis {
  const facts = new Facts(launch, problem);
  const limit = findLimit(facts);
  const fired: Fired[] = [];
  const missing = new Set<string>();
  for (const rule of RULES) {
    const unknown = rule.requires.filter((name) => facts.have(name) === undefined);
    for (const name of unknown) for (const metric of facts.missingMetrics(name)) missing.add(metric);
    const outcome = unknown.length > 0 ? undefined : rule.evaluate(facts.only(rule), limit);
    if (outcome) fired.push({ rule, outcome });
  }
  const duration = facts.have('duration_ns');
  return {
    name: launch.name,
    ...(duration === undefined ? {} : { duration_us: duration / NS_PER_US }),
    limiter: limit.limiter,
    ...defined({ undecided: undecidedQuestion(limit, facts) }),
    findings: rankFindings(fired, limit).map(finding),
    not_collected: [...missing].toSorted(),
  };
}

function finding({ rule, outcome }: Fired): Finding {
  const { id, priority, gainBasis, source }: Rule = rule;
  return {
    rule: id,
    priority,
    evidence: { ...outcome.evidence },
    diagnosis: outcome.diagnosis,
    fix: outcome.fix ?? rule.fix,
    expected_gain_pct: round1(outcome.gainPct),
    gain_basis: gainBasis,
    source,
  };
}
