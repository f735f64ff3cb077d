import { z } from 'zod';

import { dtypeSchema, fillSchema, tensorRoleSchema } from '../model/tensor.ts';
import type { Dtype, Fill } from '../model/tensor.ts';
import { formulaSchema, identifierSchema, nameSchema, pathSchema } from './formula-schema.ts';
import { caseSchema, fuzzSchema } from './fuzz-schema.ts';
import { scalarsSchema } from './scalars-schema.ts';

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
  })
  .superRefine((tensor, context) => {
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

/** Where the arguments come from that a class is built with. */
export const initSchema = z
  .strictObject({
    module: pathSchema.describe('Python file.'),
    function: z.string().min(1).describe('Function that returns a list, or a mapping of names.'),
  })
  .describe('Where the arguments come from that a class in the place of a function is built with.');

const generatorSchema = z
  .strictObject({
    module: pathSchema.describe('Python file.'),
    function: z.string().min(1).describe('Function that returns all inputs and inouts, in order or by name.'),
    weights: z
      .strictObject({
        class: z.string().min(1).describe('An nn.Module in the same file, whose parameters are inputs.'),
        init: z.string().min(1).optional().describe('Function in the same file: what it is built with.'),
      })
      .optional(),
  })
  .describe('Makes all inputs from a seed, where fills cannot say what they are.');

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
    init: initSchema.optional(),
  })
  .transform((oracle, context) => {
    const { source, cuda, module, function: name, reference, init } = oracle;
    const isNative = (source ?? cuda) !== undefined && module === undefined && name === undefined;
    if (isNative && reference === undefined && init === undefined) return { source, cuda };
    if (source === undefined && cuda === undefined && module !== undefined && name !== undefined)
      return { module, function: name, reference, init };
    context.addIssue({
      code: 'custom',
      message: isNative
        ? 'the reference of an oracle in C, C++ or CUDA is its `pawl_reference`; `reference` and `init` are for Python'
        : 'an oracle is either `source` (C or C++) or `cuda` or both, or `module` and `function` (Python)',
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
  generator: generatorSchema.optional(),
  oracle: oracleSchema.optional(),
  tolerance: z
    .strictObject({
      atol: z.number().nonnegative().default(2e-3),
      rtol: z.number().nonnegative().default(1e-3),
      factor: z
        .number()
        .positive()
        .optional()
        .describe("Errors up to this multiple of the oracle's reference are right, larger ones are not."),
    })
    .prefault({})
    .describe('An element is right when |got − want| <= atol + rtol·|want|.'),
  cases: z.record(nameSchema, caseSchema).default({}).describe('Named shapes.'),
  fuzz: fuzzSchema.optional(),
});
export type Problem = z.output<typeof problemSchema>;
export type Tensor = Problem['tensors'][string];
