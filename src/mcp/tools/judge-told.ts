/** What a change alters about its own judge, and that only a person accepts it: no tool here has a way to. */
import { z } from 'zod';

import {
  isHeldBack,
  judgeChangeSchema,
  judgeFieldsSchema,
  type JudgeFields,
} from '../../model/judge/judge-change.ts';
import { list, pick } from '../told.ts';

/** The change was judged as its base has it, and the verdict waits until somebody accepts it. */
export const judgeTold = {
  judge_changes: list(
    z.object(pick(judgeChangeSchema, 'kind', 'text')),
    30,
    'The report has all.',
  ).optional(),
  ...pick(judgeFieldsSchema, 'judge_accepted'),
};

/** For the summary that an assistant repeats. */
export function judgeSentence(fields: JudgeFields): string {
  if (!isHeldBack(fields)) return '';
  return ' The change alters its own judge: the judge of its base was used, and the result is undecided until a person accepts that on the command line (--accept-judge-change). Revert the change of the judge, or ask the user.';
}
