import { z } from 'zod';

import { formulaSchema, identifierSchema, nameSchema, pathSchema } from './formula-schema.ts';
import { caseSchema, fuzzSchema } from './fuzz-schema.ts';

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
      description: z.string().optional(),
    }),
  ])
  .transform((tunable, context) => {
    const written = Array.isArray(tunable) ? { values: tunable } : tunable;
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
    return { values: written.values, default: chosen, description: written.description };
  })
  .describe('Values to choose from; the first is the default unless `default` says otherwise.');

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
  .describe('An expression over the tunables that every variant must satisfy.');

const archSchema = z.string().regex(/^sm_\d{2,3}[af]?$/, 'a GPU architecture such as sm_90 or sm_90a');

const floatingSchema = z.enum(['f64', 'f32', 'f16', 'bf16']);

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
  function: z.string().min(1).optional().describe('Function in the Python file.'),
  dtype: floatingSchema
    .optional()
    .describe('Replaces the element type of every floating tensor of the problem.'),
  dtypes: z
    .array(floatingSchema)
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
  tunables: z.record(identifierSchema, tunableSchema).default({}),
  constraints: z.array(constraintSchema).default([]),
  fuzz: fuzzSchema.optional().describe("Narrows or replaces what the problem's `fuzz` says."),
});
export type Kernel = z.output<typeof kernelSchema>;
export type Constraint = Kernel['constraints'][number];

/** The floating type that a kernel is measured in; undefined: the problem's own types. */
export function defaultDtype({ dtype, dtypes }: Pick<Kernel, 'dtype' | 'dtypes'>): Kernel['dtype'] {
  return dtype ?? dtypes?.[0];
}
