/** What a change alters about its own judge, and that only a person accepts it: no tool here has a way to. */
import { z } from 'zod';

import { isHeldBack, type JudgeFields } from '../../model/judge-change.ts';
import { cutList, listSchema } from '../bounded.ts';
import { untrusted, untrustedSchema } from '../untrusted.ts';

export const judgeOutput = {
  judge_changes: listSchema(z.object({ kind: z.string(), change: untrustedSchema }))
    .optional()
    .describe(
      'What the change alters about its own judge. It was judged as its base has it, and the verdict waits.',
    ),
  judge_accepted_by: untrustedSchema.optional().describe('The person who accepted that.'),
};

export function judgeValue({ judge_changes = [], judge_accepted }: JudgeFields) {
  if (judge_changes.length === 0) return {};
  return {
    judge_changes: cutList(
      judge_changes.map(({ kind, text }) => ({ kind, change: untrusted(text) })),
      30,
      'The report has all.',
    ),
    ...(judge_accepted === undefined ? {} : { judge_accepted_by: untrusted(judge_accepted.by, 200) }),
  };
}

/** For the summary that an assistant repeats. */
export function judgeSentence(fields: JudgeFields): string {
  if (!isHeldBack(fields)) return '';
  return ' The change alters its own judge: it was judged as its base has it, and is undecided until a person accepts that on the command line (--accept-judge-change). Take the change of the judge back, or ask the user.';
}
