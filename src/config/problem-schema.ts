import { z } from 'zod';

import { dtypeSchema, tensorRoleSchema } from '../model/tensor.ts';
import { constantFill, fillFault, fillSettingSchema } from './fill-schema.ts';
import { formulaSchema, identifierSchema, nameSchema, pathSchema } from './formula-schema.ts';
import { caseSchema, fuzzSchema } from './fuzz-schema.ts';
import { scalarsSchema } from './scalars-schema.ts';
import { outputToleranceSchema, toleranceSchema } from './tolerance-schema.ts';

export type { CaseDims } from './fuzz-schema.ts';

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

const tensorSchema = z
  .strictObject({
    role: tensorRoleSchema.describe('input: read only; output: written only; inout: both.'),
    dtype: dtypeSchema.describe('Element type.'),
    shape: z
      .array(formulaSchema)
      .describe('Extents, outermost first: formulas over the dimensions; [] for a single number.'),
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
    if (role === 'output') {
      const message = 'an output is not filled: it is poisoned, so that elements left unwritten show';
      context.addIssue({ code: 'custom', path: ['fill'], message });
      return;
    }
    const known = constantFill(fill);
    const fault = known && fillFault(known, dtype);
    if (fault === undefined) return;
    const path = ['fill', ...(fault.key === undefined ? [] : [fault.key])];
    context.addIssue({ code: 'custom', path, message: fault.message });
  });

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
