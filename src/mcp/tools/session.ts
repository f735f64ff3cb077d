import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { RULE_IDS } from '../../model/profile/diagnosis-words.ts';
import { changeWords, intervalWords } from '../../model/text/change-text.ts';
import { TRY_OUTCOME, type TryOutcome } from '../../model/learn/try-outcome.ts';
import type { Verdict } from '../../model/judge/verdict.ts';
import { timeText } from '../../report/text/units.ts';
import { sessionSchema, sessionSummarySchema, type Session, type Try } from '../../model/learn/session.ts';
import { cutList } from '../bounded.ts';
import {
  caseFields,
  limitField,
  processesField,
  reasonField,
  revisionField,
  variantField,
  waitField,
} from '../inputs.ts';
import { list, pick } from '../told.ts';
import { tool, workOf } from '../tool.ts';
import { nextSchema } from './gates-told.ts';
import { judgeSentence } from './judge-told.ts';
import { ownGates, type OwnGates } from './own-gates.ts';
import {
  nextStep,
  sessionSummary,
  sessionTold,
  sessionValue,
  stepTold,
  stepValue,
  tryBriefTold,
  tryFullTold,
  tryValue,
} from './session-told.ts';

const sessionField = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,119}$/)
  .optional()
  .describe('Session id (default: the latest open one).');
const sentence = z.string().trim().min(1).max(2000);
/** Whose name stands beside what is recorded: a person did not write it. */
const BY = 'assistant over MCP';
const gateField = z.string().regex(/^[a-z][a-z0-9-]{0,79}$/);

const RETURNS_STEP = 'Returns the session: state, phase, gates that need attention, and next.';
const RETURNS_STATUS = 'Returns the session: goal, state, phase, gates, tries, advice, notes, and next.';

async function stepAnswer(session: Session) {
  return { summary: sessionSummary(session), value: stepValue(session, { own: await ownGates() }) };
}

async function sessionAnswer(session: Session, allGates?: boolean) {
  const value = sessionValue(session, { own: await ownGates(), allGates });
  return { summary: sessionSummary(session), value };
}

export const sessionStartTool = tool({
  name: 'pawl_session_start',
  title: 'Start a session',
  description: `Starts an optimisation session with a goal, and predicts its time and speed-up from earlier sessions. Then evaluate its gates with pawl_session_check. ${RETURNS_STATUS}`,
  effect: 'works',
  input: z.strictObject({
    goal: z.string().trim().min(1).max(200).describe('A factor and a case: 1.2x on training_512.'),
    ...caseFields,
    reference: revisionField
      .optional()
      .describe('A kernel of the same problem, or a commit (default: the working tree).'),
    wait_s: waitField,
  }),
  output: sessionTold,
  async run({ goal, ...asked }, call) {
    const { startSession } = await import('../../workflows/session.ts');
    const session = await startSession({ ...workOf(call), goal, by: BY, ...defined(asked) });
    return sessionAnswer(session);
  },
});

export const sessionStatusTool = tool({
  name: 'pawl_session_status',
  title: 'Show a session',
  description: `Shows a session. ${RETURNS_STATUS} pawl://session/{id}/report has the whole report.`,
  effect: 'reads',
  input: z.strictObject({
    session: sessionField,
    all_gates: z.boolean().optional().describe('Also gates that passed or do not apply.'),
  }),
  output: sessionTold,
  async run({ session: id, all_gates: allGates }, { project }) {
    const { sessionStatus } = await import('../../workflows/session.ts');
    const session = await sessionStatus({ config: project.config, ...defined({ session: id }) });
    return sessionAnswer(session, allGates);
  },
});

const MOST_SESSIONS = 100;
const MORE_SESSIONS = 'Ask with a larger limit.';

export const sessionListTool = tool({
  name: 'pawl_session_list',
  title: 'Sessions',
  description:
    'Finds sessions of this project, including those in the history from other machines. Returns sessions, newest first, each with id, kernel, state, number of tries and speed-up.',
  effect: 'reads',
  input: z.strictObject({ limit: limitField(MOST_SESSIONS, 20) }),
  output: z.object({
    sessions: list(
      z.object(
        pick(
          sessionSummarySchema,
          'id',
          'title',
          'kernel',
          'state',
          'started_at',
          'tries',
          'speedup',
          'minutes',
        ),
      ),
      MOST_SESSIONS,
      MORE_SESSIONS,
    ),
  }),
  async run({ limit }, { project }) {
    const { listSessions } = await import('../../workflows/session.ts');
    const sessions = await listSessions({ config: project.config });
    return {
      summary: `${sessions.length} sessions.`,
      value: { sessions: cutList(sessions, limit, MORE_SESSIONS) },
    };
  },
});

