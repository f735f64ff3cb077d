import { tryProject } from '../config/try-project.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Queue } from './queue.ts';

/** Problems of pawl.yaml that have a kernel may be submitted to, also before the first worker is there. */
export async function offerProject(queue: Queue, config: string | undefined): Promise<void> {
  const project = await tryProject(config);
  if (project === undefined || project instanceof PawlError) return;
  const kernels = Object.values(project.config.kernels);
  const problems = Object.keys(project.config.problems);
  await queue.offer(problems.filter((name) => kernels.some(({ problem }) => problem === name)));
}
