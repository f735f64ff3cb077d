import { z } from 'zod';

import { dtypeChoice, type DtypeChoice } from '../model/problem/dtype-choice.ts';
import { FLOATING_DTYPES } from '../model/problem/tensor.ts';
import { envSchema } from './env-schema.ts';
import { formulaSchema, identifierSchema, nameSchema, pathSchema } from './formula-schema.ts';
import { caseSchema, fuzzSchema } from './fuzz-schema.ts';
import { gatesSchema } from './gates-schema.ts';
import { initSchema } from './problem-schema.ts';

/** Text of a value ends up in a macro, in file names and in `A=1,B=x`: commas and `=` would blur it. */
const valueSchema = z.union([
  z.number(),
  z.boolean(),
  z.string().regex(/^[\x21-\x2b\x2d-\x3c\x3e-\x7e]{1,80}$/, 'a value (visible ASCII without `,` and `=`)'),
]);

const valuesSchema = z
  .array(valueSchema)
  .min(1)
  .refine((values) => new Set(values.map(String)).size === values.length, {
    error: 'a value is listed twice',
  });

const tunableSchema = z
  .union([
    valuesSchema,
    z.strictObject({
      values: valuesSchema,
      default: valueSchema.optional(),
      kind: z.enum(['ordered', 'categorical', 'boolean']).optional(),
      when: formulaSchema.optional().describe('It applies only if this holds for the other tunables.'),
      description: z.string().optional(),
    }),
  ])
  .transform((tunable, context) => {
    const written: Extract<typeof tunable, { values: unknown }> = Array.isArray(tunable)
      ? { values: tunable }
      : tunable;
    const [first] = written.values;
    const chosen = written.default ?? first;
    if (chosen === undefined || !written.values.includes(chosen)) {
      context.addIssue({
        code: 'custom',
        path: ['default'],
        message: `${String(chosen)} is not one of its values (${written.values.join(', ')})`,
      });
      return z.NEVER;
    }
    const kind = written.kind ?? naturalKind(written.values);
    const wrong = misfit(kind, written.values);
    if (wrong !== undefined) {
      context.addIssue({ code: 'custom', path: ['kind'], message: wrong });
      return z.NEVER;
    }
    return {
      values: written.values,
      default: chosen,
      kind,
      when: written.when,
      description: written.description,
    };
  })
  .describe('Values to choose from; the first is the default unless `default` says otherwise.');

type Kind = 'ordered' | 'categorical' | 'boolean';

function naturalKind(values: readonly unknown[]): Kind {
  if (values.every((value) => typeof value === 'number')) return 'ordered';
  return values.every((value) => typeof value === 'boolean') ? 'boolean' : 'categorical';
}

/** Why values cannot be of a kind. */
function misfit(kind: Kind, values: readonly z.output<typeof valueSchema>[]): string | undefined {
  const wanted = { ordered: 'number', boolean: 'boolean', categorical: undefined }[kind];
  const odd = values.find((value) => wanted !== undefined && typeof value !== wanted);
  if (odd === undefined) return undefined;
  return `${String(odd)} is not a ${wanted === 'number' ? 'number; only numbers have an order' : 'boolean'}`;
}

const constraintSchema = z
  .union([z.string(), z.strictObject({ expression: z.string(), why: z.string().optional() })])
  .transform((constraint, context) => {
    const written = typeof constraint === 'string' ? { expression: constraint } : constraint;
    const parsed = formulaSchema.safeParse(written.expression);
    if (parsed.success) return { expression: parsed.data, why: written.why };
    for (const issue of parsed.error.issues) {
      context.addIssue({
        code: 'custom',
        input: written.expression,
        message: issue.message,
        ...(issue.code === 'custom' && issue.params !== undefined && { params: issue.params }),
        path: typeof constraint === 'string' ? [] : ['expression'],
      });
    }
    return z.NEVER;
  })
  .describe('An expression over the tunables, dimensions and device limits that every variant must satisfy.');

const archSchema = z.string().regex(/^sm_\d{2,3}[af]?$/, 'a GPU architecture such as sm_90 or sm_90a');

const floatingSchema = z.enum(FLOATING_DTYPES);

