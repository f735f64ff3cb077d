import { z } from 'zod';

import { calibrationSchema, type Calibration } from '../../model/device/calibration.ts';
import { defined } from '../../model/defined.ts';
import { deviceFields } from '../inputs.ts';
import { list, ownText, pick, text } from '../told.ts';
import { tool } from '../tool.ts';

const calibrationTold = z.object({
  ...pick(calibrationSchema, 'threads', 'measured_at', 'copy', 'matrix', 'multiply_add', 'load_accepted'),
  /** What other work did to it. */
  disturbed: list(ownText, 5, '`pawl device` shows all.').optional(),
});

export const deviceTool = tool({
  name: 'pawl_device',
  title: 'Peak rates of the device',
  description:
    'Shows the measured peak rates of this machine, or with calibrate measures them: copy bandwidth, multiply-adds, matrix rate. The gate room needs them. Takes a minute. A disturbed calibration is not kept. Returns devices with calibrations (per_second: bytes or operations), those not kept, and notes.',
  effect: 'works',
  isIdempotent: true,
  input: z.strictObject({
    calibrate: z.boolean().optional().describe('Measure the peak rates now.'),
    only: z.enum(['cpu', 'cuda']).optional(),
    threads: z.array(z.int().min(1).max(1024)).max(8).optional().describe('CPU: number of threads.'),
    accept_load: z.boolean().optional().describe('Keep a disturbed calibration: ask the user first.'),
    ...deviceFields,
  }),
  output: z.object({
    devices: list(
      z.object({ device: text(), calibrations: list(calibrationTold, 8, '`pawl device` shows all.') }),
      10,
      '`pawl device` shows all.',
    ),
    not_kept: list(calibrationTold, 8, '`pawl device` shows all.'),
    notes: list(ownText, 10, '`pawl device` shows all.'),
  }),
  async run({ accept_load: acceptLoad, ...asked }, { env, now, signal, onProgress }) {
    const { showDevices } = await import('../../workflows/device.ts');
    const report = await showDevices({
      ...defined({ ...asked, acceptLoad }),
      ...defined({ env, now, signal, onProgress }),
    });
    const { devices, not_kept = [], notes } = report;
    const known = devices.reduce((sum, { calibrations }) => sum + calibrations.length, 0);
    return {
      summary: `${devices.length} devices, ${known} sets of ceilings known${lost(not_kept)}.`,
      value: {
        devices: devices.map(({ device, calibrations }) => ({
          device: device.name ?? device.kind ?? 'a device',
          calibrations,
        })),
        not_kept,
        notes,
      },
    };
  },
});

function lost(notKept: readonly Calibration[]): string {
  if (notKept.length === 0) return '';
  return `; ${notKept.length} measured and not kept, because other work ran meanwhile: calibrate again when the machine is idle, or ask the user whether accept_load is right`;
}
