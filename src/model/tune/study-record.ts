/** A study as it happens: one record a line in `.pawl/studies/<id>/journal.jsonl`. */
import { z } from 'zod';

import { confirmationSchema, studySchema } from './study-report.ts';
import { studyIdentitySchema, studySettingsSchema, studySubjectSchema } from './study-settings.ts';
import { trialOutcomeSchema, trialSchema } from './study.ts';

/** Seconds of the study's clock, which stops while no worker runs. */
const at_s = z.number().nonnegative();

export const studyRecordSchema = z.discriminatedUnion('type', [
  /** The first line. */
  z.object({
    type: z.literal('study'),
    at_s,
    schema: z.literal('pawl.study-journal/1'),
    subject: studySubjectSchema,
    identity: studyIdentitySchema,
    settings: studySettingsSchema,
  }),
  /** A run begins to work on it, the first time or again. Journals of earlier versions have this word for it. */
  z.object({
    type: z.literal('session'),
    at_s,
    owner: z.object({ pid: z.int(), start_ticks: z.string(), boot_id: z.string() }),
    started_at: z.iso.datetime(),
    settings: studySettingsSchema,
  }),
  z.object({
    type: z.literal('trial'),
    at_s,
    trial: trialSchema.pick({ number: true, variant: true, phase: true, worker: true }),
    token: z.string(),
  }),
  /** A trial whose holder is gone has a new one. */
  z.object({
    type: z.literal('lease'),
    at_s,
    number: z.int().positive(),
    worker: z.string(),
    token: z.string(),
  }),
  z.object({
    type: z.literal('outcome'),
    at_s,
    number: z.int().positive(),
    token: z.string(),
    outcome: trialOutcomeSchema,
    details: trialSchema.pick({
      resources: true,
      build_s: true,
      measure_s: true,
      device: true,
      binary: true,
      same_binary_as: true,
    }),
  }),
  z.object({
    type: z.literal('searched'),
    at_s,
    ended_by: z.string(),
    builds_at_once: z.int().nonnegative(),
  }),
  z.object({ type: z.literal('confirmation'), at_s, confirmation: confirmationSchema }),
  z.object({ type: z.literal('finished'), at_s, result: studySchema.shape.result, reason: z.string() }),
]);
export type StudyRecord = z.infer<typeof studyRecordSchema>;
/** The record without its time, which the journal adds. */
export type UntimedRecord = StudyRecord extends infer Each
  ? Each extends StudyRecord
    ? Omit<Each, 'at_s'>
    : never
  : never;
