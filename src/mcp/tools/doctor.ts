import { z } from 'zod';

import type { DoctorCheck } from '../../model/doctor-report.ts';
import { cutList, listSchema } from '../bounded.ts';
import { tool } from '../tool.ts';
import { own, untrusted, untrustedSchema } from '../untrusted.ts';

export const doctorTool = tool({
  name: 'pawl_doctor',
  title: 'Is this machine fit to measure?',
  description:
    'Checks compilers, GPU, profilers, Python and pawl.yaml, and says how to mend what is missing. Start here. Installs nothing.',
  effect: 'reads',
  input: z.strictObject({
    require: z
      .array(z.enum(['gpu', 'profiler', 'python']))
      .max(3)
      .optional()
      .describe('Fail without these too.'),
  }),
  output: z.object({
    ready: z.boolean().describe('Nothing that the kernels need is missing.'),
    summary: untrustedSchema,
    checks: listSchema(
      z.object({
        id: z.string(),
        group: z.string(),
        title: z.string(),
        state: z.enum(['ok', 'warning', 'missing', 'failed', 'skipped']),
        required: z.boolean(),
        detail: untrustedSchema,
        remedy: untrustedSchema.optional(),
      }),
    ),
  }),
  async run({ require = [] }, { project, signal }) {
    const [{ runDoctor }, { tryProject }] = await Promise.all([
      import('../../workflows/doctor.ts'),
      import('../../workflows/project.ts'),
    ]);
    const loaded = await tryProject(project.config);
    const report = await runDoctor({ loaded, require, signal, cwd: project.root });
    const inTheWay = report.checks.filter(
      ({ required, state }) => required && (state === 'missing' || state === 'failed'),
    );
    return {
      summary: report.ready
        ? 'Ready: nothing that is required is missing.'
        : `Not ready: ${inTheWay.length} required checks failed (${inTheWay.map(({ id }) => own(id)).join(', ')}).`,
      value: {
        ready: report.ready,
        summary: untrusted(report.summary),
        checks: cutList(report.checks.map(checkValue), 60, '`pawl doctor` shows all checks.'),
      },
    };
  },
});

function checkValue({ id, group, title, state, required, detail, remedy }: DoctorCheck) {
  return {
    id: own(id),
    group,
    title: own(title),
    state,
    required,
    detail: untrusted(detail),
    ...(remedy === undefined ? {} : { remedy: untrusted(remedy) }),
  };
}
