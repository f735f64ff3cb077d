import { z } from 'zod';

import { identifierSchema, pathSchema } from './formula-schema.ts';

const sourceSchema = pathSchema.optional();
const functionSchema = z.string().min(1).optional();

/** What makes inputs: a function in Python, or a library. */
export const generatorSchema = z
  .strictObject({
    module: pathSchema.optional().describe('Python file.'),
    function: functionSchema.describe('Function that returns all inputs and inouts, in order or by name.'),
    weights: z
      .strictObject({
        class: z.string().min(1).describe('An nn.Module in the same file, whose parameters are inputs.'),
        init: z
          .string()
          .min(1)
          .optional()
          .describe('Function in the same file that returns its constructor arguments.'),
      })
      .optional(),
    source: sourceSchema.describe('C or C++ file with pawl_generate.'),
    cuda: sourceSchema.describe('CUDA file with pawl_generate, for kernels on a GPU.'),
  })
  .transform((generator, context) => {
    const { module, function: name, weights, source, cuda } = generator;
    const isNative = (source ?? cuda) !== undefined;
    if (isNative && module === undefined && name === undefined && weights === undefined)
      return { source, cuda };
    if (!isNative && module !== undefined && name !== undefined) return { module, function: name, weights };
    context.addIssue({
      code: 'custom',
      message:
        'a generator is either `source` (C or C++) or `cuda` or both, or `module` and `function` (Python)',
    });
    return z.NEVER;
  })
  .describe('Generates all inputs from a seed, if fills cannot describe them.');

/** What judges outputs: a function in Python, or a library. */
export const checkerSchema = z
  .strictObject({
    module: pathSchema.optional().describe('Python file.'),
    function: functionSchema.describe('Function that returns True, or a sentence that says what is wrong.'),
    source: sourceSchema.describe('C or C++ file with pawl_check.'),
    outputs: z
      .array(identifierSchema)
      .min(1)
      .optional()
      .describe('The outputs that it judges, beside an oracle that others are compared with; default: all.'),
  })
  .transform((checker, context) => {
    const { module, function: name, source, outputs } = checker;
    if (source !== undefined && module === undefined && name === undefined) return { source, outputs };
    if (source === undefined && module !== undefined && name !== undefined)
      return { module, function: name, outputs };
    context.addIssue({
      code: 'custom',
      message: 'a checker is either `source` (C or C++), or `module` and `function` (Python)',
    });
    return z.NEVER;
  })
  .describe('Judges outputs by their properties, if many different ones are right.');

type Generator = z.output<typeof generatorSchema>;
type Checker = z.output<typeof checkerSchema>;
type Absolute = (path: string) => string;

/** The same under absolute paths. */
export function placedGenerator(generator: Generator | undefined, absolute: Absolute): Generator | undefined {
  if (generator === undefined) return undefined;
  if (generator.module !== undefined) return { ...generator, module: absolute(generator.module) };
  const { source, cuda } = generator;
  return { source: source && absolute(source), cuda: cuda && absolute(cuda) };
}

export function placedChecker(checker: Checker | undefined, absolute: Absolute): Checker | undefined {
  if (checker === undefined) return undefined;
  if (checker.module !== undefined) return { ...checker, module: absolute(checker.module) };
  return { ...checker, source: absolute(checker.source) };
}
