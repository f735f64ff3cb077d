import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

import { describe, expect, it } from 'vitest';

import { lockDevice } from '../../src/device/device-lock.ts';
import { cpuDeviceId } from '../../src/device/host.ts';
import { calibrationSchema, deviceReportSchema } from '../../src/model/device/calibration.ts';
import { renderDevices } from '../../src/report/terminal/device-terminal.ts';
import { showDevices } from '../../src/workflows/device.ts';
import { privateCache } from '../services/private-cache.ts';

describe('the device under Pawl', () => {
  it('is shown without ceilings until they are measured, and with them afterwards', async () => {
    const env = { ...process.env, PAWL_CACHE_DIR: await privateCache() };
    const before = await showDevices({ only: 'cpu', env });
    expect(before.devices[0]?.calibrations).toEqual([]);
    expect(renderDevices(before)).toContain('pawl device --calibrate');

    // Whatever else the machine does: another test may be its load.
    const accepted = { acceptLoad: true, wait_s: 600 };
    await showDevices({ only: 'cpu', env, calibrate: true, threads: [1], ...accepted });
    const after = await showDevices({ only: 'cpu', env });
    expect(deviceReportSchema.safeParse(after).error).toBeUndefined();
    const [calibration] = after.devices[0]?.calibrations ?? [];
    expect(calibrationSchema.parse(calibration)).toMatchObject({ threads: 1, device: { kind: 'cpu' } });
    expect(calibration?.copy.per_second).toBeGreaterThan(0);
    expect(calibration?.multiply_add?.per_second).toBeGreaterThan(0);
    expect(renderDevices(after)).toMatch(/measured ceilings, 1 thread/);
  }, 600_000);

  it.runIf(process.platform === 'linux')(
    'is not judged by what it did under load',
    async () => {
      const env = { ...process.env, PAWL_CACHE_DIR: await privateCache() };
      const options = { only: 'cpu', env, threads: [1], wait_s: 600 } as const;
      // Not while another test measures: this one would be its disturbance.
      const turn = await lockDevice({ id: cpuDeviceId(), purpose: 'load in a test', wait_ms: 600_000 });
      await turn.release();
      // At the lowest priority they take little of what is measured, and are busy all the same.
      const hogs = Array.from({ length: availableParallelism() }, () =>
        spawn('nice', ['-n', '19', process.execPath, '-e', 'for (;;);'], { stdio: 'ignore' }),
      );
      try {
        const report = await showDevices({ ...options, calibrate: true, acceptLoad: false });
        expect(report.devices[0]?.calibrations).toEqual([]);
        expect(report.not_kept).toHaveLength(1);
        expect(report.not_kept?.[0]?.disturbed?.join()).toMatch(/other work kept .* CPUs busy/);
        expect(renderDevices(report)).toMatch(/of 1 thread were disturbed .*they are not kept/);
      } finally {
        for (const hog of hogs) hog.kill('SIGKILL');
      }
    },
    600_000,
  );
});
