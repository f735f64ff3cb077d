/** What `pawl export --torch` writes: an operator for PyTorch with its dispatch table and the proof of it. */
import { z } from 'zod';

import { fuzzedKernelSchema } from '../correctness/fuzz-report.ts';
import { modeSchema } from '../measure/protocol.ts';
import { scalarDtypeSchema } from '../problem/scalar.ts';
import { dtypeSchema, tensorRoleSchema, tensorSpecSchema } from '../problem/tensor.ts';
import { variantSchema } from '../problem/variant.ts';

export const TORCH_DISPATCH_SCHEMA = 'pawl.torch-dispatch/1';
export const TORCH_PROOF_SCHEMA = 'pawl.torch-proof/1';
export const TORCH_EXPORT_SCHEMA = 'pawl.torch-export/1';

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** A file of the package, by its path in it. */
const fileSchema = z.object({ file: z.string(), sha256: sha256Schema });
export type ExportedFile = z.infer<typeof fileSchema>;

const ruleSchema = z.object({
  atol: z.number(),
  rtol: z.number(),
  factor: z.number().optional(),
  share: z.number().optional(),
});

const dimSchema = z.object({
  name: z.string(),
  /** Read off an axis of this input, counted among inputs and inouts; absent: an argument of the operator. */
  tensor: z.int().nonnegative().optional(),
  axis: z.int().nonnegative().optional(),
});
export type OperatorDim = z.infer<typeof dimSchema>;

const operatorSchema = z.object({
  namespace: z.string(),
  name: z.string(),
  /** As PyTorch reads it. */
  schema: z.string(),
  problem: z.string(),
  device: z.enum(['cpu', 'cuda']),
  /** The model of the device that it was measured on. */
  device_name: z.string(),
  /** Of a kernel on the CPU: the lines of /proc/cpuinfo that tell the processor that its library was built on. */
  cpu: z.string().optional(),
  /** `python`: a module is called; `native`: libraries are. */
  language: z.enum(['native', 'python']),
  tensors: z.array(z.object({ name: z.string(), role: tensorRoleSchema, dtype: dtypeSchema })),
  dims: z.array(dimSchema),
  scalars: z.array(z.object({ name: z.string(), dtype: scalarDtypeSchema })),
  /** In the order of the schema. */
  arguments: z.array(z.object({ name: z.string(), default: z.number().optional() })),
});
export type TorchOperator = z.infer<typeof operatorSchema>;

/**
 * How it is known that a variant is what was measured: its machine code is the same, or all of its files are as at the
 * commit that was measured.
 */
export const SAME_CODE = ['machine-code', 'sources'] as const;

const exportedVariantSchema = z.object({
  kernel: z.string(),
  variant: variantSchema,
  same_code: z.enum(SAME_CODE),
  library: fileSchema.extend({ code_sha256: z.string().optional(), compiler: z.string() }).optional(),
  module: fileSchema.extend({ function: z.string() }).optional(),
});
export type ExportedVariant = z.infer<typeof exportedVariantSchema>;

const timeSchema = z.object({
  median_ms: z.number().positive(),
  /** 95 %, of the median of process medians. Absent of a study, whose own estimate is the speed-up. */
  ci_ms: z.tuple([z.number().positive(), z.number().positive()]).optional(),
  processes: z.int().nonnegative(),
  mode: modeSchema,
});

const originSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('baseline'),
    how: z.enum(['first', 'advance', 'accept', 'reset']),
    time: z.string(),
    commit: z.string().optional(),
    driver: z.string().optional(),
    toolchain: z.string(),
    binary_sha256: z.string().optional(),
  }),
  z.object({
    kind: z.literal('study'),
    id: z.string(),
    time: z.string(),
    commit: z.string().optional(),
    default_ms: z.number().positive().optional(),
    speedup: z.number().positive().optional(),
    speedup_ci: z.tuple([z.number().positive(), z.number().positive()]).optional(),
  }),
]);
export type RowOrigin = z.infer<typeof originSchema>;

const rowSchema = z.object({
  case: z.string(),
  dims: z.record(z.string(), z.number()),
  scalars: z.record(z.string(), z.number()),
  /** Its place in `variants`. */
  variant: z.int().nonnegative(),
  tensors: z.array(tensorSpecSchema),
  tolerance: ruleSchema.extend({ outputs: z.record(z.string(), ruleSchema).optional() }),
  time: timeSchema,
  origin: originSchema,
  /** What else the baseline has for this shape, slower. */
  others: z.array(z.object({ kernel: z.string(), variant: variantSchema, median_ms: z.number().positive() })),
});
export type DispatchRow = z.infer<typeof rowSchema>;

const oracleFactsSchema = z.object({
  language: z.enum(['c', 'c++', 'cuda', 'python']),
  library: fileSchema.optional(),
  module: fileSchema.optional(),
  function: z.string().optional(),
  reference: z.string().optional(),
  precision: z.literal('own').optional(),
});
export type OracleFacts = z.infer<typeof oracleFactsSchema>;

export const torchDispatchSchema = z.object({
  schema: z.literal(TORCH_DISPATCH_SCHEMA),
  operator: operatorSchema,
  oracle: oracleFactsSchema,
  variants: z.array(exportedVariantSchema).min(1),
  rows: z.array(rowSchema).min(1),
  /** `module:function` that takes what no row is for; absent: such calls are refused. */
  fallback: z.string().optional(),
});
export type TorchDispatch = z.infer<typeof torchDispatchSchema>;

export const torchProofSchema = z.object({
  schema: z.literal(TORCH_PROOF_SCHEMA),
  pawl: z.string(),
  exported_at: z.iso.datetime(),
  host: z.string(),
  commit: z.string().optional(),
  /** What the work tree held that the commit does not. */
  changed: z.array(z.string()),
  /** As it lies in baseline.json; absent where there is none, and studies alone say what is confirmed. */
  baseline: z
    .object({
      file: z.string(),
      sha256: sha256Schema,
      integrity: sha256Schema,
      signature: z.enum(['verified', 'not-verified']),
    })
    .optional(),
  /** Of each shape: that its results were compared with the oracle before they were timed. */
  verified: z.array(z.object({ case: z.string(), kernel: z.string(), check: z.literal('passed') })),
  /** Each exported variant against the oracle in generated cases; absent where that was not asked for. */
  fuzz: z
    .array(
      fuzzedKernelSchema
        .pick({ kernel: true, variant: true, counts: true, duration_s: true })
        .extend({ seed: z.string(), passed: z.int().nonnegative(), worst_share: z.number().optional() }),
    )
    .optional(),
  /** Of the project: what the kernels and the oracle are made of. */
  sources: z.array(fileSchema.extend({ from: z.string() })),
});
export type TorchProof = z.infer<typeof torchProofSchema>;

export const torchExportReportSchema = z.object({
  schema: z.literal(TORCH_EXPORT_SCHEMA),
  folder: z.string(),
  package: z.string(),
  operator: z.string(),
  dispatch: torchDispatchSchema,
  proof: torchProofSchema,
  notes: z.array(z.string()),
});
/**
 * What `exportTorch` returns: the package it wrote, its dispatch table and the proof behind each row
 * (`pawl.torch-export/1`).
 */
export type TorchExportReport = z.infer<typeof torchExportReportSchema>;
