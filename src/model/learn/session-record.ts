/** A line of a session's journal. What they amount to is `pawl.session/1`. */
import { z } from 'zod';

import { adviceSchema, predictionSchema } from './advice.ts';
import { runCostSchema } from '../device/cost.ts';
import { gateResultSchema, phaseIdSchema } from './gate.ts';
import { judgeFieldsSchema } from '../judge/judge-change.ts';
import { lessonSchema, warningSchema } from './lesson.ts';
import { annotationSchema, goalSchema, noteSchema, sessionReferenceSchema, trySchema } from './session.ts';
import { TRY_OUTCOMES } from './try-outcome.ts';

const at = z.iso.datetime();

/** A gate of the method, as it was when the session started. */
const plannedGateSchema = gateResultSchema.pick({ gate: true, phase: true, title: true });

const recordSchemas = [
  z.object({
    type: z.literal('started'),
    at,
    id: z.string(),
    goal: goalSchema,
    kernel: z.string(),
    kind: z.string(),
    reference: sessionReferenceSchema,
    device: z.string().optional(),
    by: z.string().optional(),
    prediction: predictionSchema,
    warnings: z.array(warningSchema),
    gates: z.array(plannedGateSchema),
    phases: z.array(
      z.object({ phase: phaseIdSchema, title: z.string().optional(), budget_s: z.number().positive() }),
    ),
    /** The files as they were, as a commit. */
    state: z.string(),
    cost: runCostSchema.optional(),
  }),
  z.object({
    type: z.literal('gate'),
    at,
    result: gateResultSchema,
    /** Whether nothing goes on when it fails or is unknown. */
    stops: z.boolean(),
    cost: runCostSchema.optional(),
  }),
  z.object({ type: z.literal('overridden'), at, gate: z.string(), reason: z.string(), by: z.string() }),
  z.object({ type: z.literal('advised'), at, advice: adviceSchema }),
  noteSchema.extend({ type: z.literal('noted'), at }),
  z.object({
    type: z.literal('tried'),
    at,
    try: trySchema.omit({ measured: true, outcome: true, share_of_predicted: true, kept: true }),
  }),
  z.object({
    type: z.literal('measured'),
    at,
    number: z.int().positive(),
    measured: trySchema.shape.measured,
    outcome: z.enum(TRY_OUTCOMES),
    share_of_predicted: z.number().optional(),
    /** Of lessons that know what its build or its run said. */
    warnings: z.array(warningSchema),
    cost: runCostSchema.optional(),
  }),
  z.object({
    type: z.literal('kept'),
    at,
    number: z.int().positive(),
    kept: z.boolean(),
    /** The state that the next try is compared with, where it is kept. */
    state: z.string().optional(),
  }),
  z.object({ type: z.literal('learnt'), at, number: z.int().positive(), text: z.string() }),
  z.object({ type: z.literal('annotated'), at, annotation: annotationSchema }),
  z.object({
    type: z.literal('ended'),
    at,
    outcome: z.object({
      reached: z.boolean(),
      speedup: z.number().positive().optional(),
      minutes: z.number().nonnegative(),
      summary: z.string(),
      ...judgeFieldsSchema.shape,
    }),
    lessons: z.array(lessonSchema),
  }),
] as const;

export const sessionRecordSchema = z.discriminatedUnion('type', recordSchemas);
export type SessionRecord = z.infer<typeof sessionRecordSchema>;
export type StartedRecord = Extract<SessionRecord, { type: 'started' }>;

type Untimed<Kind> = Kind extends SessionRecord ? Omit<Kind, 'at'> : never;
/** The journal knows the time. */
export type UntimedSessionRecord = Untimed<SessionRecord>;
