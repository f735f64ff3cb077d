/** A session as an assistant works with it: where it stands, what was tried, what comes next. The report has the rest. */
import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { RULE_IDS } from '../../model/diagnosis-words.ts';
import { phaseIdSchema } from '../../model/gate.ts';
import { NEARNESS, WARNING_KINDS, type Warning } from '../../model/lesson.ts';
import { SESSION_STATES, TRY_OUTCOMES, tryFlagSchema, type Session, type Try } from '../../model/session.ts';
import { workedMinutes } from '../../model/session-progress.ts';
import { verdictSchema } from '../../model/comparison.ts';
import { variantText } from '../../model/variant.ts';
import { cutList, listSchema } from '../bounded.ts';
import { judgeOutput, judgeSentence, judgeValue } from './judge-value.ts';
import { nameOf, nameSchema, own, untrusted, untrustedSchema } from '../untrusted.ts';
import { adviceOutput, adviceValue, predictionOutput, predictionValue } from './advice-value.ts';
import { gateOverview, gateOverviewOutput, gatesSummary, nextOf, nextSchema } from './gates-value.ts';

const warningSchema = z.object({
  kind: z.enum(WARNING_KINDS),
  id: untrustedSchema,
  text: untrustedSchema,
  matched: untrustedSchema,
  fix: untrustedSchema.optional(),
  nearness: z.enum(NEARNESS),
});

export const tryOutput = z.object({
  number: z.int(),
  hypothesis: untrustedSchema,
  rule: z.enum(RULE_IDS).optional(),
  idea: untrustedSchema,
  predicted_change_pct: z.number().optional(),
  variant: untrustedSchema.optional(),
  files: listSchema(untrustedSchema),
  variables: listSchema(z.object({ kind: z.string(), name: untrustedSchema })),
  flags: z.array(tryFlagSchema).describe('Why it is doubtful; some hold it back until there is a reason.'),
  warnings: listSchema(warningSchema),
  outcome: z.enum(TRY_OUTCOMES).optional(),
  verdict: verdictSchema.optional(),
  change_pct: z.number().optional().describe('Positive is faster.'),
  ci_pct: z.tuple([z.number(), z.number()]).optional(),
  before_ms: z.number().optional(),
  after_ms: z.number().optional(),
  reason: untrustedSchema.optional(),
  share_of_predicted: z.number().optional(),
  kept: z.boolean().optional(),
  learnt: untrustedSchema.optional(),
  ...judgeOutput,
});

/** What every step in a session answers. */
export const stepOutput = z.object({
  id: z.string(),
  state: z.enum(SESSION_STATES).describe('stopped: nothing goes on before a gate passes or is overridden.'),
  phase: phaseIdSchema,
  speedup: z.object({ first: z.number().optional(), best: z.number().optional() }),
  gates: gateOverviewOutput,
  next: nextSchema.describe('What comes next, as a command of Pawl; a tool of its name does the same.'),
  report: z.string().describe('The resource that tells all of it.'),
});

/** Where a session stands. */
export const sessionOutput = stepOutput.extend({
  goal: z.object({ text: untrustedSchema, speedup: z.number(), case: nameSchema }),
  kernel: nameSchema,
  reference: z.object({ kernel: nameSchema.optional(), commit: z.string().optional() }),
  device: untrustedSchema.optional(),
  prediction: predictionOutput,
  tries: listSchema(tryOutput),
  advice: adviceOutput.optional(),
  notes: listSchema(z.object({ at: z.string(), text: untrustedSchema })),
  minutes: z.number(),
  outcome: z
    .object({
      reached: z.boolean(),
      speedup: z.number().optional(),
      summary: untrustedSchema,
      ...judgeOutput,
    })
    .optional(),
});

export function stepValue(
  { id, state, phase, speedup, gates, next }: Session,
  { allGates = false }: { readonly allGates?: boolean | undefined } = {},
): z.input<typeof stepOutput> {
  return {
    id: own(id),
    state,
    phase,
    speedup: defined(speedup),
    gates: gateOverview(gates, { all: allGates }),
    // Where a gate stopped it, the words are the gate's, and projects write gates too.
    next: state === 'stopped' ? nextOf(next) : own(next),
    report: `pawl://session/${own(id)}/report`,
  };
}

export function sessionValue(
  session: Session,
  options: { readonly allGates?: boolean | undefined } = {},
): z.input<typeof sessionOutput> {
  const { goal, reference, device, advice, outcome } = session;
  const id = own(session.id);
  return {
    ...stepValue(session, options),
    goal: { text: untrusted(goal.text), speedup: goal.speedup, case: nameOf(goal.case) },
    kernel: nameOf(session.kernel),
    reference: {
      ...(reference.kernel === undefined ? {} : { kernel: nameOf(reference.kernel) }),
      ...(reference.commit === undefined ? {} : { commit: own(reference.commit) }),
    },
    ...(device === undefined ? {} : { device: untrusted(device) }),
    prediction: predictionValue(session.prediction),
    // The latest first: those are what the next one is about.
    tries: cutList(session.tries.toReversed().map(tryValue), 6, `Read pawl://session/${id}/report.`),
    ...(advice === undefined ? {} : { advice: adviceValue(advice) }),
    notes: cutList(
      session.notes.toReversed().map(({ at, text }) => ({ at: own(at), text: untrusted(text) })),
      6,
      `Read pawl://session/${id}/report.`,
    ),
    minutes: workedMinutes(session),
    ...(outcome === undefined
      ? {}
      : {
          outcome: {
            reached: outcome.reached,
            ...defined({ speedup: outcome.speedup }),
            summary: untrusted(outcome.summary),
            ...judgeValue(outcome),
          },
        }),
  };
}

export function sessionSummary({ state, phase, gates, tries, outcome }: Session): string {
  return `The session is ${state}, in ${phase}; gates: ${gatesSummary(gates)}; ${tries.length} tries.${judgeSentence(outcome ?? {})}`;
}

export function tryValue(one: Try): z.input<typeof tryOutput> {
  const { change, measured } = one;
  return {
    number: one.number,
    hypothesis: untrusted(one.hypothesis),
    idea: untrusted(one.idea, 200),
    ...defined({
      rule: one.rule,
      predicted_change_pct: one.predicted_change_pct,
      outcome: one.outcome,
      share_of_predicted: one.share_of_predicted,
      kept: one.kept,
      verdict: measured?.verdict,
      change_pct: measured?.change_pct,
      ci_pct: measured?.ci_pct,
      before_ms: measured?.before_ms,
      after_ms: measured?.after_ms,
    }),
    ...(change.variant === undefined ? {} : { variant: untrusted(variantText(change.variant)) }),
    files: cutList(
      change.files.map((file) => untrusted(file, 200)),
      10,
      'git shows all.',
    ),
    variables: cutList(
      change.variables.map(({ kind, name }) => ({ kind, name: untrusted(name, 200) })),
      10,
      'The session report has all.',
    ),
    flags: one.flags,
    warnings: cutList(one.warnings.map(warningValue), 8, 'The session report has all.'),
    ...(measured === undefined ? {} : { reason: untrusted(measured.reason) }),
    ...(one.learnt === undefined ? {} : { learnt: untrusted(one.learnt) }),
    ...judgeValue(measured ?? {}),
  };
}

function warningValue({ kind, id, text, matched, fix, nearness }: Warning) {
  return {
    kind,
    id: untrusted(id, 200),
    text: untrusted(text),
    matched: untrusted(matched, 300),
    ...(fix === undefined ? {} : { fix: untrusted(fix) }),
    nearness,
  };
}
