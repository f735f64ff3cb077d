import { z } from 'zod';

import { ExpressionError } from './expression/expression-error.ts';
import { KEYWORDS } from './expression/expression-tokens.ts';
import { Expression } from './expression/expression.ts';

/** A formula in the file: a number, or text that parses as an expression. */
export const formulaSchema = z.union([z.number(), z.string()]).transform((text, context) => {
  try {
    return Expression.parse(String(text));
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    context.addIssue({
      code: 'custom',
      input: text,
      message: error.message,
      params: { offset: error.offset },
    });
    return z.NEVER;
  }
});

/** Kernels, problems and cases: what people type on a command line and see in file names. */
export const nameSchema = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_.-]{0,79}$/,
    'a name (a letter, then letters, digits, `_`, `-` or `.`; at most 80 characters)',
  );

/** Dimensions, tensors and tunables: they become macros, parameters and names in formulas. */
export const identifierSchema = z
  .string()
  // C keeps names with two underscores in front for its compilers.
  .regex(/^(?!__)[A-Za-z_][A-Za-z0-9_]{0,79}$/, 'an identifier (letters, digits and `_`, no digit in front)')
  .refine((name) => !KEYWORDS.includes(name), {
    error: 'this word has a meaning in formulas, so nothing can be called that',
  });

/** A path in the file, relative to the folder of pawl.yaml. */
export const pathSchema = z
  .string()
  .min(1)
  .regex(/^[^\0]*$/, 'a path');
