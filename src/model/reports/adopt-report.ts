/** `pawl.adopt/1`: what `pawl adopt` found in a file, what it assumed, and what it wrote. */
import { z } from 'zod';

import { benchReportSchema } from './bench-report.ts';
import { dtypeSchema, tensorRoleSchema } from '../problem/tensor.ts';

export const ADOPT_SCHEMA = 'pawl.adopt/1';

/** What kind of file it is. */
const entranceSchema = z.enum(['c', 'cuda', 'kernelbench', 'python', 'gpumode', 'flashinfer', 'triton']);
export type Entrance = z.infer<typeof entranceSchema>;

/** What a person should look at, by what it is about. */
const assumptionSchema = z.object({
  about: z.enum([
    'types',
    'oracle',
    'roles',
    'sizes',
    'fill',
    'flags',
    'tolerance',
    'result',
    'scalars',
    'weights',
    'launch',
    'device',
    'kernels',
    'tunables',
    'import',
  ]),
  text: z.string(),
});
export type Assumption = z.infer<typeof assumptionSchema>;

/** A function or class of the file, and why it cannot be adopted, where it cannot. */
const candidateSchema = z.object({
  name: z.string(),
  line: z.int().positive(),
  signature: z.string(),
  obstacle: z.string().optional(),
});
export type AdoptCandidate = z.infer<typeof candidateSchema>;

/** What has to be told before the project can run, and the option that tells it. */
const missingSchema = z.object({ kind: z.enum(['shape']), name: z.string(), option: z.string() });
export type Missing = z.infer<typeof missingSchema>;

const adoptedTensorSchema = z.object({
  name: z.string(),
  role: tensorRoleSchema,
  dtype: dtypeSchema,
  /** Formulas over the dimensions; absent: not known. */
  shape: z.array(z.string()).optional(),
  /** Of an input that is a view, in elements. */
  strides: z.array(z.string()).optional(),
});

/** `same`: the file was there with this text; `shown`: nothing was to be written. */
const adoptedFileSchema = z.object({
  path: z.string(),
  state: z.enum(['written', 'same', 'shown']),
  /** With `--dry-run`. */
  text: z.string().optional(),
});

export const adoptReportSchema = z.object({
  schema: z.literal(ADOPT_SCHEMA),
  /** The file that was adopted. */
  path: z.string(),
  entrance: entranceSchema,
  candidates: z.array(candidateSchema),
  /** The function or class that was adopted. */
  adopted: z.string(),
  problem: z.string(),
  kernels: z.array(z.string()),
  dims: z.array(z.string()),
  tensors: z.array(adoptedTensorSchema),
  cases: z.record(z.string(), z.record(z.string(), z.int())),
  assumed: z.array(assumptionSchema),
  missing: z.array(missingSchema),
  /** The project's folder; absent with `--run`. */
  out: z.string().optional(),
  files: z.array(adoptedFileSchema),
  /** With `--run`: what `pawl bench` said. */
  run: z.object({ result: z.enum(['good', 'bad', 'undecided']), report: benchReportSchema }).optional(),
});
/**
 * What `adopt` found in a file, what it assumed, what is still missing, and the files that it wrote (`pawl.adopt/1`).
 */
export type AdoptReport = z.infer<typeof adoptReportSchema>;
