import { z } from 'zod';

import { benchMeasurementSchema, benchWarningSchema } from '../../model/reports/bench-report.ts';
import { defined } from '../../model/defined.ts';
import { measuringFields, variantField } from '../inputs.ts';
import { filesFromRoot } from '../inside-project.ts';
import { list, name, ownText, paths, pick, text } from '../told.ts';
import { tool, workOf } from '../tool.ts';
import { faultTold } from './comparison-told.ts';

const REPORT = 'pawl://report/latest';

const warnings = list(
  z.object({ ...pick(benchWarningSchema, 'kind', 'message'), remedy: ownText.optional() }),
  5,
  `Read ${REPORT}.`,
);

const measurementTold = z.object({
  ...pick(benchMeasurementSchema, 'kernel', 'case', 'variant', 'mode', 'state', 'check', 'median_ms'),
  ...pick(benchMeasurementSchema, 'ci_ms', 'cv_pct', 'throughput_gflop_s', 'bandwidth_gb_s'),
  ...pick(benchMeasurementSchema, 'times_floor', 'processes', 'samples'),
  fault: faultTold,
  warnings,
});

export const benchTool = tool({
  name: 'pawl_bench',
  title: 'Measure kernels',
  description: `Builds kernels, compares their results with the oracle, and times every case in several fresh processes. To learn whether a change helped, use pawl_compare: two benches cannot show it. Returns for each case median_ms with its interval ci_ms, throughput, times_floor (a multiple of the least time that the hardware allows), warnings and faults; ${REPORT} has the whole report.`,
  effect: 'works',
  input: z.strictObject({ ...measuringFields, variant: variantField }),
  output: z.object({
    result: z.enum(['good', 'bad', 'undecided']),
    measurements: list(measurementTold, 50, `Read ${REPORT}, or name kernels and cases.`),
    skipped: list(
      z.object({ kernel: name, reason: z.string(), message: text() }),
      20,
      'Name kernels in only.',
    ),
    warnings,
    device: text().optional(),
    device_s: z.number().optional(),
    files: paths,
    /** The resource that has all of it. */
    report: z.string(),
  }),
  async run(asked, call) {
    const { bench } = await import('../../workflows/runs/bench.ts');
    const { result, report, skipped, files } = await bench({ ...workOf(call), ...defined(asked) });
    const { measurements } = report;
    const measured = measurements.filter(({ state }) => state === 'measured').length;
    return {
      summary: `Result: ${result}; ${measured} of ${measurements.length} cases measured, ${skipped.length} kernels skipped.`,
      value: {
        result,
        measurements,
        skipped,
        warnings: report.warnings,
        device: report.device?.name,
        device_s: report.cost?.device_s,
        files: filesFromRoot(call.project.root, files),
        report: REPORT,
      },
    };
  },
});
