import { availableParallelism, totalmem } from 'node:os';

import type { DeviceInfo } from '../../model/device/device.ts';
import type { Gpu } from '../../device/gpus.ts';
import { openRunner } from '../../runner/open-runner.ts';
import { RunnerFailure } from '../../runner/runner-failure.ts';
import type { Target } from '../../runner/target.ts';

/**
 * What the device can do, for constraints and gates. A runner knows most, and needs a kernel to start with; where
 * the default gives it none, the driver's and the operating system's word has to do.
 */
export async function deviceOfStudy(
  target: Target | undefined,
  gpu: Gpu | undefined,
  timeout_ms: number,
): Promise<DeviceInfo> {
  const told: DeviceInfo = gpu?.info ?? {
    kind: 'cpu',
    cores: availableParallelism(),
    memory_bytes: totalmem(),
  };
  if (target === undefined) return told;
  try {
    const { process, opened } = await openRunner(target, timeout_ms);
    await process.close();
    return { ...told, ...opened.device };
  } catch (error) {
    if (!(error instanceof RunnerFailure)) throw error;
    return told;
  }
}
