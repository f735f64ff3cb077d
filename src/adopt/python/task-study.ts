/** What `runner/python/pawl_inspect_suites.py` answers about a task of GPU MODE. It ran code of the suite, so it is not trusted. */
import { z } from 'zod';

import { dtypeSchema } from '../../model/problem/tensor.ts';
import { refusedSchema } from './inspection.ts';

const formSchema = z.object({ dtype: dtypeSchema, shape: z.array(z.int().nonnegative()) });

const toleranceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('close'), rtol: z.number(), atol: z.number() }),
  /** The judge looks at something else than the difference from an expected output. */
  z.object({ kind: z.literal('property') }),
  /** The judge refuses the reference's own result. */
  z.object({ kind: z.literal('failed'), message: z.string() }),
]);

const setSchema = z.object({
  ok: z.literal(true),
  inputs: z.array(formSchema.extend({ name: z.string(), inout: z.boolean() })),
  /** `place`: the input whose memory it lies in, or that is there for it. */
  outputs: z.array(formSchema.extend({ place: z.int().nonnegative().nullable() })),
  bytes: z.number().nonnegative(),
  /** Null where nothing was computed. */
  call_s: z.number().nonnegative().nullable(),
  tolerance: toleranceSchema.nullable(),
  /** Why nothing could be computed. */
  obstacle: z.string().optional(),
});
export type StudiedSet = z.infer<typeof setSchema>;

export const taskStudySchema = z.object({
  ok: z.literal(true),
  sets: z.array(z.discriminatedUnion('ok', [setSchema, refusedSchema])),
  /** What parameters of generate_input are where a set does not name them. */
  defaults: z.record(z.string(), z.union([z.boolean(), z.number(), z.string()])),
  versions: z.record(z.string(), z.string()),
});
export type TaskStudy = z.infer<typeof taskStudySchema>;

export interface TaskRequest {
  readonly files: Readonly<Record<string, string>>;
  readonly sets: readonly object[];
  /** Computes as long as calls are quick, to know which sizes are. */
  readonly computes: boolean;
  readonly quick_s: number;
}