const choiceSchema = z
  .union([floatingSchema, z.record(identifierSchema, floatingSchema)])
  .transform((choice): DtypeChoice => (typeof choice === 'string' ? choice : dtypeChoice(choice)))
  .refine((choice) => choice !== '', { error: 'names no tensor' });

export const kernelSchema = z.strictObject({
  description: z.string().optional(),
  problem: nameSchema.describe('Which of `problems` it solves.'),
  device: z.enum(['cpu', 'cuda']),
  language: z.enum(['c', 'c++', 'cuda', 'python']),
  sources: z.array(pathSchema).min(1).optional().describe('Files to compile (c, c++, cuda).'),
  include_dirs: z.array(pathSchema).default([]),
  flags: z.array(z.string().min(1)).default([]).describe('Further flags for the compiler.'),
  links: z.array(z.string().min(1)).default([]).describe('Further flags for the linker.'),
  arch: z
    .union([z.literal('auto'), archSchema, z.array(archSchema).min(1)])
    .transform((arch) => (arch === 'auto' ? arch : typeof arch === 'string' ? [arch] : arch))
    .optional()
    .describe('GPU architectures to compile for (cuda); auto: that of the device.'),
  module: pathSchema.optional().describe('Python file.'),
  function: z
    .string()
    .min(1)
    .optional()
    .describe('Function in the Python file, or a class: an nn.Module, which is built once.'),
  init: initSchema.optional(),
  prepare: z
    .strictObject({
      function: z.string().min(1).describe('Function in the Python file, or of the library.'),
      of: z
        .array(identifierSchema)
        .min(1)
        .refine((names) => new Set(names).size === names.length, { error: 'an input is listed twice' })
        .describe(
          'Inputs that it gets, such as weights; at least one input of the problem is not among them.',
        ),
    })
    .optional()
    .describe('Prepares some inputs before calls are timed, such as weights in another layout.'),
  dtype: choiceSchema
    .optional()
    .describe(
      'Replaces the element type of every floating tensor of the problem; a mapping, of those that it names.',
    ),
  dtypes: z
    .array(choiceSchema)
    .min(1)
    .refine((dtypes) => new Set(dtypes).size === dtypes.length, { error: 'a type is listed twice' })
    .optional()
    .describe('Like `dtype`, of a kernel that accepts several: the first is measured, all are fuzzed.'),
  deterministic: z
    .boolean()
    .default(true)
    .describe('false: the same inputs may give different outputs, within the tolerance.'),
  cases: z
    .union([z.array(nameSchema).min(1), z.record(nameSchema, caseSchema)])
    .optional()
    .describe("A list: only these of the problem's cases. A mapping: all of them, and these."),
  threads: formulaSchema
    .optional()
    .describe('CPUs one call uses: a formula over tunables and dimensions; default 1.'),
  env: envSchema,
  tunables: z.record(identifierSchema, tunableSchema).default({}),
  constraints: z.array(constraintSchema).default([]),
  block_threads: formulaSchema.optional().describe('Threads per block (cuda).'),
  blocks_per_sm: formulaSchema
    .optional()
    .describe('Blocks that must be resident per multiprocessor: `__launch_bounds__` (cuda).'),
  shared_memory: formulaSchema.optional().describe('Bytes of dynamic shared memory per block (cuda).'),
  registers: formulaSchema.optional().describe('Registers per thread, if known beforehand (cuda).'),
  scratch: formulaSchema.optional().describe('Bytes of device memory that a call needs besides its tensors.'),
  entry: z
    .string()
    .min(1)
    .optional()
    .describe('Part of the name of the GPU function that is tuned; {NAME} is a tunable or dimension (cuda).'),
  prefetch: formulaSchema.optional().describe('Whether loads are issued ahead of their use.'),
  gates: gatesSchema.default({}).describe('Variants that a search rejects without measuring.'),
  fuzz: fuzzSchema.optional().describe("Narrows or replaces the problem's `fuzz`."),
});
export type Kernel = z.output<typeof kernelSchema>;
export type Constraint = Kernel['constraints'][number];
export type Tunable = Kernel['tunables'][string];

/** The floating types that a kernel is measured in; undefined: the problem's own types. */
export function defaultDtype({ dtype, dtypes }: Pick<Kernel, 'dtype' | 'dtypes'>): Kernel['dtype'] {
  return dtype ?? dtypes?.[0];
}
