/** What a study is about, and how it was asked to search. Written once, at its start; a resumed study keeps to it. */
import { z } from 'zod';

import { modeSchema } from '../measure/protocol.ts';
import { variantSchema } from '../problem/variant.ts';

/** What must not change while a study lasts: its trials would no longer be of one thing. */
export const studyIdentitySchema = z.object({
  /** Of the kernel's and the oracle's sources, and of the headers that they include by name. */
  sources: z.string(),
  /** Compiler, flags and architectures. */
  build: z.string(),
  /** Tunables with their values, and constraints. */
  space: z.string(),
  /** Dimensions and tensors. */
  case: z.string(),
  mode: modeSchema,
  /** The model of the device, not which one it is. */
  device: z.string(),
});
export type StudyIdentity = z.infer<typeof studyIdentitySchema>;

export const studySettingsSchema = z.object({
  sampler: z.string(),
  /** Of the sampler; inputs are drawn from fresh seeds. */
  seed: z.int().nonnegative(),
  /** Trials to spend, rejected ones included; absent: until time, money or variants run out. */
  trials: z.int().positive().optional(),
  /** Time to spend, confirmation included. */
  budget_s: z.number().positive().optional(),
  /** Money to spend on the device, in the currency of pawl.yaml. */
  max_cost: z.number().positive().optional(),
  /** Spread-out variants before the model; absent: as the sampler thinks best. */
  start: z.int().nonnegative().optional(),
  /** Finalists that are measured again against the default. */
  confirm: z.int().nonnegative(),
  /** Fresh processes and samples of a trial. */
  processes: z.int().positive(),
  samples: z.int().positive(),
  /** Winners of earlier studies, to be tried first. */
  warm: z.array(variantSchema),
});
export type StudySettings = z.infer<typeof studySettingsSchema>;

const parameterSchema = z.object({
  name: z.string(),
  kind: z.enum(['ordered', 'categorical', 'boolean']),
  values: z.array(z.union([z.number(), z.boolean(), z.string()])),
});
export type StudyParameter = z.infer<typeof parameterSchema>;

export const studySubjectSchema = z.object({
  id: z.string(),
  kernel: z.string(),
  case: z.string(),
  mode: modeSchema,
  dims: z.record(z.string(), z.number()),
  /** What one call does, where the problem says. */
  operations: z.number().nonnegative().optional(),
  bytes: z.number().nonnegative().optional(),
  device: z.object({
    kind: z.enum(['cpu', 'cuda']),
    name: z.string(),
    uuid: z.string().optional(),
  }),
  default: variantSchema,
  space: z.object({
    parameters: z.array(parameterSchema),
    constraints: z.array(z.string()),
    /** All combinations of values. */
    product: z.number().positive(),
    /** Those that satisfy every constraint; absent where they are too many to count. */
    size: z.number().nonnegative().optional(),
    /** Both in words; an estimate with its interval. */
    extent: z.string(),
  }),
  created_at: z.iso.datetime(),
  commit: z.string().optional(),
  dirty: z.boolean().optional(),
});
export type StudySubject = z.infer<typeof studySubjectSchema>;
