import type { Calibration, DeviceReport } from '../../model/device/calibration.ts';
import { scaled } from '../../model/text/number-text.ts';
import { doubtAbout } from '../../model/device/believed-ceilings.ts';
import { painter, type Paint } from './paint.ts';
import { padEnd, plainText } from '../text/plain-text.ts';
import { formatBytes } from '../text/units.ts';

export interface DeviceTerminalOptions {
  readonly color?: boolean;
}

export function renderDevices(report: DeviceReport, options: DeviceTerminalOptions = {}): string {
  const paint = painter(options.color ?? false);
  const blocks = report.devices.map((each) => deviceLines(each, paint));
  if (report.notes.length > 0)
    blocks.push(report.notes.map((note) => `${paint('yellow', '!')} ${plainText(note)}`));
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function deviceLines(
  { device, state, calibrations }: DeviceReport['devices'][number],
  paint: Paint,
): string[] {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['index', device.index?.toString()],
    ['compute capability', device.compute_capability],
    ['cores', device.cores?.toString()],
    ['memory', device.memory_bytes === undefined ? undefined : formatBytes(device.memory_bytes)],
    ['driver', device.driver],
    ['CUDA', device.cuda_driver],
    ['highest clock', device.sm_clock_max_mhz === undefined ? undefined : `${device.sm_clock_max_mhz} MHz`],
    ['temperature', state?.temperature_c === undefined ? undefined : `${state.temperature_c} °C`],
    ['uuid', device.uuid],
  ];
  return [
    paint('bold', plainText(device.name ?? 'unknown device')),
    ...facts.flatMap(([name, value]) =>
      value === undefined ? [] : [`  ${padEnd(name, 20)}${plainText(value)}`],
    ),
    ...(calibrations.length === 0
      ? [paint('dim', '  its peak rates are unknown: pawl device --calibrate')]
      : calibrations.flatMap((one) => calibrationLines(one, device.driver, paint))),
  ];
}

function calibrationLines(one: Calibration, driver: string | undefined, paint: Paint): string[] {
  const threads =
    one.threads === undefined ? '' : `, ${one.threads} ${one.threads === 1 ? 'thread' : 'threads'}`;
  const other =
    driver !== undefined && one.device.driver !== undefined && driver !== one.device.driver
      ? ` with driver ${one.device.driver}: measure again with --calibrate`
      : '';
  const doubt = doubtAbout(one);
  const rates: readonly (readonly [string, Calibration['matrix'], string])[] = [
    ['copy', one.copy, 'B/s read and written'],
    ['matrix, f16', one.matrix, 'OP/s'],
    ['multiply-add, f32', one.multiply_add, 'OP/s'],
  ];
  return [
    `  ${paint('cyan', 'measured ceilings')}${paint('dim', `${threads} (${one.measured_at.slice(0, 10)}${other})`)}`,
    ...rates.flatMap(([name, rate, unit]) =>
      rate === undefined ? [] : [`    ${padEnd(name, 18)}${scaled(rate.per_second, 4)}${unit}`],
    ),
    ...(doubt === undefined ? [] : [`    ${paint('yellow', '!')} ${plainText(doubt)}`]),
  ];
}