export const sessionCheckTool = tool({
  name: 'pawl_session_check',
  title: 'Evaluate the gates of a session',
  description: `Evaluates the next gates in order from measurements, until one stops; it says why, and what to do. May build, run, measure and profile, for minutes. ${RETURNS_STEP}`,
  effect: 'works',
  input: z.strictObject({
    session: sessionField,
    gates: z.array(gateField).min(1).max(50).optional().describe('Evaluate these gates again.'),
    validate: z.boolean().optional().describe('Also the gates of validation, which come last.'),
    processes: processesField,
    wait_s: waitField,
  }),
  output: stepTold,
  async run(asked, call) {
    const { evaluateGates } = await import('../../workflows/session.ts');
    return stepAnswer(await evaluateGates({ ...workOf(call), ...defined(asked) }));
  },
});

/** About 600 tokens. */
const MOST_TRY_CHARACTERS = 2400;

export const sessionTryTool = tool({
  name: 'pawl_session_try',
  title: 'Try one change',
  description:
    'Checks every case of the change since the last kept state (edited files, or set for tunables), measures it against that state, and records hypothesis, change, prediction and outcome. Warns about lessons and earlier failures, and flags guesses and several changes at once; a try that is held back needs a reason in anyway. Never changes files. Returns the outcome, whether the change was kept, change_pct (positive is faster) with its interval ci_pct, flags, warnings, and next.',
  effect: 'works',
  input: z.strictObject({
    session: sessionField,
    hypothesis: sentence.describe('What should become faster, and why.'),
    rule: z.enum(RULE_IDS).optional().describe('The finding that it addresses.'),
    idea: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe('Tries of the same idea are counted together.'),
    predict: z
      .number()
      .min(-100)
      .max(100)
      .optional()
      .describe('Expected change in percent; positive is faster.'),
    set: variantField,
    anyway: reasonField.optional().describe('Why to measure it despite its flags.'),
    keep: z.boolean().optional().describe('Keep it even without a gain; never if wrong.'),
    learnt: sentence.optional().describe('What you learned from it.'),
    look: z.boolean().optional().describe('Only look at the change; measure nothing.'),
    full: z.boolean().optional().describe('Also return the whole try and the session.'),
    processes: processesField,
    wait_s: waitField,
  }),
  output: z.object({
    measured: z.boolean(),
    try: tryBriefTold,
    ...pick(sessionSchema, 'state'),
    next: nextSchema,
    full: tryFullTold.optional(),
  }),
  async run({ hypothesis, look = false, full = false, keep = false, ...asked }, call) {
    const { tryChange } = await import('../../workflows/session.ts');
    const tried = await tryChange({
      ...workOf(call),
      hypothesis,
      ...defined(asked),
      ...(keep ? { after: 'keep' as const } : {}),
      measure: !look,
    });
    return tryAnswer(tried, { look, full, own: await ownGates() });
  },
});

interface Tried {
  readonly measured: boolean;
  readonly try: Try;
  readonly session: Session;
}

export function tryAnswer(
  tried: Tried,
  { look, full, own }: { readonly look: boolean; readonly full: boolean; readonly own: OwnGates },
) {
  const { measured, session } = tried;
  const { flags, change } = tried.try;
  const doubts =
    flags.length === 0 ? '' : flags.length > 2 ? ` ${flags.length} flags.` : ` Flags: ${flags.join(', ')}.`;
  const summary = measured
    ? `${outcomeSentence(tried.try)}${doubts}${judgeSentence(tried.try.measured ?? {})}`
    : `Not measured: ${look ? 'only inspected' : 'held back'}.${doubts}`;
  return {
    summary,
    value: {
      measured,
      try: { ...tryValue(tried.try), files: change.files },
      state: session.state,
      next: nextStep(session),
      ...(full ? { full: { try: tryValue(tried.try), session: stepValue(session, { own }) } } : {}),
    },
    // The value comes twice, as text and as structured content.
    limit_bytes: full ? undefined : Math.floor((MOST_TRY_CHARACTERS - summary.length) / 2),
  };
}

