/** Definitions, workloads and solutions of FlashInfer-Bench, and of SOL-ExecBench, whose format is the same. */
import { z } from 'zod';

import { PawlError } from '../../model/pawl-error.ts';

const axisSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('const'), value: z.int().nonnegative() }),
  z.object({ type: z.literal('var') }),
  z.object({ type: z.literal('expr'), expression: z.string() }),
]);

const tensorSchema = z.object({
  /** Axes, outermost first; null: a number. */
  shape: z.array(z.string()).nullable(),
  dtype: z.string(),
  description: z.string().nullish(),
});
export type DefinedTensor = z.infer<typeof tensorSchema>;

const definitionSchema = z.object({
  name: z.string().min(1),
  op_type: z.string().nullish(),
  axes: z.record(z.string(), axisSchema),
  inputs: z.record(z.string(), tensorSchema),
  outputs: z.record(z.string(), tensorSchema),
  constraints: z.array(z.string()).nullish(),
  reference: z.string(),
  custom_inputs_entrypoint: z.string().nullish(),
});
export type Definition = z.infer<typeof definitionSchema>;

const inputSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('random') }),
  z.object({ type: z.literal('custom') }),
  z.object({ type: z.literal('scalar'), value: z.union([z.number(), z.boolean()]) }),
  z.object({ type: z.literal('safetensors'), path: z.string(), tensor_key: z.string() }),
]);

const workloadSchema = z.object({
  axes: z.record(z.string(), z.int().nonnegative()),
  inputs: z.record(z.string(), inputSchema),
  tolerance: z
    .object({
      max_atol: z.number().optional(),
      max_rtol: z.number().optional(),
      required_matched_ratio: z.number().optional(),
    })
    .nullish(),
});
export type Workload = z.infer<typeof workloadSchema>;

const solutionSchema = z.object({
  name: z.string(),
  definition: z.string(),
  spec: z.object({
    language: z.string().optional(),
    languages: z.array(z.string()).optional(),
    /** `main.py::run`. */
    entry_point: z.string(),
    destination_passing_style: z.boolean().default(true),
    binding: z.string().nullish(),
  }),
  sources: z.array(z.object({ path: z.string(), content: z.string() })).min(1),
});
export type Solution = z.infer<typeof solutionSchema>;

/** Inputs that the reference writes to, by its text: `buffer[…] = …`, `buffer.copy_(…)`. */
export function writtenInputs({ inputs, reference }: Definition): string[] {
  return Object.keys(inputs).filter((name) =>
    new RegExp(`(?<![\\w.])${name}(?:(?:\\[[^\\]\\n]*\\])+\\s*[-+*/]?=(?!=)|\\.[a-z]\\w*_\\()`, 'u').test(
      reference,
    ),
  );
}

export function parseDefinition(text: string, file: string): Definition {
  return read(definitionSchema, text, file, 'a definition of FlashInfer-Bench');
}

export function parseSolution(text: string, file: string): Solution {
  return read(solutionSchema, text, file, 'a solution of FlashInfer-Bench');
}

/** A line is a workload, or a trace that has one. */
export function parseWorkloads(text: string, file: string): Workload[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const line = z.union([z.object({ workload: workloadSchema }), workloadSchema]);
  return lines.map((one, at) => {
    const found = read(line, one, `${file}:${at + 1}`, 'a workload of FlashInfer-Bench');
    return 'workload' in found ? found.workload : found;
  });
}

function read<Value>(schema: z.ZodType<Value>, text: string, file: string, what: string): Value {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new PawlError('bad-data', `${file} is not JSON.`);
  }
  const found = schema.safeParse(value);
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  throw new PawlError(
    'bad-data',
    `${file} is not ${what}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}.`,
  );
}
