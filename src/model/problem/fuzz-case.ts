import { z } from 'zod';

import { dtypeChoiceSchema } from './dtype-choice.ts';

/** Kinds of values that a generated input can hold (docs/fuzzing.md says what each is for). */
export const VALUE_KINDS = [
  'normal',
  'uniform',
  'huge',
  'tiny',
  'denormal',
  'constant-rows',
  'spikes',
  'mixed',
] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

export const NONFINITE = ['nan', 'inf', '-inf'] as const;
export type NonFinite = (typeof NONFINITE)[number];

/** As pawl.yaml fills the input. */
export const OWN_VALUES = 'own';

const NONFINITE_PATTERN = `(?:${NONFINITE.join('|')})`;
const VALUES_PATTERN = new RegExp(
  `^(?:${[OWN_VALUES, ...VALUE_KINDS].join('|')}|${NONFINITE_PATTERN}(?:\\+${NONFINITE_PATTERN})*)$`,
);

/** How one input is filled: `own`, a kind, or the numbers that are strewn over normal ones (`nan+inf`). */
const valuesSchema = z
  .string()
  .regex(VALUES_PATTERN, `${OWN_VALUES}, ${VALUE_KINDS.join(', ')}, or ${NONFINITE.join(', ')} joined by +`);

/** A case of fuzzing: with the kernel and pawl.yaml it is all there is to know about the inputs. */
export const fuzzCaseSchema = z.object({
  /** Values of the dimensions, and of scalars that are not at their default. */
  dims: z.record(z.string(), z.number()),
  /** The type of every floating tensor, or types by name; absent: the problem's own types. */
  dtype: dtypeChoiceSchema.optional(),
  /** By input; one that is not named is filled as pawl.yaml says. */
  values: z.record(z.string(), valuesSchema),
  /** Decimal digits of an unsigned 64-bit number. */
  seed: z.string().regex(/^\d{1,20}$/),
});
export type FuzzCase = z.infer<typeof fuzzCaseSchema>;

/** Where a case came from. */
export const FUZZ_SOURCES = ['corpus', 'matrix', 'edge', 'named', 'generated', 'replay'] as const;
export type FuzzSource = (typeof FUZZ_SOURCES)[number];
