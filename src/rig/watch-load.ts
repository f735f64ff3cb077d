import { gpuBusyPct } from '../device/gpu-load.ts';
import type { Gpu } from '../device/gpus.ts';
import { loadBetween, loadCounters } from '../device/machine-load.ts';
import { defined } from '../model/defined.ts';
import type { Load } from '../model/device/load.ts';
import type { Target } from '../runner/target.ts';

/**
 * Looks at what else the machine does from now on. The device is held, and nothing of this run is on it yet.
 *
 * @returns asks for it; to be called when every process of the run has ended, since only those count as its own
 */
export async function watchLoad(
  targets: readonly Target[],
  { gpu, signal }: { readonly gpu: Gpu | undefined; readonly signal: AbortSignal },
): Promise<() => Promise<Load>> {
  const isOnGpu = gpu !== undefined && targets.some(({ plan }) => plan.device === 'cuda');
  const gpu_busy_pct = isOnGpu ? await gpuBusyPct(gpu, { signal }) : undefined;
  const count = () => loadCounters({ now_ms: () => performance.now() });
  const before = await count();
  return async () => ({ ...loadBetween(before, await count()), ...defined({ gpu_busy_pct }) });
}
