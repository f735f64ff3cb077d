import { z } from 'zod';

import { dtypeSchema, fillSchema, tensorRoleSchema } from '../model/tensor.ts';
import type { Dtype, Fill } from '../model/tensor.ts';
import { formulaSchema, identifierSchema, nameSchema, pathSchema } from './formula-schema.ts';
import { caseSchema, fuzzSchema } from './fuzz-schema.ts';
import { scalarsSchema } from './scalars-schema.ts';
import { outputToleranceSchema, toleranceSchema } from './tolerance-schema.ts';

export type { CaseDims } from './fuzz-schema.ts';

/** What fits each integer type; floating types are not here. */
export const INTEGER_RANGES: Partial<Record<Dtype, readonly [low: number, high: number]>> = {
  i64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  i32: [-(2 ** 31), 2 ** 31 - 1],
  i16: [-(2 ** 15), 2 ** 15 - 1],
  i8: [-128, 127],
  u8: [0, 255],
};

const dimsSchema = z
  .union([
    z.array(identifierSchema).refine((names) => new Set(names).size === names.length, {
      error: 'a dimension is listed twice',
    }),
    z.record(identifierSchema, z.int().nullable()),
  ])
  .transform((dims) =>
    Array.isArray(dims)
      ? dims.map((name) => ({ name, default: null }))
      : Object.entries(dims).map(([name, value]) => ({ name, default: value })),
  )
  .describe('Names of the dimensions, or a mapping from name to default value (null: none).');

const fillSettingSchema = z
  .union([z.enum(['normal', 'uniform']), fillSchema])
  .transform((fill): Fill => (typeof fill === 'string' ? fillSchema.parse({ kind: fill }) : fill))
  .superRefine((fill, context) => {
    if (fill.kind === 'normal' && fill.std < 0) {
      context.addIssue({ code: 'custom', path: ['std'], message: `${fill.std} is less than 0` });
    }
    if ((fill.kind === 'uniform' || fill.kind === 'integers') && fill.low > fill.high) {
      context.addIssue({
        code: 'custom',
        path: ['low'],
        message: `${fill.low} is greater than \`high\`, ${fill.high}`,
      });
    }
  })
  .describe(
    'How the input is filled: normal (default), uniform, or a mapping such as {kind: uniform, low: 0, high: 1}.',
  );

const tensorSchema = z
  .strictObject({
    role: tensorRoleSchema.describe('input: read only; output: written only; inout: both.'),
    dtype: dtypeSchema.describe('Element type.'),
    shape: z.array(formulaSchema).min(1).describe('Extents, outermost first: formulas over the dimensions.'),
    fill: fillSettingSchema.optional(),
    tolerance: outputToleranceSchema.optional(),
  })
  .superRefine((tensor, context) => {
    if (tensor.role === 'input' && tensor.tolerance !== undefined) {
      const message = 'an input is not compared with the oracle';
      context.addIssue({ code: 'custom', path: ['tolerance'], message });
    }
    const { fill, role, dtype } = tensor;
    if (fill === undefined) return;
    const add = (message: string) => context.addIssue({ code: 'custom', path: ['fill'], message });
    const range = INTEGER_RANGES[dtype];
    if (role === 'output') {
      add('an output is not filled: it is poisoned, so that elements left unwritten show');
    } else if (range !== undefined && fill.kind !== 'integers' && fill.kind !== 'constant') {
      add(
        `${fill.kind} is for floating types; ${dtype} takes {kind: integers, low: …, high: …} or a constant`,
      );
    } else if (range !== undefined) {
      const [low, high] = fill.kind === 'integers' ? [fill.low, fill.high] : constantRange(fill);
      if (low < range[0] || high > range[1]) add(`does not fit ${dtype} (${range[0]} to ${range[1]})`);
      if (!Number.isInteger(low)) add(`${low} is not an integer, and the tensor is ${dtype}`);
    }
  });

function constantRange(fill: Fill): [low: number, high: number] {
  return fill.kind === 'constant' ? [fill.value, fill.value] : [0, 0];
}

const oracleSchema = z
  .strictObject({
    source: pathSchema.optional().describe('C or C++ file with pawl_oracle.'),
    cuda: pathSchema.optional().describe('CUDA file with pawl_oracle, for kernels in CUDA.'),
    module: pathSchema.optional().describe('Python file.'),
    function: z.string().min(1).optional().describe('Function in the Python file.'),
    reference: z
      .string()
      .min(1)
      .optional()
      .describe("Function in the Python file: a trusted implementation in the tensors' own precision."),
  })
  .transform((oracle, context) => {
    const { source, cuda, module, function: name, reference } = oracle;
    const isNative = source !== undefined && module === undefined && name === undefined;
    if (isNative && reference === undefined) return { source, cuda };
    if (source === undefined && cuda === undefined && module !== undefined && name !== undefined)
      return { module, function: name, reference };
    context.addIssue({
      code: 'custom',
      message: isNative
        ? 'the reference of an oracle in C or C++ is its `pawl_reference`; `reference` is for Python'
        : 'an oracle is either `source` (C or C++), or `module` and `function` (Python)',
    });
    return z.NEVER;
  })
  .describe('What computes the right answer, in higher precision.');

const bytesSchema = z
  .union([
    z.strictObject({
      moved: formulaSchema
        .optional()
        .describe('What one call moves; default: each tensor once, inout twice. Gives bandwidth.'),
      least: formulaSchema.describe(
        'What one call touches at least, where index tensors choose it; the physical floor counts this.',
      ),
    }),
    formulaSchema.transform((moved) => ({ moved, least: undefined })),
  ])
  .describe(
    'Bytes one call must move, over the dimensions; default: each tensor once, inout twice. A mapping says what it touches at least.',
  );

export const problemSchema = z.strictObject({
  description: z.string().optional(),
  dims: dimsSchema,
  scalars: scalarsSchema,
  tensors: z
    .record(identifierSchema, tensorSchema)
    .refine((tensors) => Object.values(tensors).some(({ role }) => role !== 'input'), {
      error: 'no tensor is an output or inout: there would be nothing to check',
    })
    .describe('Tensors in the order of the call.'),
  operations: formulaSchema
    .optional()
    .describe('Arithmetic operations of one call, over the dimensions; gives throughput.'),
  bytes: bytesSchema.optional(),
  oracle: oracleSchema.optional(),
  tolerance: toleranceSchema,
  cases: z.record(nameSchema, caseSchema).default({}).describe('Named shapes.'),
  fuzz: fuzzSchema.optional(),
});
export type Problem = z.output<typeof problemSchema>;
export type Tensor = Problem['tensors'][string];
