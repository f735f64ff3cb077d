import { evidenceOf } from '../../../learn/gates/evidence-of.ts';
import type { Evidence } from '../../../model/gate.ts';
import { triesOnIdea, triesThatRan } from '../../../model/session.ts';
import { takenAt, type EvidenceContext } from './evidence-context.ts';

/** The tries so far, as the session has them. */
export function triesEvidence(context: EvidenceContext): Promise<Evidence> {
  const { session } = context;
  const done = triesThatRan({ tries: session?.tries ?? [] });
  const last = done.at(-1);
  const idea = context.idea ?? last?.idea ?? '';
  const improved = done.findLastIndex(({ outcome }) => outcome === 'improved');
  const phase = session?.phases.find((one) => one.phase === 'optimise');
  const money = session?.cost.money;
  const evidence = evidenceOf('tries', takenAt(context), {
    facts: {
      tries: done.length,
      idea,
      tries_on_idea: triesOnIdea({ tries: done }, idea).length,
      without_gain: done.length - 1 - improved,
      last_outcome: last?.outcome,
      has_prediction: last?.share_of_predicted !== undefined,
      share_of_predicted: last?.share_of_predicted,
      has_budget: phase !== undefined,
      optimise_min: phase === undefined ? undefined : Math.round(phase.spent_s / 60),
      optimise_budget_min: phase === undefined ? undefined : Math.round(phase.budget_s / 60),
      has_cost: money !== undefined,
      money: money?.amount,
      currency: money?.currency,
    },
    sources: [{ command: 'pawl session status' }],
    lines: done.map(
      ({ number, idea: about, outcome, measured }) =>
        `try ${number} (${about}): ${outcome ?? 'open'}${measured?.change_pct === undefined ? '' : `, ${measured.change_pct.toFixed(1)} %`}`,
    ),
  });
  return Promise.resolve(evidence);
}
