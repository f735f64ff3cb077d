import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import {
  doctorProbeSchema,
  doctorReportSchema,
  isInTheWay,
  type DoctorProbe,
} from '../../model/reports/doctor-report.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { list, ownText, pick, said, type Said } from '../told.ts';
import { tool } from '../tool.ts';
import { toolCall, toolCallSchema, type ToolCall } from '../tool-call.ts';
import { own } from '../untrusted.ts';

const checkTold = z.object({
  ...pick(doctorProbeSchema, 'id', 'group', 'state', 'required', 'detail'),
  title: ownText,
  remedy: said().optional(),
  /** The call that does what the remedy says. */
  call: toolCallSchema.optional(),
});

export const doctorTool = tool({
  name: 'pawl_doctor',
  title: 'Check this machine',
  description:
    'Checks compilers, GPU, profilers, Python and pawl.yaml. Start here. Installs nothing. Returns ready, and for each check its state, what was found (detail) and how to fix it (remedy).',
  effect: 'reads',
  input: z.strictObject({
    require: z
      .array(z.enum(['gpu', 'profiler', 'python']))
      .max(3)
      .optional()
      .describe('Also require these.'),
  }),
  output: z.object({
    ...pick(doctorReportSchema, 'ready'),
    summary: ownText,
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
        ? 'Ready: nothing required is missing.'
        : `Not ready: ${inTheWay.length} required checks failed (${inTheWay.join(', ')}).`,
      value: { ...value, checks: value.checks.map((check) => checkValue(check, loaded)) },
    };
  },
});

function checkValue(check: DoctorProbe, loaded: unknown) {
  return { ...check, ...remedyOf(check, loaded) };
}

/** Remedies are Pawl's own words, but for what a mistake in pawl.yaml is told with. */
function remedyOf({ id, remedy }: DoctorProbe, loaded: unknown): { remedy?: Said; call?: ToolCall } {
  if (remedy === undefined) return {};
  const mistake = id === 'config' && loaded instanceof PawlError ? loaded : undefined;
  if (mistake !== undefined && !mistake.isOwnHint) return { remedy };
  const command = mistake?.command ?? (id === 'git' || id === 'config' ? 'init' : undefined);
  return {
    remedy: { own: remedy },
    ...defined({ call: command === undefined ? undefined : toolCall(command) }),
  };
}
