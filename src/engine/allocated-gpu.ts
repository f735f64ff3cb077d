import { listGpus } from '../device/gpus.ts';
import { PawlError } from '../model/pawl-error.ts';

/**
 * Which GPU, as nvidia-smi counts, a job was given. A scheduler says so in CUDA_VISIBLE_DEVICES: as the machine's
 * index, as an index among those that a container lets the job see, or as a UUID; nvidia-smi sees what the job sees.
 */
export async function allocatedGpu(env: NodeJS.ProcessEnv): Promise<number> {
  const [first] = (env['CUDA_VISIBLE_DEVICES'] ?? '').split(',').map((part) => part.trim());
  if (first === undefined || first === '') return 0;
  if (/^\d+$/.test(first)) return Number(first);
  const list = await listGpus({ env });
  const found =
    list.status === 'found' ? list.gpus.find(({ info }) => info.uuid.startsWith(first)) : undefined;
  if (found !== undefined) return found.info.index;
  throw new PawlError(
    'unavailable',
    `CUDA_VISIBLE_DEVICES names ${first}, which nvidia-smi does not show.`,
    'A worker needs a whole GPU of its own.',
  );
}
