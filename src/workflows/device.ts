/** `pawl device`: what hardware this is, and what it does at best as measured on it. */
import { availableParallelism } from 'node:os';

import { calibrationDir } from '../build/cache-dirs.ts';
import { CalibrationStore } from '../device/calibration-store.ts';
import { listGpus } from '../device/gpus.ts';
import { cpuModel } from '../device/host.ts';
import { DEVICE_SCHEMA, type Calibration, type DeviceReport } from '../model/device/calibration.ts';
import type { DeviceInfo } from '../model/device/device.ts';
import { acceptsLoad } from '../model/device/load.ts';
import { calibrate, usualThreads } from '../rig/calibrate.ts';
import { keepCalibration } from '../device/keep-calibration.ts';
import { runContext, type ProcessContext } from '../os/run-context.ts';

/** Which devices to show, and whether to measure their ceilings. */
export interface DeviceOptions extends Partial<ProcessContext> {
  /** Measure the ceilings again. */
  readonly calibrate?: boolean;
  /** Only this kind of device. */
  readonly only?: 'cpu' | 'cuda';
  /** The index of the GPU in nvidia-smi. */
  readonly gpu?: number;
  /** Numbers of threads to measure the ceilings of the CPU with. Default: one, and all. */
  readonly threads?: readonly number[];
  readonly wait_s?: number;
  /** Keep ceilings that were measured while other work ran on the machine. Default: $PAWL_ACCEPT_LOAD. */
  readonly acceptLoad?: boolean;
}

/**
 * Returns the CPU and the GPUs of this machine, with the ceilings that were measured on them. With `calibrate` it
 * measures those first.
 *
 * @throws {PawlError} of kind `try-again` if a device that is to be calibrated is in use
 */
export async function showDevices(options: DeviceOptions = {}): Promise<DeviceReport> {
  const { only, env = process.env } = options;
  const store = new CalibrationStore(await calibrationDir(env));
  const list = only === 'cpu' ? undefined : await listGpus({ env });
  const gpus = list?.status === 'found' ? list.gpus : [];
  const notes = list !== undefined && list.status !== 'found' ? [`no GPU: ${list.message}`] : [];
  const not_kept: Calibration[] = [];
  if (options.calibrate === true) {
    const isGpuHere = gpus.some(({ info }) => info.index === (options.gpu ?? 0));
    const outcome = await calibrateAll(store, options, isGpuHere);
    notes.push(...outcome.notes);
    not_kept.push(...outcome.not_kept);
  }
  const cpu: DeviceInfo = {
    kind: 'cpu',
    name: (await cpuModel()) ?? 'unknown CPU',
    cores: availableParallelism(),
  };
  const report: DeviceReport = {
    schema: DEVICE_SCHEMA,
    devices: [],
    ...(not_kept.length === 0 ? {} : { not_kept }),
    notes,
  };
  if (only !== 'cuda') report.devices.push({ device: cpu, calibrations: await store.all(cpu) });
  for (const { info, state } of gpus) {
    report.devices.push({ device: info, state, calibrations: await store.all(info) });
  }
  return report;
}

async function calibrateAll(
  store: CalibrationStore,
  options: DeviceOptions,
  isGpuHere: boolean,
): Promise<{ readonly notes: readonly string[]; readonly not_kept: readonly Calibration[] }> {
  const { only, threads = usualThreads(), gpu = 0, wait_s = 0, env = process.env } = options;
  const { acceptLoad = acceptsLoad(env) } = options;
  const common = {
    gpu,
    wait_ms: wait_s * 1000,
    ...runContext(options),
  };
  const wanted = [
    ...(only === 'cuda' ? [] : threads.map((count) => ({ device: 'cpu', threads: count }) as const)),
    ...(only === 'cpu' || !isGpuHere ? [] : [{ device: 'cuda', threads: 1 } as const]),
  ];
  const notes: string[] = [];
  const not_kept: Calibration[] = [];
  for (const each of wanted) {
    const outcome = await calibrate({ ...common, ...each });
    notes.push(...outcome.notes);
    if (outcome.calibration === undefined) continue;
    const kept = await keepCalibration(store, outcome.calibration, { acceptLoad });
    notes.push(...kept.notes);
    if (!kept.isKept) not_kept.push(outcome.calibration);
  }
  return { notes, not_kept };
}
