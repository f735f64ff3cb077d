/** `pawl.build/1`: what `pawl build --json` prints. */
import { z } from 'zod';

import { variantSchema } from '../problem/variant.ts';

export const BUILD_SCHEMA = 'pawl.build/1';

/** What the compiler says one GPU function takes, for one architecture. */
export const kernelResourcesSchema = z.object({
  /** As a person reads it, where it could be demangled. */
  function: z.string(),
  /** As it stands in the binary. */
  symbol: z.string(),
  arch: z.string(),
  registers: z.int().nonnegative(),
  spill_store_bytes: z.int().nonnegative(),
  spill_load_bytes: z.int().nonnegative(),
  stack_bytes: z.int().nonnegative(),
  /** Static shared memory; dynamic shared memory is only known at launch. */
  smem_bytes: z.int().nonnegative(),
  cmem_bytes: z.int().nonnegative(),
  /** Absent from compilers that do not say (CUDA 11). */
  barriers: z.int().nonnegative().optional(),
});
export type KernelResources = z.infer<typeof kernelResourcesSchema>;

const compilerInfoSchema = z.object({ path: z.string(), name: z.string(), version: z.string() });
export type CompilerInfo = z.infer<typeof compilerInfoSchema>;

const buildFailureReasonSchema = z.enum([
  'compiler-missing',
  'source-missing',
  'compile-error',
  /** The compiler was killed, or had no room to write: the machine's doing, not the source's. */
  'out-of-resources',
  'timed-out',
  'cancelled',
]);
export type BuildFailureReason = z.infer<typeof buildFailureReasonSchema>;

const builtPart = {
  kernel: z.string(),
  /** The library that is measured, or the one that says what is right. */
  part: z.enum(['kernel', 'oracle', 'generator', 'checker']),
  language: z.enum(['c', 'c++', 'cuda', 'python']),
  variant: variantSchema,
};

const commands = z.array(z.array(z.string()));

export const builtItemSchema = z.discriminatedUnion('status', [
  z.object({
    ...builtPart,
    status: z.enum(['built', 'cached']),
    artifact: z.string(),
    sha256: z.string(),
    key: z.string(),
    compiler: compilerInfoSchema,
    flags: z.array(z.string()),
    arch: z.array(z.string()),
    resources: z.array(kernelResourcesSchema),
    duration_ms: z.number().nonnegative(),
    commands,
    log: z.string(),
  }),
  /** A dry run: what would be done, and whether the cache would answer instead. */
  z.object({ ...builtPart, status: z.literal('planned'), cached: z.boolean(), commands }),
  z.object({
    ...builtPart,
    status: z.literal('failed'),
    reason: buildFailureReasonSchema,
    message: z.string(),
    hint: z.string().optional(),
    log: z.string(),
    commands,
  }),
  z.object({ ...builtPart, status: z.literal('skipped'), reason: z.string() }),
]);
export type BuiltItem = z.infer<typeof builtItemSchema>;

export const buildReportSchema = z.object({
  schema: z.literal(BUILD_SCHEMA),
  kernels: z.array(builtItemSchema),
  duration_ms: z.number().nonnegative(),
});
export type BuildReport = z.infer<typeof buildReportSchema>;
