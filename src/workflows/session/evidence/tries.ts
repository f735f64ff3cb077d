import { evidenceOf } from '../../../learn/gates/evidence-of.ts';
import { changeText } from '../../../model/text/change-text.ts';
import type { Evidence } from '../../../model/learn/gate.ts';
import { triesOnIdea, triesThatRan, type Try } from '../../../model/learn/session.ts';
import { latestProfile } from '../../../profile/latest-profile.ts';
import { takenAt, type EvidenceContext } from './evidence-context.ts';

/** The tries so far, as the session has them. */
export async function triesEvidence(context: EvidenceContext): Promise<Evidence> {
  const { session } = context;
  const done = triesThatRan({ tries: session?.tries ?? [] });
  const last = done.at(-1);
  const idea = context.idea ?? last?.idea ?? '';
  const phase = session?.phases.find((one) => one.phase === 'optimise');
  const money = session?.cost.money;
  return evidenceOf('tries', takenAt(context), {
    facts: {
      tries: done.length,
      idea,
      tries_on_idea: triesOnIdea({ tries: done }, idea).length,
      without_gain: withoutGain(done, await profiledAt(context)),
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
        `try ${number} (${about}): ${outcome ?? 'open'}${measured?.change_pct === undefined ? '' : `, ${changeText({ change_pct: measured.change_pct })}`}`,
    ),
  });
}

/** Of tries in order, those since one improved or the kernel was profiled: a new profile starts the count again. */
function withoutGain(tries: readonly Try[], profiled_at: string | undefined): number {
  const since = tries.filter((one) => profiled_at === undefined || endOf(one) > profiled_at);
  return (
    since.length - 1 - since.findLastIndex(({ outcome }) => outcome === 'improved' || outcome === 'corrected')
  );
}

function endOf({ measured, opened_at }: Try): string {
  return measured?.at ?? opened_at;
}

async function profiledAt({ loaded, kernel, case: name }: EvidenceContext): Promise<string | undefined> {
  const profile = await latestProfile(loaded.root, { kernel, case: name, withoutFindings: true });
  return profile?.head?.started_at ?? profile?.code?.read_at;
}
