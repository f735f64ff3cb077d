import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { caseField, gpuField, kernelField, processesField, waitField } from '../inputs.ts';
import { revisionField } from '../inputs.ts';
import { tool } from '../tool.ts';
import { nameOf, nameSchema, untrusted, untrustedSchema } from '../untrusted.ts';
import { gatesOutput, gatesSummary, gatesValue } from './gates-value.ts';

export const preflightTool = tool({
  name: 'pawl_preflight',
  title: 'Can work on a kernel begin?',
  description:
    'Evaluates the pre-flight gates from measurements taken now: device, toolchain, shared memory, build, smallest case against its oracle, reference. A gate that stops names what comes next.',
  effect: 'works',
  input: z.strictObject({
    kernel: kernelField.optional(),
    case: caseField.optional(),
    reference: revisionField
      .optional()
      .describe('What it is measured against: a kernel of the same problem, or a commit.'),
    processes: processesField,
    gpu: gpuField,
    wait_s: waitField,
  }),
  output: z.object({
    ready: z.boolean(),
    kernel: nameSchema,
    case: nameSchema,
    summary: untrustedSchema,
    gates: gatesOutput,
  }),
  async run(
    { kernel, case: name, reference, processes, gpu, wait_s },
    { project, signal, onProgress, env, now },
  ) {
    const { preflight } = await import('../../workflows/preflight.ts');
    const report = await preflight({
      config: project.config,
      ...defined({ kernel, case: name, reference, processes, gpu }),
      wait_s,
      signal,
      onProgress,
      env,
      now,
    });
    return {
      summary: `${report.ready ? 'Ready' : 'Not ready'}; gates: ${gatesSummary(report.gates)}.`,
      value: {
        ready: report.ready,
        kernel: nameOf(report.kernel),
        case: nameOf(report.case),
        summary: untrusted(report.summary),
        gates: gatesValue(report.gates),
      },
    };
  },
});
