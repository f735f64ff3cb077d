import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { CalibrationStore } from '../../src/device/calibration-store.ts';
import { CALIBRATION_SCHEMA, type Calibration } from '../../src/model/device/calibration.ts';
import type { DeviceInfo } from '../../src/model/device/device.ts';
import { temporaryFolder } from './temporary-folder.ts';

const cpu = (...cpus: number[]): DeviceInfo => ({ kind: 'cpu', name: 'A CPU', cpus });
const gpu = (uuid: string): DeviceInfo => ({ kind: 'cuda', name: 'A GPU', uuid });

function calibration(device: DeviceInfo, threads?: number): Calibration {
  return {
    schema: CALIBRATION_SCHEMA,
    device,
    ...(threads === undefined ? {} : { threads }),
    pawl: '0.1.0',
    measured_at: '2026-01-02T03:04:05.000Z',
    copy: { per_second: 1e9, median_ms: 1, samples: 15 },
  };
}

describe('measured ceilings', () => {
  it('are found again for the same GPU and for no other', async () => {
    const store = new CalibrationStore(await temporaryFolder());
    await store.save(calibration(gpu('GPU-1')));
    expect((await store.find(gpu('GPU-1')))?.copy.per_second).toBe(1e9);
    expect(await store.find(gpu('GPU-2'))).toBeUndefined();
  });

  it('of a CPU are those of as many threads, whichever CPUs they are pinned to', async () => {
    const store = new CalibrationStore(await temporaryFolder());
    await store.save(calibration(cpu(0, 1), 2));
    expect(await store.find(cpu(6, 7))).toBeDefined();
    expect(await store.find(cpu(0))).toBeUndefined();
    expect(await store.all({ kind: 'cpu', name: 'A CPU' })).toHaveLength(1);
  });

  it('in a damaged file are as good as none', async () => {
    const folder = await temporaryFolder();
    const store = new CalibrationStore(folder);
    const path = await store.save(calibration(gpu('GPU-1')));
    await writeFile(path, '{"schema": "pawl.calib');
    await writeFile(join(folder, 'other.json'), '{}');
    expect(await store.find(gpu('GPU-1'))).toBeUndefined();
    expect(await store.all(gpu('GPU-1'))).toEqual([]);
  });
});
