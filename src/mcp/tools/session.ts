import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { RULE_IDS } from '../../model/diagnosis-words.ts';
import { SESSION_STATES, type SessionSummary } from '../../model/session.ts';
import { cutList, listSchema } from '../bounded.ts';
import {
  caseField,
  kernelField,
  processesField,
  reasonField,
  revisionField,
  variantField,
  waitField,
} from '../inputs.ts';
import { tool } from '../tool.ts';
import { nameOf, nameSchema, own, untrusted, untrustedSchema } from '../untrusted.ts';
import { judgeSentence } from './judge-value.ts';
import {
  sessionOutput,
  sessionSummary,
  sessionValue,
  stepOutput,
  stepValue,
  tryOutput,
  tryValue,
} from './session-value.ts';

const sessionField = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,119}$/)
  .optional()
  .describe('Its id (default: the latest that is open).');
const sentence = z.string().trim().min(1).max(2000);
/** Whose name stands beside what is recorded: a person did not write it. */
const BY = 'assistant over MCP';
const gateField = z.string().regex(/^[a-z][a-z0-9-]{0,79}$/);

export const sessionStartTool = tool({
  name: 'pawl_session_start',
  title: 'Start a session',
  description:
    'Opens a session of optimisation with a goal such as "1.2x on training_512", and predicts its time and speed-up from earlier ones. Then evaluate its gates with pawl_session_check.',
  effect: 'works',
  input: z.strictObject({
    goal: z.string().trim().min(1).max(200).describe('A factor and a case: 1.2x on training_512.'),
    kernel: kernelField.optional(),
    case: caseField.optional(),
    reference: revisionField
      .optional()
      .describe('A kernel of the same problem, or a commit. Default: the files as they are.'),
    wait_s: waitField,
  }),
  output: sessionOutput,
  async run({ goal, kernel, case: name, reference, wait_s }, { project, ...working }) {
    const { startSession } = await import('../../workflows/session.ts');
    const session = await startSession({
      config: project.config,
      goal,
      by: BY,
      ...defined({ kernel, case: name, reference }),
      wait_s,
      ...working,
    });
    return { summary: sessionSummary(session), value: sessionValue(session) };
  },
});

export const sessionStatusTool = tool({
  name: 'pawl_session_status',
  title: 'Where a session stands',
  description: 'Gates, tries, advice, time and what comes next. The report is pawl://session/{id}/report.',
  effect: 'reads',
  input: z.strictObject({
    session: sessionField,
    all_gates: z.boolean().optional().describe('Also those that passed or do not apply.'),
  }),
  output: sessionOutput,
  async run({ session: id, all_gates: allGates }, { project }) {
    const { sessionStatus } = await import('../../workflows/session.ts');
    const session = await sessionStatus({ config: project.config, ...defined({ session: id }) });
    return { summary: sessionSummary(session), value: sessionValue(session, { allGates }) };
  },
});

export const sessionListTool = tool({
  name: 'pawl_session_list',
  title: 'Sessions',
  description: 'Sessions of this project, newest first, also those that the history knows from elsewhere.',
  effect: 'reads',
  input: z.strictObject({ limit: z.int().min(1).max(100).default(20) }),
  output: z.object({
    sessions: listSchema(
      z.object({
        id: z.string(),
        title: untrustedSchema,
        kernel: nameSchema,
        state: z.enum(SESSION_STATES),
        started_at: z.string(),
        tries: z.int(),
        speedup: z.number().optional(),
        minutes: z.number(),
      }),
    ),
  }),
  async run({ limit }, { project }) {
    const { listSessions } = await import('../../workflows/session.ts');
    const sessions = await listSessions({ config: project.config });
    return {
      summary: `${sessions.length} sessions.`,
      value: { sessions: cutList(sessions.map(lineValue), limit, 'Ask with a larger limit.') },
    };
  },
});

function lineValue({ id, title, kernel, state, started_at, tries, speedup, minutes }: SessionSummary) {
  return {
    id: own(id),
    title: untrusted(title),
    kernel: nameOf(kernel),
    state,
    started_at: own(started_at),
    tries,
    ...defined({ speedup }),
    minutes,
  };
}

export const sessionCheckTool = tool({
  name: 'pawl_session_check',
  title: 'Evaluate the gates of a session',
  description:
    'Evaluates the next gates in order from measurements, until one stops: it says why, and what to do. May build, run, measure and profile, for minutes. Name gates to evaluate those again.',
  effect: 'works',
  input: z.strictObject({
    session: sessionField,
    gates: z.array(gateField).min(1).max(50).optional(),
    validate: z.boolean().optional().describe('Also the gates of validation, which come last.'),
    processes: processesField,
    wait_s: waitField,
  }),
  output: stepOutput,
  async run({ session: id, gates, validate, processes, wait_s }, { project, ...working }) {
    const { evaluateGates } = await import('../../workflows/session.ts');
    const session = await evaluateGates({
      config: project.config,
      ...defined({ session: id, gates, validate, processes }),
      wait_s,
      ...working,
    });
    return { summary: sessionSummary(session), value: stepValue(session) };
  },
});

