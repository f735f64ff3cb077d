import { z } from 'zod';

import { doctorProbeSchema, doctorReportSchema, isInTheWay } from '../../model/doctor-report.ts';
import { list, ownText, pick } from '../told.ts';
import { tool } from '../tool.ts';
import { own } from '../untrusted.ts';

const checkTold = z.object({
  ...pick(doctorProbeSchema, 'id', 'group', 'state', 'required', 'detail', 'remedy'),
  title: ownText,
});

export const doctorTool = tool({
  name: 'pawl_doctor',
  title: 'Is this machine fit to measure?',
  description:
    'Checks compilers, GPU, profilers, Python and pawl.yaml. Start here. Installs nothing. Returns ready, and for each check its state, what was seen (detail) and how to fix it (remedy).',
  effect: 'reads',
  input: z.strictObject({
    require: z
      .array(z.enum(['gpu', 'profiler', 'python']))
      .max(3)
      .optional()
      .describe('Not ready without these.'),
  }),
  output: z.object({
    ...pick(doctorReportSchema, 'ready', 'summary'),
    checks: list(checkTold, 60, '`pawl doctor` shows all checks.'),
  }),
  async run({ require = [] }, { project, signal }) {
    const [{ runDoctor }, { tryProject }] = await Promise.all([
      import('../../workflows/runs/doctor.ts'),
      import('../../workflows/project.ts'),
    ]);
    const loaded = await tryProject(project.config);
    const value = await runDoctor({ loaded, require, signal, cwd: project.root });
    const inTheWay = value.checks.filter(isInTheWay).map(({ id }) => own(id));
    return {
      summary: value.ready
        ? 'Ready: nothing that is required is missing.'
        : `Not ready: ${inTheWay.length} required checks failed (${inTheWay.join(', ')}).`,
      value,
    };
  },
});
