import { z } from 'zod';

import { DETECTOR_NAMES } from './detector.ts';

/** JSON has neither NaN nor infinities, and which of them an element is matters. Null: a file of an older Pawl. */
const elementSchema = z
  .union([
    z.number(),
    z.enum(['nan', 'inf', '-inf']),
    /** A complex number: `1.5-2i`, `nan+infi`. */
    z.string().regex(/^[\w.+-]+i$/),
  ])
  .nullable();
export type ElementValue = z.infer<typeof elementSchema>;

const elementPairSchema = z.object({
  index: z.array(z.int().nonnegative()),
  got: elementSchema,
  want: elementSchema,
});

/** How the absolute errors of one output are spread. */
const errorSpreadSchema = z.object({
  /** Elements that equal the oracle's, rounded to the tensor's type or not. */
  exact: z.int().nonnegative(),
  /** Elements with 10^exponent <= error < 10^(exponent + 1), by rising exponent; none are left out. */
  decades: z.array(z.object({ exponent: z.int(), count: z.int().positive() })),
  /** Elements where NaN or an infinity stands on one side only. */
  nonfinite: z.int().nonnegative(),
});

/** How one output compared with the oracle. Errors are null when they are not finite. */
export const verifiedTensorSchema = z.object({
  name: z.string(),
  elements: z.int().nonnegative(),
  /** Elements that are wrong; 0 where no more are outside than the tolerance's `share` allows. */
  mismatches: z.int().nonnegative(),
  /** Elements outside that the `share` allows; absent where there are none. */
  excused: z.int().positive().optional(),
  max_abs_err: z.number().nullable(),
  max_rel_err: z.number().nullable(),
  rms_err: z.number().nullable().optional(),
  spread: errorSpreadSchema.optional(),
  /** The element that is furthest from the oracle's. */
  worst: elementPairSchema
    .extend({
      /** Elements beside it along each axis, nearest first; at most eight. */
      neighbours: z.array(elementPairSchema).optional(),
    })
    .optional(),
  /** The error of a trusted implementation in the same precision on the same inputs. */
  reference: z.object({ max_abs_err: z.number().nullable(), rms_err: z.number().nullable() }).optional(),
});
export type VerifiedTensor = z.infer<typeof verifiedTensorSchema>;

/** What a detector saw: a way in which a kernel was wrong that no tolerance excuses. */
const tamperSchema = z.object({
  detector: z.enum(DETECTOR_NAMES),
  /** Where it is about one. */
  tensor: z.string().optional(),
  message: z.string(),
});
export type Tamper = z.infer<typeof tamperSchema>;

/** An answer that needs no work, and that the tolerance or the checker would have let pass: it is blind. */
const blindSchema = z.object({
  /** `zeros`, `poison`, `constant`, `input NAME`, `half of the sum`, `other inputs` or `half of the inputs`; of draws, also `the likeliest` and `all alike`. */
  answer: z.string(),
  /** The output that it passes for. */
  tensor: z.string(),
  /** The checker that lets it pass; the fields below are then absent. */
  checker: z.string().optional(),
  /** How many draws do not tell it from those that the oracle states; the fields below are then absent. */
  draws: z.int().positive().optional(),
  /** The reference's own error hides it, and no tolerance would see; the fields behind the next one are then absent. */
  imprecise: z.boolean().optional(),
  /** How far it is from the right output. */
  max_abs_err: z.number().nullable().optional(),
  /** A tolerance that sees: it refuses the answer, and a kernel in this precision can keep it. */
  atol: z.number().nonnegative().optional(),
  rtol: z.number().nonnegative().optional(),
  factor: z.number().positive().optional(),
  /** Where the answer passes because too few elements have to be within. */
  share: z.number().positive().max(1).optional(),
  /** It is for this output alone; the others keep theirs. */
  own: z.boolean().optional(),
});
export type BlindAnswer = z.infer<typeof blindSchema>;
export const blindAnswersSchema = z.array(blindSchema);

/** A kernel function that ran on the device. */
export const launchSchema = z.object({
  name: z.string(),
  grid: z.array(z.int().positive()).length(3),
  block: z.array(z.int().positive()).length(3),
  count: z.int().positive(),
});

/** What a checker said of the outputs that it judges. */
export const checkedSchema = z.object({
  name: z.string(),
  passed: z.boolean(),
  /** What is wrong, in its own words. */
  message: z.string().optional(),
});

/** How the draws of an output are distributed, beside what the oracle states. Distances are Kolmogorov's. */
export const sampledSchema = z.object({
  name: z.string(),
  calls: z.int().nonnegative(),
  draws: z.int().nonnegative(),
  distance: z.number().nonnegative(),
  /** The most that the slack and chance explain. */
  limit: z.number().nonnegative(),
  /** What is off by more than this is refused, but for the `false_alarm` rate. */
  sees: z.number().nonnegative(),
  /** How often a right kernel is refused, for a case. */
  false_alarm: z.number().positive(),
});

export const verificationSchema = z.object({
  passed: z.boolean(),
  /** What said what is right: the oracle, or the checker where there is no oracle. */
  oracle: z.string(),
  /** Outputs that were compared with the oracle. */
  tensors: z.array(verifiedTensorSchema),
  checked: checkedSchema.optional(),
  /** Outputs whose elements are draws. */
  sampled: z.array(sampledSchema).optional(),
  tampering: z.array(tamperSchema),
  /** Answers that need no work and pass. Absent where the tolerance was not tried; empty where it sees. */
  blind: blindAnswersSchema.optional(),
  /** What one call launches, where the device tells (CUDA). */
  launches: z.array(launchSchema).optional(),
  /** Detectors that could not look, and why. */
  notes: z.array(z.string()).optional(),
  /** Where the time went: in the kernel under test, the oracle, and everything else. */
  cost_ms: z
    .object({
      kernel: z.number().nonnegative(),
      oracle: z.number().nonnegative(),
      total: z.number().nonnegative(),
    })
    .optional(),
});
export type Verification = z.infer<typeof verificationSchema>;
