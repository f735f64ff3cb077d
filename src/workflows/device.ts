/** `pawl device`: what hardware this is, and what it does at best as measured on it. */
import { availableParallelism } from 'node:os';

import { calibrationDir } from '../build/cache-dirs.ts';
import { CalibrationStore } from '../device/calibration-store.ts';
import { listGpus } from '../device/gpus.ts';
import { cpuModel } from '../device/host.ts';
import { DEVICE_SCHEMA, type DeviceReport } from '../model/calibration.ts';
import type { DeviceInfo } from '../model/device.ts';
import { calibrate, usualThreads } from '../rig/calibrate.ts';
import { keepCalibration } from '../device/keep-calibration.ts';
import type { ProcessContext } from '../os/run-context.ts';

export interface DeviceOptions extends Partial<ProcessContext> {
  /** Measure the ceilings anew. */
  readonly calibrate?: boolean;
  /** Only this kind of device. */
  readonly only?: 'cpu' | 'cuda';
  /** The GPU as nvidia-smi counts. */
  readonly gpu?: number;
  /** Numbers of threads that a CPU's ceilings are measured for. Default: one, and all. */
  readonly threads?: readonly number[];
  readonly wait_s?: number;
}

export async function showDevices(options: DeviceOptions = {}): Promise<DeviceReport> {
  const { only, env = process.env } = options;
  const store = new CalibrationStore(await calibrationDir(env));
  const list = only === 'cpu' ? undefined : await listGpus({ env });
  const gpus = list?.status === 'found' ? list.gpus : [];
  const notes = list !== undefined && list.status !== 'found' ? [`no GPU: ${list.message}`] : [];
  if (options.calibrate === true) {
    const isGpuHere = gpus.some(({ info }) => info.index === (options.gpu ?? 0));
    notes.push(...(await calibrateAll(store, options, isGpuHere)));
  }
  const cpu: DeviceInfo = {
    kind: 'cpu',
    name: (await cpuModel()) ?? 'unknown CPU',
    cores: availableParallelism(),
  };
  const report: DeviceReport = { schema: DEVICE_SCHEMA, devices: [], notes };
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
): Promise<string[]> {
  const { only, threads = usualThreads(), gpu = 0, wait_s = 0, now = () => new Date() } = options;
  const common = {
    gpu,
    wait_ms: wait_s * 1000,
    signal: options.signal ?? new AbortController().signal,
    onProgress: options.onProgress ?? (() => undefined),
    now,
  };
  const wanted = [
    ...(only === 'cuda' ? [] : threads.map((count) => ({ device: 'cpu', threads: count }) as const)),
    ...(only === 'cpu' || !isGpuHere ? [] : [{ device: 'cuda', threads: 1 } as const]),
  ];
  const notes: string[] = [];
  for (const each of wanted) {
    const outcome = await calibrate({ ...common, ...each });
    notes.push(...outcome.notes);
    if (outcome.calibration !== undefined) notes.push(...(await keepCalibration(store, outcome.calibration)));
  }
  return notes;
}
