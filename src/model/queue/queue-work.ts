/** What a worker without a database asks `pawl serve --judge`: one operation in, one answer out. */
import { z } from 'zod';

import { judgementErrorSchema, judgementSchema } from './judgement.ts';

const workerSchema = z.string().regex(/^[\w.:~-]{1,200}$/);
const judgeSchema = z.strictObject({
  problem: z.string().min(1).max(200),
  device_class: z.string().min(1).max(300),
  identity: z.string().regex(/^[0-9a-f]{64}$/),
  reference: z.string().min(1).max(200),
});
const judgesSchema = z.array(judgeSchema).min(1).max(100);
const leaseKeySchema = z.strictObject({ id: z.string().max(100), generation: z.int().positive() });
const lease_s = z.number().positive().max(86_400);

export const workRequestSchema = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('join'), worker: workerSchema, judges: judgesSchema }),
  z.strictObject({ op: z.literal('leave'), worker: workerSchema }),
  z.strictObject({
    op: z.literal('lease'),
    worker: workerSchema,
    judges: judgesSchema,
    holds: z.int().nonnegative(),
    lease_s,
  }),
  z.strictObject({
    op: z.literal('beat'),
    worker: workerSchema,
    held: z.array(leaseKeySchema).max(1000),
    lease_s,
  }),
  z.strictObject({
    op: z.literal('answer'),
    worker: workerSchema,
    lease: leaseKeySchema,
    judgement: judgementSchema,
  }),
  z.strictObject({
    op: z.literal('fail'),
    worker: workerSchema,
    lease: leaseKeySchema,
    error: judgementErrorSchema.shape.error,
  }),
  z.strictObject({ op: z.literal('return'), worker: workerSchema, lease: leaseKeySchema }),
]);
export type WorkRequest = z.input<typeof workRequestSchema>;

export const workAnswerSchema = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('leased'),
    id: z.string(),
    generation: z.int().positive(),
    judge: judgeSchema,
    files: z.record(z.string(), z.string()),
    sources_sha256: z.string(),
    alone: z.boolean(),
  }),
  z.object({ state: z.literal('nothing') }),
  z.object({ state: z.literal('drain') }),
  /** `counts`: whether the lease was still the worker's. `kept`: of a beat, which leases are. */
  z.object({
    state: z.literal('done'),
    counts: z.boolean().optional(),
    kept: z.array(z.string()).optional(),
  }),
]);
export type WorkAnswer = z.infer<typeof workAnswerSchema>;
