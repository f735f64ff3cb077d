/**
 * `pawl.session/1`: one stretch of optimisation work: gates, tries, notes, time, cost and its outcome.
 * `.pawl/sessions/<id>/journal.jsonl` has a line for everything that happened; the document is what they amount to.
 */
import { z } from 'zod';

import { adviceSchema, predictionSchema } from './advice.ts';
import { intervalSchema, verdictSchema } from '../judge/comparison.ts';
import { runCostSchema } from '../device/cost.ts';
import { RULE_IDS } from '../profile/diagnosis-words.ts';
import { gateResultSchema, phaseIdSchema } from './gate.ts';
import { judgeFieldsSchema } from '../judge/judge-change.ts';
import { lessonSchema, warningSchema } from './lesson.ts';
import { variantSchema } from '../problem/variant.ts';
import { TRY_OUTCOMES } from './try-outcome.ts';

export const SESSION_SCHEMA = 'pawl.session/1';

export const goalSchema = z.object({
  /** As it was said: "1.2x on training_512". */
  text: z.string(),
  speedup: z.number().positive(),
  case: z.string(),
});
export type Goal = z.infer<typeof goalSchema>;

/** What the kernel is measured against: another kernel of the problem, or a commit. */
export const sessionReferenceSchema = z.object({
  kernel: z.string().optional(),
  commit: z.string().optional(),
  /** As the commit was named; without it the commit is the state that the session started from. */
  revision: z.string().optional(),
});

/** Why a try is doubtful. Flags are recorded; those that stop need a reason to go on. */
const TRY_FLAGS = [
  /** More than one variable changed: the effect cannot be attributed to one of them. */
  'several-variables',
  /** Nothing changed since the state that it is compared with. */
  'no-change',
  /** It was tried before and did not help. */
  'repeats-failed-try',
  /** A lesson warns of it. */
  'against-a-lesson',
  /** No profile of the state it starts from. */
  'no-profile',
  /** As many tries were spent on this idea as the method's `tries_per_idea` allows. */
  'idea-exhausted',
  /** No finding is named that it follows. */
  'guess',
] as const;
const tryFlagSchema = z.enum(TRY_FLAGS);
export type TryFlag = z.infer<typeof tryFlagSchema>;

/** One thing that a change touches: a tunable, a compiler flag, a function of a source file. */
const variableSchema = z.object({
  kind: z.enum(['tunable', 'constant', 'function', 'file', 'flag']),
  name: z.string(),
  from: z.string().optional(),
  to: z.string().optional(),
});
export type Variable = z.infer<typeof variableSchema>;

export const trySchema = z.object({
  number: z.int().positive(),
  opened_at: z.string(),
  hypothesis: z.string(),
  /** The finding that it follows, and the idea: tries of one idea are counted together. */
  rule: z.enum(RULE_IDS).optional(),
  idea: z.string(),
  predicted_change_pct: z.number().optional(),
  /** What the rule promised in the profile that the try follows, percent of the kernel's time: outcomes are held against it. */
  rule_gain_pct: z.number().optional(),
  change: z.object({
    /** Unified, cut at 64 KiB. */
    diff: z.string(),
    truncated: z.boolean(),
    files: z.array(z.string()),
    variant: variantSchema.optional(),
    variables: z.array(variableSchema),
    /** The two states as commits, kept under `refs/pawl/sessions/`. */
    base: z.string().optional(),
    head: z.string().optional(),
  }),
  flags: z.array(tryFlagSchema),
  warnings: z.array(warningSchema),
  /** Why it was measured in spite of its flags. */
  override: z.string().optional(),
  measured: z
    .object({
      at: z.string(),
      case: z.string(),
      verdict: verdictSchema,
      change_pct: z.number().optional(),
      ci_pct: intervalSchema.optional(),
      before_ms: z.number().positive().optional(),
      after_ms: z.number().positive().optional(),
      reason: z.string(),
      run: z.string().optional(),
      cost: runCostSchema.optional(),
      /** Against the state that the session started from, or the last whose judge was accepted. */
      ...judgeFieldsSchema.shape,
    })
    .optional(),
  outcome: z.enum(TRY_OUTCOMES).optional(),
  /** Of what was predicted, 1 is all of it; below 0.2 the idea is not what limits. */
  share_of_predicted: z.number().optional(),
  kept: z.boolean().optional(),
  /** What it taught, as the one who tried it says. */
  learnt: z.string().optional(),
});
/** One change that was tried in a session: the hypothesis, the change, the measurement and the outcome. */
export type Try = z.infer<typeof trySchema>;

