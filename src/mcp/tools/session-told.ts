/** A session as an assistant works with it: where it stands, what was tried, what comes next. The report has the rest. */
import { z } from 'zod';

import { judgeChangeSchema } from '../../model/judge/judge-change.ts';
import { warningSchema } from '../../model/learn/lesson.ts';
import { speedupText } from '../../model/text/number-text.ts';
import type { TryOutcome } from '../../model/learn/try-outcome.ts';
import { noteSchema, sessionSchema, trySchema, type Session, type Try } from '../../model/learn/session.ts';
import { workedMinutes } from '../../model/learn/session-progress.ts';
import { list, ownText, pick, said, text, word } from '../told.ts';
import { adviceTold, predictionTold } from './advice-told.ts';
import { gateOverview, gateOverviewTold, gatesSummary, nextOf, nextSchema, ownNext } from './gates-told.ts';
import type { OwnGates } from './own-gates.ts';
import { judgeSentence, judgeTold } from './judge-told.ts';

const ALL = 'The session report has all.';

const changeSchema = trySchema.shape.change;
const outcomeSchema = sessionSchema.shape.outcome.unwrap();
const measuredSchema = trySchema.shape.measured.unwrap();

const tryTold = z.object({
  ...pick(trySchema, 'number', 'hypothesis', 'rule', 'idea', 'predicted_change_pct', 'flags', 'outcome'),
  ...pick(trySchema, 'share_of_predicted', 'kept', 'learnt'),
  change: z.object({
    ...pick(changeSchema, 'variant', 'variables'),
    files: list(word, 10, 'git shows all.'),
  }),
  warnings: list(z.object(pick(warningSchema, 'kind', 'id', 'text', 'matched', 'fix', 'nearness')), 8, ALL),
  measured: z
    .object({
      ...pick(measuredSchema, 'case', 'verdict', 'change_pct', 'ci_pct', 'before_ms', 'after_ms'),
      reason: said(),
      ...judgeTold,
    })
    .optional(),
});

const FULL = 'Ask with full.';

/** What its caller does not know yet. */
export const tryBriefTold = z.object({
  ...pick(trySchema, 'number', 'outcome', 'kept', 'share_of_predicted', 'flags'),
  measured: z
    .object({
      ...pick(measuredSchema, 'case', 'verdict', 'change_pct', 'ci_pct', 'before_ms', 'after_ms'),
      reason: said(120),
      judge_changes: list(
        z.object({ ...pick(judgeChangeSchema, 'kind'), text: text(100) }),
        2,
        FULL,
      ).optional(),
    })
    .optional(),
  files: list(word, 3, FULL),
  warnings: list(z.object({ ...pick(warningSchema, 'id'), text: text(140) }), 3, FULL),
});

/** What every step in a session answers. */
export const stepTold = z.object({
  ...pick(sessionSchema, 'id', 'state', 'phase', 'speedup'),
  gates: gateOverviewTold,
  next: nextSchema,
  /** The resource that tells all of it. */
  report: ownText,
});

/** Where a session stands. */
export const sessionTold = stepTold.extend({
  ...pick(sessionSchema, 'goal', 'kernel', 'reference', 'device'),
  prediction: predictionTold,
  tries: list(tryTold, 6, ALL),
  advice: z.object(adviceTold).optional(),
  notes: list(z.object(pick(noteSchema, 'at', 'text')), 6, ALL),
  minutes: z.number(),
  outcome: z.object({ ...pick(outcomeSchema, 'reached', 'speedup', 'summary'), ...judgeTold }).optional(),
});

export const tryFullTold = z.object({ try: tryTold, session: stepTold });

interface Shown {
  readonly allGates?: boolean | undefined;
  readonly own: OwnGates;
}

export function stepValue(session: Session, shown: Shown) {
  return {
    ...session,
    gates: gateOverview(session.gates, shown),
    next: nextStep(session),
    report: `pawl://session/${session.id}/report`,
  };
}

/** Where a gate stopped it, the words are the gate's, and projects write gates too. */
export function nextStep({ state, next }: Session): z.infer<typeof nextSchema> {
  return state === 'stopped' ? nextOf(next) : ownNext(next);
}

export function sessionValue(session: Session, shown: Shown) {
  return {
    ...stepValue(session, shown),
    // The latest first: those are what the next one is about.
    tries: session.tries.toReversed().map(tryValue),
    notes: session.notes.toReversed(),
    minutes: workedMinutes(session),
  };
}

/** A reason with an estimate in it is Pawl's own sentence; what is wrong with a kernel is told in others' words. */
export function tryValue<One extends Try>(one: One) {
  const { measured } = one;
  if (measured === undefined) return { ...one, measured };
  const isOwn = measured.change_pct !== undefined && OWN_REASONS.includes(one.outcome ?? 'failed');
  return { ...one, measured: { ...measured, reason: isOwn ? { own: measured.reason } : measured.reason } };
}

/** Outcomes that are only about time. */
const OWN_REASONS: readonly TryOutcome[] = ['improved', 'no-gain', 'worse', 'undecided'];

export function sessionSummary({ state, phase, gates, tries, goal, outcome }: Session): string {
  const ended = outcome === undefined ? '' : ` ${endSentence(outcome, goal)}`;
  return `The session is ${state}, in ${phase}; gates: ${gatesSummary(gates)}; ${tries.length} tries.${ended}${judgeSentence(outcome ?? {})}`;
}

function endSentence({ reached, speedup }: NonNullable<Session['outcome']>, goal: Session['goal']): string {
  const got = speedup === undefined ? 'nothing was measured' : speedupText(speedup);
  return `The goal of ${speedupText(goal.speedup)} is ${reached ? 'reached and validated' : 'not reached'}: ${got}.`;
}
