import { z } from 'zod';

import { dtypeSchema, isFloating, tensorRoleSchema } from '../model/problem/tensor.ts';
import { constantFill, fillFault, fillSettingSchema } from './fill-schema.ts';
import { formulaSchema, identifierSchema, nameSchema, pathSchema } from './formula-schema.ts';
import { caseSchema, fuzzSchema } from './fuzz-schema.ts';
import { checkerSchema, generatorSchema } from './input-and-output-code.ts';
import { scalarsSchema } from './scalars-schema.ts';
import { stridesFault } from './strides.ts';
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

const distributionSchema = z
  .strictObject({
    outcomes: formulaSchema.describe('How many: draws are 0 to one less. A formula over the dimensions.'),
    slack: z
      .number()
      .min(0)
      .lt(1)
      .default(1e-3)
      .describe('How much probability may differ from the oracle, for rounding.'),
    seed: identifierSchema
      .optional()
      .describe('The input that draws are made from; without it the kernel draws by itself.'),
  })
  .describe('The elements of this output are draws, and the oracle states their probabilities.');

const tensorSchema = z
  .strictObject({
    role: tensorRoleSchema.describe('input: read only; output: written only; inout: both.'),
    dtype: dtypeSchema.describe('Element type.'),
    shape: z
      .array(formulaSchema)
      .describe('Extents, outermost first: formulas over the dimensions; [] for a single number.'),
    strides: z
      .array(formulaSchema)
      .optional()
      .describe('Of an input that is a view: elements from one to the next along each axis; 0 repeats them.'),
    offset: formulaSchema
      .optional()
      .describe('Of a view: elements of its storage before its first one; default: 0.'),
    fill: fillSettingSchema.optional(),
    tolerance: outputToleranceSchema.optional(),
    distribution: distributionSchema.optional(),
    counted_by: identifierSchema
      .optional()
      .describe('The output that says how many rows of this one count; its shape is then the maximum.'),
  })
  .superRefine((tensor, context) => {
    const misplaced = stridesFault(tensor);
    if (misplaced !== undefined)
      context.addIssue({ code: 'custom', path: [misplaced.key], message: misplaced.message });
    if (tensor.role === 'input' && tensor.tolerance !== undefined) {
      const message = 'an input is not compared with the oracle';
      context.addIssue({ code: 'custom', path: ['tolerance'], message });
    }
    if (tensor.counted_by !== undefined && (tensor.role !== 'output' || tensor.shape.length === 0)) {
      const message = 'rows that are counted are those of an output, along its first axis';
      context.addIssue({ code: 'custom', path: ['counted_by'], message });
    }
    if (tensor.distribution !== undefined && (tensor.role !== 'output' || isFloating(tensor.dtype))) {
      const message = 'draws are an output of integers: the indices of what was drawn';
      context.addIssue({ code: 'custom', path: ['distribution'], message });
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

/** Where the arguments come from that a class is built with. */
export const initSchema = z
  .strictObject({
    module: pathSchema.describe('Python file.'),
    function: z.string().min(1).describe('Function that returns a list, or a mapping of names.'),
  })
  .describe('Where the arguments come from that a class in the place of a function is built with.');

const oracleSchema = z
  .strictObject({
    source: pathSchema.optional().describe('C or C++ file with pawl_oracle.'),
    cuda: pathSchema.optional().describe('CUDA file with pawl_oracle, for kernels in CUDA.'),
    links: z
      // A file of the project would be a part of the judge that no one compares with the base's.
      .array(z.string().regex(/^-l[\w.+-]+$/, 'expected a library of the machine, like -lcublas'))
      .optional()
      .describe('Libraries of the machine that the C, C++ or CUDA file needs, like -lcublas.'),
    module: pathSchema.optional().describe('Python file.'),
    function: z.string().min(1).optional().describe('Function in the Python file.'),
    reference: z
      .string()
      .min(1)
      .optional()
      .describe("Function in the Python file: a trusted implementation in the tensors' own precision."),
    init: initSchema.optional(),
    precision: z
      .literal('own')
      .optional()
      .describe("The Python function gets the tensors' own types, and not double precision."),
  })
  .transform((oracle, context) => {
    const { source, cuda, links, module, function: name, reference, init, precision } = oracle;
    const isNative = (source ?? cuda) !== undefined && module === undefined && name === undefined;
    const isPlain = reference === undefined && init === undefined && precision === undefined;
    if (isNative && isPlain) return { source, cuda, links };
    const isPython = source === undefined && cuda === undefined && links === undefined;
    if (isPython && module !== undefined && name !== undefined) {
      if (precision === undefined || reference === undefined)
        return { module, function: name, reference, init, precision };
      context.addIssue({
        code: 'custom',
        message:
          "an oracle in the tensors' own precision has no error that a reference could be held against",
      });
      return z.NEVER;
    }
    context.addIssue({
      code: 'custom',
      message: isNative
        ? 'the reference of an oracle in C, C++ or CUDA is its `pawl_reference`; `reference`, `init` and `precision` are for Python'
        : 'an oracle is either `source` (C or C++) or `cuda` or both, or `module` and `function` (Python)',
    });
    return z.NEVER;
  })
  .describe('Computes the right answer, in higher precision.');

const bytesSchema = z
  .union([
    z.strictObject({
      moved: formulaSchema
        .optional()
        .describe('What one call moves; default: each tensor once, inout twice. Gives bandwidth.'),
      least: formulaSchema.describe(
        'The least that one call touches, if index tensors choose it; used for the physical floor.',
      ),
    }),
    formulaSchema.transform((moved) => ({ moved, least: undefined })),
  ])
  .describe(
    'Bytes one call must move, over the dimensions; default: each tensor once, inout twice. A mapping states the least that it touches.',
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
  generator: generatorSchema.optional(),
  seeded: z
    .boolean()
    .optional()
    .describe(
      'Seeds the random numbers of Python, NumPy and PyTorch equally in every call of kernels and oracle.',
    ),
  oracle: oracleSchema.optional(),
  checker: checkerSchema.optional(),
  tolerance: toleranceSchema,
  cases: z.record(nameSchema, caseSchema).default({}).describe('Named shapes.'),
  fuzz: fuzzSchema.optional(),
});
export type Problem = z.output<typeof problemSchema>;
export type Tensor = Problem['tensors'][string];
