import { z } from 'zod';

import type { BenchMeasurement, BenchWarning } from '../../model/bench-report.ts';
import { defined } from '../../model/defined.ts';
import { cutList, listSchema } from '../bounded.ts';
import {
  casesField,
  gpuField,
  modesField,
  onlyField,
  processesField,
  samplesField,
  seedField,
  timeoutField,
  variantField,
  waitField,
} from '../inputs.ts';
import { fromRoot } from '../inside-project.ts';
import { tool } from '../tool.ts';
import { nameOf, nameSchema, own, untrusted, untrustedSchema } from '../untrusted.ts';
import { keyValue } from './comparison-value.ts';

const warningSchema = z.object({
  kind: z.string(),
  message: untrustedSchema,
  remedy: untrustedSchema.optional(),
});

export const benchTool = tool({
  name: 'pawl_bench',
  title: 'Measure kernels',
  description:
    'Builds kernels, compares their results with the oracle, and times every case in several fresh processes. Gives medians with intervals, warnings and faults; the whole report is the resource pawl://report/latest. To know whether a change helped use pawl_compare: two benches do not tell.',
  effect: 'works',
  input: z.strictObject({
    only: onlyField,
    cases: casesField,
    variant: variantField,
    modes: modesField,
    processes: processesField,
    samples: samplesField,
    timeout_s: timeoutField,
    seed: seedField,
    gpu: gpuField,
    wait_s: waitField,
  }),
  output: z.object({
    result: z.enum(['good', 'bad', 'undecided']),
    measurements: listSchema(
      z.object({
        kernel: nameSchema.optional(),
        case: nameSchema,
        variant: untrustedSchema.optional(),
        mode: z.string().optional(),
        state: z.enum(['measured', 'unmeasured']),
        check: z.enum(['passed', 'failed', 'not-checked']),
        median_ms: z.number().optional(),
        ci_ms: z.tuple([z.number(), z.number()]).optional(),
        cv_pct: z.number().optional(),
        throughput_gflop_s: z.number().optional(),
        bandwidth_gb_s: z.number().optional(),
        times_floor: z.number().optional().describe('How many times the least time the hardware needs.'),
        processes: z.int(),
        samples: z.int(),
        fault: z
          .object({ detector: z.string(), message: untrustedSchema, output: untrustedSchema.optional() })
          .optional(),
        warnings: listSchema(warningSchema),
      }),
    ),
    skipped: listSchema(z.object({ kernel: nameSchema, message: untrustedSchema })),
    warnings: listSchema(warningSchema),
    device: untrustedSchema.optional(),
    device_s: z.number().optional(),
    files: z.record(z.string(), z.string()),
    report: z.string().describe('The resource that has all of it.'),
  }),
  async run(
    { only, cases, variant, modes, processes, samples, timeout_s, seed, gpu, wait_s },
    { project, signal, onProgress, now },
  ) {
    const { bench } = await import('../../workflows/bench.ts');
    const { result, report, skipped, files } = await bench({
      config: project.config,
      ...defined({ only, cases, variant, modes, processes, samples, timeout_s, seed, gpu }),
      wait_s,
      signal,
      onProgress,
      now,
    });
    const measured = report.measurements.filter(({ state }) => state === 'measured').length;
    return {
      summary: `Result: ${result}; ${measured} of ${report.measurements.length} cases measured, ${skipped.length} kernels skipped.`,
      value: {
        result,
        measurements: cutList(
          report.measurements.map(measurementValue),
          50,
          'Read pawl://report/latest, or name kernels and cases.',
        ),
        skipped: cutList(
          skipped.map(({ kernel, message }) => ({ kernel: nameOf(kernel), message: untrusted(message) })),
          20,
          'Name kernels in only.',
        ),
        warnings: warningsValue(report.warnings),
        ...(report.device?.name === undefined ? {} : { device: untrusted(report.device.name) }),
        ...(report.cost?.device_s === undefined ? {} : { device_s: report.cost.device_s }),
        files: Object.fromEntries(
          Object.entries(files).map(([what, path]: [string, string]) => [what, fromRoot(project.root, path)]),
        ),
        report: 'pawl://report/latest',
      },
    };
  },
});

function measurementValue(one: BenchMeasurement) {
  const { state, check, processes, samples, fault, warnings } = one;
  return {
    ...keyValue(one),
    state,
    check,
    processes,
    samples,
    ...(state === 'measured'
      ? {
          median_ms: one.median_ms,
          ci_ms: one.ci_ms,
          ...defined({
            cv_pct: one.cv_pct,
            throughput_gflop_s: one.throughput_gflop_s,
            bandwidth_gb_s: one.bandwidth_gb_s,
            times_floor: one.times_floor,
          }),
        }
      : {}),
    ...(fault === undefined
      ? {}
      : {
          fault: {
            detector: own(fault.detector),
            message: untrusted(fault.message),
            ...(fault.output === undefined ? {} : { output: untrusted(fault.output) }),
          },
        }),
    warnings: warningsValue(warnings),
  };
}

function warningsValue(warnings: readonly BenchWarning[]) {
  return cutList(
    warnings.map(({ kind, message, remedy }) => ({
      kind,
      message: untrusted(message),
      ...(remedy === undefined ? {} : { remedy: untrusted(remedy) }),
    })),
    5,
    'Read pawl://report/latest.',
  );
}
