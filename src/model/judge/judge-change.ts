/** What a change alters about what judges it: the base's judge applies until a person accepts the change's own. */
import { z } from 'zod';

const JUDGE_CHANGE_KINDS = [
  /** The oracle or its reference: a setting, its source, or a file that it includes or imports. */
  'oracle',
  /** The kernel that a session measures against. */
  'reference',
  'tolerance',
  /** Dimensions, tensors, fills, or what the floors are computed from. */
  'problem',
  'problem-removed',
  'fuzz',
  /** What a kernel says of its own results: problem, device, element types, whether they repeat. */
  'kernel',
  'kernel-removed',
  'case-removed',
  'case-renamed',
  'case-changed',
  'thresholds',
  'measure',
  /** Shown, and not held against the change: the workflow files that run the gate. */
  'workflow',
  /** Shown: entries of the baseline file, of which the base's are used. */
  'baseline',
  /** Shown: a waiver is a person's word already. */
  'waiver',
  /** Shown: the base has no judge, so that nothing could be altered. */
  'no-base',
] as const;

export const judgeChangeSchema = z.object({
  kind: z.enum(JUDGE_CHANGE_KINDS),
  /** What it is about: a problem, `kernel/case`, a setting, a file. */
  subject: z.string(),
  /** As the base has it, and as the change does; absent where it has none. */
  base: z.string().optional(),
  change: z.string().optional(),
  /** The same in one sentence for people. */
  text: z.string(),
});
export type JudgeChange = z.infer<typeof judgeChangeSchema>;

/** Who accepted that the change is judged by its own judge. */
export const judgeAcceptanceSchema = z.object({ by: z.string(), at: z.iso.datetime() });
export type JudgeAcceptance = z.infer<typeof judgeAcceptanceSchema>;

/** What a document says about the judge of what it compares. Without changes it says nothing. */
export const judgeFieldsSchema = z.object({
  /** What the change alters about its own judge. The base's judge was applied, unless somebody accepted it. */
  judge_changes: z.array(judgeChangeSchema).optional(),
  /** The changes above were accepted, and the change was judged by its own judge. */
  judge_accepted: judgeAcceptanceSchema.optional(),
});
export interface JudgeFields {
  readonly judge_changes?: readonly JudgeChange[] | undefined;
  readonly judge_accepted?: JudgeAcceptance | undefined;
}

const SHOWN_ONLY: ReadonlySet<JudgeChange['kind']> = new Set(['workflow', 'baseline', 'waiver', 'no-base']);

/** Whether a verdict has to wait until a person accepts a change of this kind. */
export function needsAcceptance({ kind }: JudgeChange): boolean {
  return !SHOWN_ONLY.has(kind);
}

/** Whether a verdict waits for a person. */
export function isHeldBack({ judge_changes = [], judge_accepted }: JudgeFields): boolean {
  return judge_accepted === undefined && judge_changes.some(needsAcceptance);
}