const sessionPhaseSchema = z.object({
  phase: phaseIdSchema,
  /** What the method called it; absent in sessions of earlier versions. */
  title: z.string().optional(),
  /** Without pauses: time in which nothing happened for over `PAUSE_MIN` is not counted. */
  spent_s: z.number().nonnegative(),
  device_s: z.number().nonnegative(),
  budget_s: z.number().positive(),
});

export const noteSchema = z.object({
  at: z.string(),
  text: z.string(),
  by: z.string().optional(),
  /** Where it tells of a try that was held back: the flags that stopped it. */
  held_back: z.array(tryFlagSchema).optional(),
});

/** What an expert says of an exported session, when it is taken back in. */
export const annotationSchema = z.object({
  /** What it is about: `gate:room`, `try:2`, `session`. */
  about: z.string(),
  by: z.string(),
  at: z.string(),
  comment: z.string(),
  /** A correction becomes a lesson with the expert as its source. */
  lesson: lessonSchema.optional(),
});
export type Annotation = z.infer<typeof annotationSchema>;

const SESSION_STATES = ['open', 'stopped', 'ended'] as const;

export const sessionSchema = z.object({
  schema: z.literal(SESSION_SCHEMA),
  id: z.string(),
  /** Lines of its journal: of two documents of one session the one with more is the later. */
  revision: z.int().nonnegative(),
  goal: goalSchema,
  kernel: z.string(),
  /** The problem's name in pawl.yaml: what kind of kernel it is. */
  kind: z.string(),
  reference: sessionReferenceSchema,
  device: z.string().optional(),
  by: z.string().optional(),
  started_at: z.string(),
  ended_at: z.string().optional(),
  /** `stopped` at a gate: nothing goes on before that passes or is overridden. */
  state: z.enum(SESSION_STATES),
  phase: phaseIdSchema,
  prediction: predictionSchema,
  gates: z.array(gateResultSchema),
  tries: z.array(trySchema),
  notes: z.array(noteSchema),
  phases: z.array(sessionPhaseSchema),
  /** Ranked when the last profile was taken. */
  advice: adviceSchema.optional(),
  cost: runCostSchema,
  /** Over the reference at the goal's case: at the start, best so far or at the end. */
  speedup: z.object({ first: z.number().positive().optional(), best: z.number().positive().optional() }),
  /** Also the tries' own product over the start, where there is no reference. */
  outcome: z
    .object({
      reached: z.boolean(),
      speedup: z.number().positive().optional(),
      minutes: z.number().nonnegative(),
      summary: z.string(),
      ...judgeFieldsSchema.shape,
    })
    .optional(),
  lessons: z.array(lessonSchema),
  annotations: z.array(annotationSchema),
  /** What comes next, a command. */
  next: z.string(),
  /** Lessons and earlier tries that fit the kernel, when the session started. */
  warnings: z.array(warningSchema).optional(),
});
/** An optimisation session: its goal, gates, tries, notes and outcome (`pawl.session/1`). */
export type Session = z.infer<typeof sessionSchema>;

/** Tries that count: one that never ran, because it did not build, used up no chance. */
export function triesThatRan({ tries }: Pick<Session, 'tries'>): Try[] {
  return tries.filter(({ outcome }) => outcome !== undefined && outcome !== 'failed');
}

/** Of these, those on one idea. */
export function triesOnIdea(session: Pick<Session, 'tries'>, idea: string): Try[] {
  const plain = (text: string) => text.trim().toLowerCase();
  return triesThatRan(session).filter((one) => plain(one.idea) === plain(idea));
}

/** A line of a list. */
export const sessionSummarySchema = z.object({
  id: z.string(),
  title: z.string(),
  kernel: z.string(),
  kind: z.string(),
  device: z.string().optional(),
  state: z.enum(SESSION_STATES),
  phase: phaseIdSchema,
  started_at: z.string(),
  finished_at: z.string().optional(),
  tries: z.int().nonnegative(),
  speedup: z.number().positive().optional(),
  minutes: z.number().nonnegative(),
});
/** A session in a list: its title, state, number of tries and speed-up. */
export type SessionSummary = z.infer<typeof sessionSummarySchema>;
