/** What `runner/python/pawl_inspect.py` answers. It ran code of the file, so nothing of it is taken on trust. */
import { z } from 'zod';

import { dtypeSchema } from '../../model/tensor.ts';

const parameterSchema = z.object({ name: z.string(), has_default: z.boolean(), by_name: z.boolean() });

export const refusedSchema = z.object({ ok: z.literal(false), message: z.string() });

export const lookedSchema = z.object({
  ok: z.literal(true),
  functions: z.array(
    z.object({ name: z.string(), line: z.int().positive(), parameters: z.array(parameterSchema) }),
  ),
  classes: z.array(
    z.object({ name: z.string(), line: z.int().positive(), forward: z.array(parameterSchema).nullable() }),
  ),
  /** Whole numbers that the file gives names at its top level. */
  constants: z.record(z.string(), z.int()),
  imports: z.array(z.string()),
  /** What else it assigns there. */
  names: z.array(z.string()),
  /** It has Triton, CUDA sources or `.cuda()`. */
  needs_gpu: z.boolean(),
});
export type Looked = z.infer<typeof lookedSchema>;

const extentSchema = z.int().nonnegative();
const formSchema = z.object({ dtype: dtypeSchema, shape: z.array(extentSchema) });
export type Form = z.infer<typeof formSchema>;

const callSchema = z.object({
  ok: z.literal(true),
  inputs: z.array(formSchema),
  /** What the constructor got, as text. */
  init: z.string(),
  weights: z.array(formSchema.extend({ name: z.string() })),
  outputs: z.array(formSchema),
  /** Null where nothing was computed. */
  call_s: z.number().nonnegative().nullable(),
});
export type Called = z.infer<typeof callSchema>;

export const calledSchema = z.object({
  ok: z.literal(true),
  calls: z.array(z.discriminatedUnion('ok', [callSchema, refusedSchema])),
  versions: z.record(z.string(), z.string()),
});
export type CalledAll = z.infer<typeof calledSchema>;

/** One call: with which constants, and whether it computes. */
export interface CallRequest {
  readonly constants: Readonly<Record<string, number>>;
  readonly on: 'meta' | 'cpu';
  /** Inputs where the file makes none itself. */
  readonly inputs?: readonly Form[];
  /** Whole numbers that are passed by name. */
  readonly keywords?: Readonly<Record<string, number>>;
}

export interface InspectedFile {
  readonly file: string;
  readonly function: string;
  readonly framework: 'torch' | 'numpy';
  /** The first call that takes longer is the last. */
  readonly most_s?: number;
}
