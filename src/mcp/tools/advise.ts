import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { caseField, fileField, gpuField, kernelField, variantField, waitField } from '../inputs.ts';
import { insideProject } from '../inside-project.ts';
import { tool } from '../tool.ts';
import { nameOf, nameSchema, untrusted, untrustedSchema } from '../untrusted.ts';
import { adviceOutput, adviceValue } from './advice-value.ts';

export const adviseTool = tool({
  name: 'pawl_advise',
  title: 'What to do next',
  description:
    'Ranks the fixes for what a profile found by expected gain: what the rule promises, updated by how that fix turned out in recorded sessions for this kind of kernel and device, with the evidence. Reads the latest profile, or a file of the project; measure takes one now.',
  effect: 'works',
  input: z.strictObject({
    kernel: kernelField.optional(),
    case: caseField.optional(),
    profile: fileField.optional().describe('A file of Nsight Compute in the project.'),
    measure: z.boolean().optional().describe('Take a profile now.'),
    variant: variantField,
    gpu: gpuField,
    wait_s: waitField,
  }),
  output: adviceOutput.extend({ kernel: nameSchema, kind: nameSchema, device: untrustedSchema }),
  async run(
    { kernel, case: name, profile, measure, variant, gpu, wait_s },
    { project, signal, onProgress, env, now },
  ) {
    const { advise } = await import('../../workflows/advise.ts');
    const advice = await advise({
      config: project.config,
      ...defined({ kernel, case: name, measure, variant, gpu }),
      ...(profile === undefined ? {} : { profile: await insideProject(project.root, profile) }),
      wait_s,
      signal,
      onProgress,
      env,
      now,
    });
    const [first] = advice.fixes;
    return {
      summary:
        first === undefined
          ? 'The profile has no finding to follow.'
          : `${advice.fixes.length} fixes, by ${advice.basis === 'rules' ? 'the rules alone' : 'what was recorded'}; first: ${first.rule}, ${first.expected_gain_pct.toFixed(1)} % expected.`,
      value: {
        ...adviceValue(advice),
        kernel: nameOf(advice.kernel),
        kind: nameOf(advice.kind),
        device: untrusted(advice.device),
      },
    };
  },
});
