import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { CalibrationStore } from '../../src/device/calibration-store.ts';
import { benchReportSchema } from '../../src/model/reports/bench-report.ts';
import { CALIBRATION_SCHEMA, type Calibration } from '../../src/model/device/calibration.ts';
import type { Verification } from '../../src/model/correctness/verification.ts';
import type { Samples } from '../../src/model/measure/samples.ts';
import { renderBenchMarkdown } from '../../src/report/markdown/bench-markdown.ts';
import { benchReport } from '../../src/report/bench-report.ts';
import { renderBenchTerminal } from '../../src/report/terminal/bench-terminal.ts';
import type { Target } from '../../src/runner/target.ts';
import { withRoofline } from '../../src/profile/with-roofline.ts';

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

const CALIBRATION: Calibration = {
  schema: CALIBRATION_SCHEMA,
  device: DEVICE,
  pawl: '0.1.0',
  measured_at: '2026-01-02T03:04:05.000Z',
  copy: { per_second: 1e12, median_ms: 1, samples: 15 },
};

async function rig(calibration: Calibration | undefined) {
  const env = { PAWL_CACHE_DIR: await mkdtemp(join(tmpdir(), 'pawl-roofline-')) };
  const store = new CalibrationStore(join(env.PAWL_CACHE_DIR, 'calibration'));
  if (calibration !== undefined) await store.save(calibration);
  const place = (samples: Samples, targets = TARGETS) => {
    const report = benchReport(samples, { cv_pct: 5, temperature_c: 80 });
    return withRoofline(report, samples, targets, { env, now: () => new Date('2026-02-03T04:05:06.000Z') });
  };
  return { store, place };
}

async function placed(isCalibrated: boolean) {
  const { place } = await rig(isCalibrated ? CALIBRATION : undefined);
  return place(SAMPLES);
}

/** A right kernel at twice the measured bandwidth. */
function fasterThanCeiling(kernel: string, verified: boolean): Samples {
  const check: Verification = { passed: true, oracle: 'oracle', tensors: [], tampering: [] };
  const series = [{ samples_ms: [0.5, 0.5, 0.5], verified }];
  return {
    ...SAMPLES,
    measurements: [{ ...SAMPLES.measurements[0]!, kernel, check, series }],
  };
}

function targetsOf(...kernels: string[]): readonly Target[] {
  return kernels.map((name) => ({ plan: { ...TARGETS[0]!.plan, name } })) as unknown as readonly Target[];
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

describe('kernels of several numbers of threads', () => {
  it('are each held against the ceilings of their own', async () => {
    const { store, place } = await rig(undefined);
    const cpu = (...cpus: number[]) => ({ kind: 'cpu', name: 'A CPU', cpus }) as const;
    const perSecond = { 1: 1e12, 2: 2e12 };
    for (const device of [cpu(0), cpu(0, 1)]) {
      const threads = device.cpus.length as 1 | 2;
      const copy = { per_second: perSecond[threads], median_ms: 1, samples: 15 };
      await store.save({ ...CALIBRATION, device, threads, copy });
    }
    const [one] = SAMPLES.measurements;
    const measurements = [
      { ...one!, kernel: 'copy', device: cpu(0), series: [{ samples_ms: [2, 2, 2] }] },
      { ...one!, kernel: 'other', device: cpu(0, 1), series: [{ samples_ms: [2, 2, 2] }] },
    ];
    const report = await place({ schema: 'pawl.samples/1', measurements }, targetsOf('copy', 'other'));
    expect(report.measurements).toMatchObject([
      { roofline: { of_ceiling_pct: 50 } },
      { roofline: { of_ceiling_pct: 25 } },
    ]);
  });
});

describe('ceilings that this machine exceeds', () => {
  it('are thrown away by one kernel that was verified, with a note, and hold for no other', async () => {
    const { store, place } = await rig(CALIBRATION);
    const report = await place(fasterThanCeiling('copy', true));
    const [one] = report.measurements;
    expect(one).not.toHaveProperty('roofline');
    expect(one!.notes.join()).toMatch(/discarded: copy large did 2 TB\/s \(pawl device --calibrate\)/);
    expect((await store.find(DEVICE))?.exceeded).toMatchObject([{ ceiling: 'copy', per_second: 2e12 }]);
    const [later] = (await place(SAMPLES)).measurements;
    expect(later).not.toHaveProperty('roofline');
    await store.save(CALIBRATION);
    expect((await place(SAMPLES)).measurements[0]).toHaveProperty('roofline');
  });

  it('are doubted by one that was not, and thrown away by a second kernel', async () => {
    const { place } = await rig(CALIBRATION);
    const targets = targetsOf('copy', 'other');
    const first = await place(fasterThanCeiling('copy', false), targets);
    expect(first.measurements[0]).toMatchObject({ roofline: { of_ceiling_pct: 200 } });
    expect(first.measurements[0]!.notes.join()).toContain('or the ceiling is out of date');
    // The same kernel again is no second one.
    const again = await place(fasterThanCeiling('copy', false), targets);
    expect(again.measurements[0]).toHaveProperty('roofline');
    const second = await place(fasterThanCeiling('other', false), targets);
    expect(second.measurements[0]).not.toHaveProperty('roofline');
  });

  it('stay where nobody knows whether the result is right', async () => {
    const { store, place } = await rig(CALIBRATION);
    const { check: _, ...unchecked } = fasterThanCeiling('copy', true).measurements[0]!;
    await place({ ...SAMPLES, measurements: [unchecked] });
    expect((await store.find(DEVICE))?.exceeded).toBeUndefined();
  });
});

describe('ceilings that load disturbed', () => {
  it('place nothing, and the report says why', async () => {
    const { place } = await rig({ ...CALIBRATION, disturbed: ['other work kept 1.9 of 2 CPUs busy'] });
    const [one] = (await place(SAMPLES)).measurements;
    expect(one).not.toHaveProperty('roofline');
    expect(one!.notes.join()).toMatch(/were disturbed \(other work kept 1\.9 of 2 CPUs busy\)/);
  });
});

describe('a case whose inputs choose what is touched', () => {
  it('is not held against the bandwidth, and the report says how it could be', async () => {
    const { place } = await rig(CALIBRATION);
    const index = { name: 'rows', role: 'input', dtype: 'i32', shape: [8] } as const;
    const table = { name: 'table', role: 'input', dtype: 'f32', shape: [1000, 8] } as const;
    const tensors = [
      { ...index, fill: { kind: 'integers', low: 0, high: 999 } },
      { ...table, fill: { kind: 'normal', mean: 0, std: 1 } },
    ];
    const cases = [{ ...TARGETS[0]!.plan.cases[0]!, tensors }];
    const targets = [{ plan: { name: 'copy', cases } }] as unknown as readonly Target[];
    const [one] = (await place(fasterThanCeiling('copy', true), targets)).measurements;
    expect(one).not.toHaveProperty('roofline');
    expect(one!.notes.join()).toContain('rows may choose what a call touches');
  });
});