/** The outcome with its numbers, and why where the outcome alone would puzzle. No text from elsewhere. */
function outcomeSentence({ number, outcome = 'undecided', kept = false, measured }: Try): string {
  const said = `Try ${number}: ${TRY_OUTCOME[outcome].text}`;
  const { change_pct, ci_pct, before_ms, after_ms, verdict } = measured ?? {};
  const keeping = kept ? ' Kept.' : ' Not kept.';
  if (change_pct === undefined || before_ms === undefined || after_ms === undefined)
    return `${said}.${keeping}`;
  const interval = ci_pct === undefined ? '' : ` (${intervalWords(ci_pct)})`;
  const numbers = `${changeWords(change_pct)}${interval}, ${timeText(before_ms)} → ${timeText(after_ms)}`;
  return `${said}, ${numbers}.${keeping}${verdictSentence(outcome, verdict)}`;
}

/** A gain in a session may be too small for the baseline: then the verdict is another word. */
function verdictSentence(outcome: TryOutcome, verdict: Verdict | undefined): string {
  if (outcome !== 'improved' || verdict !== 'maintained') return '';
  return ' The verdict is maintained, because the gain is too small for a new baseline; it counts in a session, because it is certain.';
}

export const sessionNoteTool = tool({
  name: 'pawl_session_note',
  title: 'Add a note to a session',
  description: `Adds a note to the session, or with try to that try. ${RETURNS_STEP}`,
  effect: 'works',
  input: z.strictObject({
    session: sessionField,
    text: sentence.describe('The note.'),
    try: z.int().positive().optional().describe('Number of the try.'),
  }),
  output: stepTold,
  async run({ text, ...asked }, call) {
    const { noteInSession } = await import('../../workflows/session.ts');
    return stepAnswer(await noteInSession({ ...workOf(call), text, by: BY, ...defined(asked) }));
  },
});

export const sessionOverrideTool = tool({
  name: 'pawl_session_override',
  title: 'Override a gate',
  description: `Continues past a gate that stopped the session. The reason is recorded in the report. Only the user may decide this: ask first. ${RETURNS_STEP}`,
  effect: 'works',
  isIdempotent: true,
  input: z.strictObject({
    session: sessionField,
    gate: gateField.describe('Id of the gate that stopped it.'),
    reason: reasonField,
  }),
  output: stepTold,
  async run({ gate, reason, ...asked }, call) {
    const { overrideGate } = await import('../../workflows/session.ts');
    return stepAnswer(await overrideGate({ ...workOf(call), gate, reason, by: BY, ...defined(asked) }));
  },
});

export const sessionEndTool = tool({
  name: 'pawl_session_end',
  title: 'End a session',
  description: `Ends a session: validates what was kept, writes its report and saves its lessons. ${RETURNS_STATUS} outcome says whether the goal was reached.`,
  effect: 'works',
  isIdempotent: true,
  input: z.strictObject({
    session: sessionField,
    summary: sentence.optional().describe('The outcome, in your words.'),
    wait_s: waitField,
  }),
  output: sessionTold,
  async run(asked, call) {
    const { endSession } = await import('../../workflows/session.ts');
    const session = await endSession({ ...workOf(call), ...defined(asked) });
    return sessionAnswer(session);
  },
});

export const sessionRevertTool = tool({
  name: 'pawl_session_revert',
  title: 'Revert a try',
  description: `Restores the files that the last try changed, if it was not kept. Their present contents stay under a git ref. It overwrites files: ask the user first. ${RETURNS_STEP}`,
  effect: 'changes',
  input: z.strictObject({ session: sessionField }),
  output: stepTold,
  async run(asked, call) {
    const { revertTry } = await import('../../workflows/session.ts');
    const { session, files } = await revertTry({ ...workOf(call), ...defined(asked) });
    const { summary, value } = await stepAnswer(session);
    return { summary: `${files.length} files were restored. ${summary}`, value };
  },
});
