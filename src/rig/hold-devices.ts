import { lockDevice, type DeviceLock } from '../device/device-lock.ts';
import type { Gpu } from '../device/gpus.ts';
import { cpuDeviceId, cpuModel } from '../device/host.ts';
import { defined } from '../model/defined.ts';
import type { DeviceWait, LockHolder } from '../model/device/lock-holder.ts';
import type { Target } from '../runner/target.ts';

export interface HeldDevices {
  /** Of the devices, as prices name them (docs/cost.md). */
  readonly names: readonly string[];
  release(): Promise<void>;
}

/** Locks every device that the targets run on. Released in one go; also by the end of the process, however it ends. */
export async function holdDevices(
  targets: readonly Target[],
  options: {
    readonly gpu: Gpu | undefined;
    readonly wait_ms: number;
    readonly signal: AbortSignal;
    /** What holds them, for those who wait; default `bench`. */
    readonly command?: string;
    /** Told that a device is in use by somebody else, and by whom. */
    readonly onWait: (wait: DeviceWait) => void;
  },
): Promise<HeldDevices> {
  const purpose = `pawl ${options.command ?? 'bench'} of ${targets.map((target) => target.plan.name).join(', ')}`;
  const ids = new Set(
    targets.map(({ plan }) =>
      plan.device === 'cuda' && options.gpu ? options.gpu.info.uuid : cpuDeviceId(),
    ),
  );
  const names = await deviceNames(targets, options.gpu);
  const locks: DeviceLock[] = [];
  const release = async () => {
    await Promise.all(locks.map((lock) => lock.release()));
  };
  try {
    // In one order everywhere, so that two runs never wait for each other.
    for (const id of [...ids].sort()) {
      const { wait_ms, signal } = options;
      const onWait = (holder: LockHolder | undefined) =>
        options.onWait({ device: id, ...defined({ holder }) });
      locks.push(await lockDevice({ id, purpose, wait_ms, signal, onWait }));
    }
  } catch (error) {
    await release();
    throw error;
  }
  return { names, release };
}

async function deviceNames(targets: readonly Target[], gpu: Gpu | undefined): Promise<string[]> {
  const kinds = new Set(targets.map(({ plan }) => (plan.device === 'cuda' && gpu ? 'cuda' : 'cpu')));
  return [
    ...(kinds.has('cuda') && gpu ? [gpu.info.name] : []),
    ...(kinds.has('cpu') ? [(await cpuModel()) ?? 'unknown CPU'] : []),
  ];
}
