import { applyClockPolicy } from '../device/clocks.ts';
import type { Gpu } from '../device/gpus.ts';
import type { Clocks } from '../model/measure/samples.ts';
import type { OnProgress } from '../model/measure/progress.ts';
import type { RunContext } from '../os/run-context.ts';
import { WaitingRun } from './waiting-run.ts';
import type { Target } from '../runner/target.ts';
import type { DeviceTime } from './cost-of-run.ts';
import { holdDevices, type HeldDevices } from './hold-devices.ts';

/** Devices that are held, with their clocks as asked for. */
export interface Lease extends Pick<HeldDevices, 'names'> {
  readonly clocks: Clocks;
  readonly since: Date;
  /** How long each device was held, for the cost of the run. */
  times(until: Date): DeviceTime[];
}

export interface LeaseOptions extends Pick<RunContext, 'signal' | 'now'> {
  readonly gpu: Gpu | undefined;
  /** How long to wait for a device that another Pawl is using; default: not at all. */
  readonly wait_s?: number | undefined;
  /** Default: as they are. */
  readonly clocks?: Clocks['policy'] | undefined;
  /** What holds the devices, for those who wait; default `bench`. */
  readonly command?: string;
  readonly onProgress?: OnProgress;
  /** The folder of the project's runs, from which the dashboard reads that this one waits. */
  readonly runs?: string;
  /** The devices, where the caller holds them already and goes on holding them. */
  readonly held?: Pick<HeldDevices, 'names'> | undefined;
}

/** Works while every device that the targets run on is held; lets go of clocks and devices however the work ends. */
export async function withDevices<Result>(
  targets: readonly Target[],
  options: LeaseOptions,
  work: (lease: Lease) => Promise<Result>,
): Promise<Result> {
  const { gpu, clocks: policy = 'as-is', now, held } = options;
  const devices =
    held === undefined
      ? await waitForDevices(targets, options)
      : { ...held, release: () => Promise.resolve() };
  const { names } = devices;
  const since = now();
  const times = (until: Date) => {
    const device_s = (until.getTime() - since.getTime()) / 1000;
    return names.map((device) => ({ device, device_s }));
  };
  try {
    const applied = await applyClockPolicy(policy, gpu?.info);
    try {
      return await work({ names, clocks: applied.clocks, since, times });
    } finally {
      await applied.release();
    }
  } finally {
    await devices.release();
  }
}

async function waitForDevices(
  targets: readonly Target[],
  { gpu, wait_s = 0, signal, now, command = 'bench', onProgress, runs }: LeaseOptions,
): Promise<HeldDevices> {
  const shown = runs === undefined ? undefined : new WaitingRun(runs, now);
  try {
    return await holdDevices(targets, {
      gpu,
      wait_ms: 1000 * wait_s,
      signal,
      command,
      onWait: (wait) => {
        onProgress?.({ type: 'waiting', ...wait });
        shown?.show(wait);
      },
    });
  } finally {
    await shown?.end();
  }
}
