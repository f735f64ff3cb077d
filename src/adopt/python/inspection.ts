/** What `runner/python/pawl_inspect.py` answers. It ran code of the file, so nothing of it is taken on trust. */
import { z } from 'zod';

import { dtypeSchema } from '../../model/problem/tensor.ts';

const parameterSchema = z.object({ name: z.string(), has_default: z.boolean(), by_name: z.boolean() });

export const refusedSchema = z.object({ ok: z.literal(false), message: z.string() });

/** One setting of a Triton kernel: values by parameter. */
const configSchema = z.record(z.string(), z.union([z.number(), z.boolean(), z.string()]));
export type TritonConfig = z.infer<typeof configSchema>;

const tritonSchema = z.object({
  kernels: z.array(
    z.object({
      name: z.string(),
      line: z.int().positive(),
      constants: z.array(z.string()),
      /** Null: it has no autotuner. Its configurations, or why they cannot be read. */
      autotune: z
        .object({ configs: z.array(configSchema).min(1).nullable(), unknown: z.string().nullable() })
        .nullable(),
    }),
  ),
  /** Functions that launch kernels. */
  hosts: z.array(
    z.object({
      name: z.string(),
      line: z.int().positive(),
      parameters: z.array(parameterSchema),
      /** It is `apply` of an autograd function, which takes no keywords. */
      applied: z.boolean(),
      returns: z.boolean(),
      launches: z.array(
        z.object({
          kernel: z.string(),
          line: z.int().positive(),
          /** Numbers that the launch gives the kernel's constants, and that nothing else depends on. */
          literals: z.record(z.string(), z.int()),
        }),
      ),
      /** Its own parameters that are constants of a kernel, with their defaults. */
      settings: z.record(z.string(), z.int()),
      /** First and last lines of what the file computes when it is imported and this function does not need. */
      left_out: z.array(z.tuple([z.int(), z.int()])),
    }),
  ),
  /** Plain functions that by their names say what is right, with all that they need of the file. */
  references: z.array(
    z.object({
      name: z.string(),
      parameters: z.array(parameterSchema),
      source: z.string(),
      imports: z.array(z.string()),
    }),
  ),
});
export type TritonFound = z.infer<typeof tritonSchema>;
export type TritonHost = TritonFound['hosts'][number];

export const lookedSchema = z.object({
  ok: z.literal(true),
  functions: z.array(
    z.object({ name: z.string(), line: z.int().positive(), parameters: z.array(parameterSchema) }),
  ),
  classes: z.array(
    z.object({
      name: z.string(),
      line: z.int().positive(),
      /** Parameters of its methods, its own or inherited within the file, without `self`. */
      forward: z.array(parameterSchema).nullable(),
      init: z.array(parameterSchema),
      /** By its bases, as far as the file tells. */
      is_module: z.boolean(),
    }),
  ),
  /** Whole numbers that the file gives names at its top level. */
  constants: z.record(z.string(), z.int()),
  imports: z.array(z.string()),
  /** What else it assigns there. */
  names: z.array(z.string()),
  /** It has Triton, CUDA sources or `.cuda()`. */
  needs_gpu: z.boolean(),
  /** Null: it does not import Triton. */
  triton: tritonSchema.nullable(),
});
export type Looked = z.infer<typeof lookedSchema>;

const extentSchema = z.int().nonnegative();
const formSchema = z.object({
  dtype: dtypeSchema,
  shape: z.array(extentSchema),
  /** Of an input whose elements do not lie one after the other. */
  strides: z.array(extentSchema).optional(),
  offset: extentSchema.optional(),
});
export type Form = z.infer<typeof formSchema>;

const callSchema = z.object({
  ok: z.literal(true),
  /** Tensors among them ... */
  inputs: z.array(formSchema),
  /** ... and numbers, each with its place among all of them. */
  numbers: z
    .array(z.object({ at: z.int().nonnegative(), value: z.number(), whole: z.boolean() }))
    .default([]),
  /** What the constructor got, as text. */
  init: z.string(),
  weights: z.array(formSchema.extend({ name: z.string() })),
  outputs: z.array(formSchema),
  /** Null where nothing was computed. */
  call_s: z.number().nonnegative().nullable(),
  /** Of a module: its calls draw random numbers. */
  random: z.boolean().default(false),
  /** Of a module: it works on double precision. */
  doubles: z.boolean().default(true),
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
  /** What a class is built with, where the file does not say that itself. */
  readonly init?: readonly unknown[] | Readonly<Record<string, unknown>>;
  /** Of the file only what the function needs is run. */
  readonly only?: boolean;
  /** The first call that takes longer is the last. */
  readonly most_s?: number;
  /** No call begins later, except the first. */
  readonly all_s?: number;
}
