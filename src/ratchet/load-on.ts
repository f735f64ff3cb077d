import { defined } from '../model/defined.ts';
import type { Load } from '../model/device/load.ts';
import type { Measurement, Samples } from '../model/measure/samples.ts';

/** What ran beside a measurement on its own device: a GPU's clock stands still while its host waits for a CPU. */
export function loadOn({ device, series }: Measurement, samples: Samples): Load {
  const { gpu_busy_pct, ...host } = samples.environment?.load ?? {};
  if ((device ?? samples.device)?.kind !== 'cuda') return host;
  const states = series.flatMap(({ state_before, state_after }) => [state_before, state_after]);
  const foreign_pids = [...new Set(states.flatMap((state) => state?.foreign_pids ?? []))];
  return { ...defined({ gpu_busy_pct }), ...(foreign_pids.length === 0 ? {} : { foreign_pids }) };
}
