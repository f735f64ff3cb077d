import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { preflightReportSchema } from '../../model/reports/preflight-report.ts';
import { caseFields, deviceFields, processesField, revisionField } from '../inputs.ts';
import { pick } from '../told.ts';
import { tool, workOf } from '../tool.ts';
import { ownGates } from './own-gates.ts';
import { gatesSummary, gatesTold, gatesValue } from './gates-told.ts';

export const preflightTool = tool({
  name: 'pawl_preflight',
  title: 'Can work on a kernel begin?',
  description:
    'Evaluates the pre-flight gates from measurements taken now: device, toolchain, shared memory, build, smallest case against its oracle, reference. Use it before working on a kernel. Returns ready, and for each gate its state, the reason and, if it stops, the next command.',
  effect: 'works',
  input: z.strictObject({
    ...caseFields,
    reference: revisionField
      .optional()
      .describe('What to measure against: a kernel of the same problem, or a commit.'),
    processes: processesField,
    ...deviceFields,
  }),
  output: z.object({
    ...pick(preflightReportSchema, 'ready', 'kernel', 'case'),
    gates: gatesTold,
  }),
  async run(asked, call) {
    const { preflight } = await import('../../workflows/preflight.ts');
    const value = await preflight({ ...workOf(call), ...defined(asked) });
    return {
      summary: `${value.ready ? 'Ready' : 'Not ready'}; gates: ${gatesSummary(value.gates)}.`,
      value: { ...value, gates: gatesValue(value.gates, await ownGates()) },
    };
  },
});
