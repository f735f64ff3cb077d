import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { CalibrationStore } from '../../../src/device/calibration-store.ts';
import { benchReportSchema } from '../../../src/model/bench-report.ts';
import { CALIBRATION_SCHEMA } from '../../../src/model/calibration.ts';
import type { Samples } from '../../../src/model/samples.ts';
import { renderBenchMarkdown } from '../../../src/report/bench-markdown.ts';
import { benchReport } from '../../../src/report/bench-report.ts';
import { renderBenchTerminal } from '../../../src/report/bench-terminal.ts';
import type { Target } from '../../../src/runner/target.ts';
import { withRoofline } from '../../../src/workflows/bench/with-roofline.ts';

const DEVICE = { kind: 'cuda', name: 'A GPU', uuid: 'GPU-1', l2_bytes: 50e6 } as const;
const SAMPLES: Samples = {
  schema: 'pawl.samples/1',
  device: DEVICE,
  measurements: [
    { kernel: 'copy', case: 'large', mode: 'cold', bytes: 1e9, series: [{ samples_ms: [1.05, 1.06, 1.07] }] },
  ],
};
const TARGETS = [
  {
    plan: {
      name: 'copy',
      cases: [{ name: 'large', dims: [], tensors: [], operations: undefined, bytes: 1e9 }],
    },
  },
] as unknown as readonly Target[];

async function placed(isCalibrated: boolean) {
  const env = { PAWL_CACHE_DIR: await mkdtemp(join(tmpdir(), 'pawl-roofline-')) };
  if (isCalibrated) {
    await new CalibrationStore(join(env.PAWL_CACHE_DIR, 'calibration')).save({
      schema: CALIBRATION_SCHEMA,
      device: DEVICE,
      pawl: '0.1.0',
      measured_at: '2026-01-02T03:04:05.000Z',
      copy: { per_second: 1e12, median_ms: 1, samples: 15 },
    });
  }
  const report = benchReport(SAMPLES, { cv_pct: 5, temperature_c: 80 });
  return withRoofline(report, TARGETS, env);
}

describe('a report of a calibrated device', () => {
  it('says how near each time is to the ceiling, and when a kernel is done', async () => {
    const report = await placed(true);
    expect(benchReportSchema.safeParse(report).error).toBeUndefined();
    for (const text of [
      renderBenchTerminal(report, { color: false, columns: 120 }),
      renderBenchMarkdown(report),
    ]) {
      expect(text).toContain('% of ceiling');
      expect(text.replaceAll(/\s+/g, ' ')).toContain('there is nothing to gain from another kernel');
    }
  });

  it('says nothing of ceilings that nobody measured', async () => {
    const text = renderBenchTerminal(await placed(false), { color: false, columns: 120 });
    expect(text).not.toContain('ceiling');
  });
});
