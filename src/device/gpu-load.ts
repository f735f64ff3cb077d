import { setTimeout as sleep } from 'node:timers/promises';

import { IDLE_GPU_PCT } from '../model/device/load.ts';
import { listGpus, type Gpu, type GpuList } from './gpus.ts';

/** nvidia-smi's figure is of the last second at most: what this Pawl itself did before is out of it then. */
const LOOK_AGAIN_MS = 1500;

interface Looking {
  readonly signal: AbortSignal;
  readonly look?: () => Promise<GpuList>;
  readonly pause_ms?: number;
}

/**
 * How busy a GPU is with work of others, as far as it tells, at a moment when nothing of this run is on it. Processes of
 * other containers are seen by this alone.
 */
export async function gpuBusyPct(
  { info, state }: Gpu,
  { signal, look = listGpus, pause_ms = LOOK_AGAIN_MS }: Looking,
): Promise<number | undefined> {
  const { utilization_pct } = state;
  if (utilization_pct === undefined || utilization_pct <= IDLE_GPU_PCT) return utilization_pct;
  // Ctrl-C ends the pause; what comes after it knows what to do.
  await sleep(pause_ms, undefined, { signal }).catch(() => undefined);
  const list = await look();
  const again = list.status === 'found' ? list.gpus.find((gpu) => gpu.info.uuid === info.uuid) : undefined;
  return again?.state.utilization_pct ?? utilization_pct;
}
