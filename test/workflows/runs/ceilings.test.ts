import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CalibrationStore } from '../../../src/device/calibration-store.ts';
import { CALIBRATION_SCHEMA } from '../../../src/model/device/calibration.ts';
import { checkReportSchema } from '../../../src/model/reports/check-report.ts';
import type { Samples } from '../../../src/model/measure/samples.ts';
import { bench, type BenchOptions } from '../../../src/workflows/runs/bench.ts';
import { compare } from '../../../src/workflows/runs/compare.ts';
import { privateCache } from '../../services/private-cache.ts';
import { CompareProject } from '../compare-project.ts';

/** Of x and y, 1000 numbers each. */
const BYTES = 8000;
/** No machine has it, so that nothing here exceeds it. */
const BYTES_PER_S = 1e12;

let project: CompareProject;
let cache: string;
const inherited = process.env['PAWL_CACHE_DIR'];

beforeAll(async () => {
  project = await CompareProject.create();
  cache = await privateCache();
  process.env['PAWL_CACHE_DIR'] = cache;
});
afterAll(async () => {
  if (inherited === undefined) delete process.env['PAWL_CACHE_DIR'];
  else process.env['PAWL_CACHE_DIR'] = inherited;
  await rm(project.repository, { recursive: true, force: true });
  await rm(cache, { recursive: true, force: true });
});

async function benched(): Promise<Samples> {
  const options: BenchOptions = {
    config: project.folder,
    only: ['busy'],
    modes: ['cold'],
    processes: 1,
    wait_s: 300,
    history: false,
    out: join(await mkdtemp(join(tmpdir(), 'pawl-ceilings-')), 'samples.json'),
  };
  return (await bench(options)).samples;
}

async function calibrate({ device }: Samples): Promise<void> {
  await new CalibrationStore(join(cache, 'calibration')).save({
    schema: CALIBRATION_SCHEMA,
    device: device!,
    ...(device?.cpus === undefined ? {} : { threads: device.cpus.length }),
    pawl: '0.1.0',
    measured_at: '2026-01-02T03:04:05.000Z',
    copy: { per_second: BYTES_PER_S, median_ms: 1, samples: 15 },
  });
}

describe('the ceilings of a calibrated device', () => {
  it('are in the samples of bench and of both sides of compare, and of no device that was not calibrated', async () => {
    await rm(join(cache, 'calibration'), { recursive: true, force: true });
    const before = await benched();
    expect(before.measurements[0]!.series).toHaveLength(1);
    expect(before.measurements[0]).not.toHaveProperty('ceiling');

    await calibrate(before);
    const ceiling = {
      ceiling_ms: expect.closeTo((1000 * BYTES) / BYTES_PER_S, 9) as number,
      limit: 'memory',
      basis: '8 kB at 1 TB/s',
      bytes_per_s: BYTES_PER_S,
    };
    expect((await benched()).measurements[0]!.ceiling).toEqual(ceiling);

    const { samples, report } = await compare({
      what: 'variants',
      history: false,
      config: project.folder,
      kernel: 'tuned',
      a: { WORK: 20_000 },
      b: { WORK: 160_000 },
      modes: ['cold'],
      processes: 3,
      wait_s: 300,
    });
    for (const side of [samples.base, samples.head]) {
      expect(side.measurements.map((one) => one.ceiling)).toEqual([ceiling]);
    }
    expect(checkReportSchema.parse(report).work).toMatchObject([
      { key: { kernel: 'tuned', case: 'small' }, bytes: BYTES, ceiling_ms: ceiling.ceiling_ms },
    ]);
  });
});
