import { listGpus } from '../../device/gpus.ts';
import { cpuModel } from '../../device/host.ts';

/** The device that a kernel would run on here, as costs and lessons name it; undefined where there is none. */
export async function deviceName(device: 'cpu' | 'cuda'): Promise<string | undefined> {
  if (device === 'cpu') return (await cpuModel()) ?? 'unknown CPU';
  const list = await listGpus();
  return list.status === 'found' ? list.gpus[0]?.info.name : undefined;
}
