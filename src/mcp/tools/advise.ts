import { z } from 'zod';

import { adviceSchema } from '../../model/learn/advice.ts';
import { defined } from '../../model/defined.ts';
import { caseFields, deviceFields, fileField, variantField } from '../inputs.ts';
import { insideProject } from '../inside-project.ts';
import { pick } from '../told.ts';
import { tool, workOf } from '../tool.ts';
import { adviceTold } from './advice-told.ts';

export const adviseTool = tool({
  name: 'pawl_advise',
  title: 'What to do next',
  description:
    'Ranks the fixes for what a profile found: what the rule predicts, updated by the outcomes of that fix in recorded sessions for this kind of kernel and device. Reads the latest profile, unless you name another or take one now. Use it to choose the next try. Returns fixes, each with expected_gain_pct (percent of the time), its 80 % interval ci_pct and the evidence; basis is rules if nothing was recorded.',
  effect: 'works',
  input: z.strictObject({
    ...caseFields,
    profile: fileField.optional().describe('Nsight Compute file of the project.'),
    measure: z.boolean().optional().describe('Take a profile now.'),
    variant: variantField,
    ...deviceFields,
  }),
  output: z.object({ ...adviceTold, ...pick(adviceSchema, 'kernel', 'kind', 'device') }),
  async run({ profile: file, ...asked }, call) {
    const { advise } = await import('../../workflows/advise.ts');
    const profile = file === undefined ? undefined : await insideProject(call.project.root, file);
    const value = await advise({ ...workOf(call), ...defined({ ...asked, profile }) });
    const [first] = value.fixes;
    return {
      summary:
        first === undefined
          ? 'The profile has no finding.'
          : `${value.fixes.length} fixes, by ${value.basis === 'rules' ? 'the rules alone' : 'what was recorded'}; first: ${first.rule}, ${first.expected_gain_pct.toFixed(1)} % expected.`,
      value,
    };
  },
});
