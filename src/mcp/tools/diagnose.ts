import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { fileField } from '../inputs.ts';
import { insideProject } from '../inside-project.ts';
import { tool } from '../tool.ts';
import { diagnosisOutput, diagnosisSummary, diagnosisValue } from './diagnosis-value.ts';

export const diagnoseTool = tool({
  name: 'pawl_diagnose',
  title: 'What limits a profiled kernel?',
  description:
    'Reads a profile of Nsight Compute (CSV of the raw or details page, or an .ncu-rep) that lies in the project, and says what limits each launch and what to do about it, in order of expected gain. With before: what changed between the two.',
  effect: 'reads',
  input: z.strictObject({
    file: fileField,
    before: fileField.optional(),
    launch: z.int().min(0).optional().describe("Only the launch with this number (ncu's ID)."),
  }),
  output: diagnosisOutput,
  async run({ file, before, launch }, { project, signal, env }) {
    const { compareProfileFiles, diagnoseFile } = await import('../../workflows/diagnose.ts');
    const options = {
      file: await insideProject(project.root, file),
      ...defined({ launch }),
      env,
      signal,
    };
    const diagnosis =
      before === undefined
        ? await diagnoseFile(options)
        : await compareProfileFiles(await insideProject(project.root, before), options);
    return { summary: diagnosisSummary(diagnosis), value: diagnosisValue(diagnosis) };
  },
});
