/** `pawl.claim/1`: what a pull request claims, held against what was measured. `pawl claim --json` prints it. */
import { z } from 'zod';

import { caseKeySchema } from './comparison.ts';
import type { MeasuredVerdict } from './verdict.ts';

export const CLAIM_SCHEMA = 'pawl.claim/1';

/** The fields of the pull-request template; `correctness` is not claimed but required. */
const CLAIM_FIELDS = [
  'target-shapes',
  'hypothesis',
  'evidence',
  'median-change',
  'ci-overlap',
  'cliffs-delta',
  'verdict',
  'correctness',
] as const;
const claimFieldSchema = z.enum(CLAIM_FIELDS);
export type ClaimField = z.infer<typeof claimFieldSchema>;

const claimFindingSchema = z.object({
  field: claimFieldSchema,
  state: z.enum(['ok', 'wrong', 'missing']),
  message: z.string(),
});
export type ClaimFinding = z.infer<typeof claimFindingSchema>;

export const claimReportSchema = z.object({
  schema: z.literal(CLAIM_SCHEMA),
  /** `incomplete`: nothing is wrong, but something is missing. */
  verdict: z.enum(['proven', 'not-proven', 'incomplete']),
  claim_pct: z.number().positive(),
  findings: z.array(claimFindingSchema),
  /** The measured cases that the claim is about. */
  cases: z.array(caseKeySchema),
});
export type ClaimReport = z.infer<typeof claimReportSchema>;

/** A shape as a person writes it: a case by its name, or by its dimensions. */
export type ClaimedShape =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'dims'; readonly dims: Readonly<Record<string, number>> };

/** What a value says, or why it cannot be read. */
export type Stated<T> =
  | { readonly state: 'read'; readonly value: T; readonly text: string }
  | { readonly state: 'unreadable'; readonly why: string; readonly text: string };

/** The description as read; a field that is absent, empty or a placeholder is not there. */
export interface Claim {
  readonly shapes?: Stated<readonly ClaimedShape[]> | undefined;
  readonly hypothesis?: Stated<string> | undefined;
  /** Paths and links. */
  readonly evidence?: Stated<readonly string[]> | undefined;
  readonly change?: Stated<ClaimedNumber> | undefined;
  readonly overlap?: Stated<boolean> | undefined;
  readonly delta?: Stated<ClaimedNumber> | undefined;
  readonly verdict?: Stated<MeasuredVerdict> | undefined;
}

/** A number and how finely it was written: half a unit of its last digit either way. */
export interface ClaimedNumber {
  readonly value: number;
  readonly rounding: number;
}