export const sessionTryTool = tool({
  name: 'pawl_session_try',
  title: 'Try one change',
  description:
    'Measures what changed since the last state that was kept (files as they are, or set for tunables) against it, and records hypothesis, change, prediction and outcome. Warns of lessons and of earlier tries that failed, and flags guesses and more than one change at a time; a try that is held back needs a reason in anyway. look: only look at the change, measure nothing. Files are never changed.',
  effect: 'works',
  input: z.strictObject({
    session: sessionField,
    hypothesis: sentence.describe('What should become faster, and why.'),
    rule: z.enum(RULE_IDS).optional().describe('The finding that it follows.'),
    idea: z.string().trim().min(1).max(200).optional().describe('Tries of one idea are counted together.'),
    predict: z
      .number()
      .min(-100)
      .max(100)
      .optional()
      .describe('Expected change in percent; positive is faster.'),
    set: variantField,
    anyway: reasonField.optional().describe('Why it is measured in spite of its flags.'),
    learnt: sentence.optional().describe('What it taught.'),
    look: z.boolean().optional(),
    processes: processesField,
    wait_s: waitField,
  }),
  output: z.object({ measured: z.boolean(), try: tryOutput, session: stepOutput }),
  async run(
    { session: id, hypothesis, rule, idea, predict, set, anyway, learnt, look, processes, wait_s },
    { project, ...working },
  ) {
    const { tryChange } = await import('../../workflows/session.ts');
    const tried = await tryChange({
      config: project.config,
      hypothesis,
      ...defined({ session: id, rule, idea, predict, set, anyway, learnt, processes }),
      measure: look !== true,
      wait_s,
      ...working,
    });
    const { outcome, flags } = tried.try;
    const doubts = flags.length === 0 ? '' : ` Flags: ${flags.join(', ')}.`;
    return {
      summary: tried.measured
        ? `Measured: ${outcome ?? 'undecided'}.${doubts}${judgeSentence(tried.try.measured ?? {})}`
        : `Not measured: ${look === true ? 'only looked at' : 'held back'}.${doubts}`,
      value: { measured: tried.measured, try: tryValue(tried.try), session: stepValue(tried.session) },
    };
  },
});

export const sessionNoteTool = tool({
  name: 'pawl_session_note',
  title: 'Note something in a session',
  description: 'Writes a note, or with try what that try has taught, into the session.',
  effect: 'works',
  input: z.strictObject({
    session: sessionField,
    text: sentence,
    try: z.int().positive().optional(),
  }),
  output: stepOutput,
  async run({ session: id, text, try: number }, { project, ...working }) {
    const { noteInSession } = await import('../../workflows/session.ts');
    const session = await noteInSession({
      config: project.config,
      text,
      by: BY,
      ...defined({ session: id, try: number }),
      ...working,
    });
    return { summary: sessionSummary(session), value: stepValue(session) };
  },
});

export const sessionOverrideTool = tool({
  name: 'pawl_session_override',
  title: 'Go on past a gate',
  description:
    'Goes on although a gate stopped the session. The reason is recorded and stands in the report. Only the user decides this: ask first.',
  effect: 'works',
  isIdempotent: true,
  input: z.strictObject({ session: sessionField, gate: gateField, reason: reasonField }),
  output: stepOutput,
  async run({ session: id, gate, reason }, { project, ...working }) {
    const { overrideGate } = await import('../../workflows/session.ts');
    const session = await overrideGate({
      config: project.config,
      gate,
      reason,
      by: BY,
      ...defined({ session: id }),
      ...working,
    });
    return { summary: sessionSummary(session), value: stepValue(session) };
  },
});

export const sessionEndTool = tool({
  name: 'pawl_session_end',
  title: 'End a session',
  description:
    'Ends a session, validates first what was kept, writes its report and keeps what it taught for the next one.',
  effect: 'works',
  isIdempotent: true,
  input: z.strictObject({ session: sessionField, summary: sentence.optional(), wait_s: waitField }),
  output: sessionOutput,
  async run({ session: id, summary, wait_s }, { project, ...working }) {
    const { endSession } = await import('../../workflows/session.ts');
    const session = await endSession({
      config: project.config,
      ...defined({ session: id, summary }),
      wait_s,
      ...working,
    });
    return { summary: sessionSummary(session), value: sessionValue(session) };
  },
});

export const sessionRevertTool = tool({
  name: 'pawl_session_revert',
  title: 'Take a try back',
  description:
    'Puts back the files that the last try touched, where it was not kept. What they are now stays under a git ref. It writes over files: ask the user first.',
  effect: 'changes',
  input: z.strictObject({ session: sessionField }),
  output: stepOutput,
  async run({ session: id }, { project, ...working }) {
    const { revertTry } = await import('../../workflows/session.ts');
    const { session, files } = await revertTry({
      config: project.config,
      ...defined({ session: id }),
      ...working,
    });
    return {
      summary: `${files.length} files were put back. ${sessionSummary(session)}`,
      value: stepValue(session),
    };
  },
});
