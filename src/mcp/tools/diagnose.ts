import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { fileField } from '../inputs.ts';
import { insideProject } from '../inside-project.ts';
import { tool } from '../tool.ts';
import { diagnosisSummary, diagnosisTold, diagnosisValue } from './diagnosis-told.ts';

export const diagnoseTool = tool({
  name: 'pawl_diagnose',
  title: 'What limits a profiled kernel?',
  description:
    'Reads an Nsight Compute profile in the project: CSV of the raw or details page, or .ncu-rep. Use it for an existing profile; pawl_profile takes a new one. Returns for each launch what limits it (limiter) and findings with fixes in order of expected gain; with before, also what changed between the two (comparisons).',
  effect: 'reads',
  input: z.strictObject({
    file: fileField,
    before: fileField.optional().describe('Earlier profile to compare with.'),
    launch: z.int().min(0).optional().describe("Only this launch (ncu's ID)."),
  }),
  output: z.object(diagnosisTold),
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
