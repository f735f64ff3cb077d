import { join, resolve } from 'node:path';

import { optionalProject } from '../config/try-project.ts';
import type { Environment } from '../os/environment.ts';
import { isPostgres } from '../os/postgres.ts';

/** What was named, else `PAWL_QUEUE`, else `.pawl/queue.db` of the project or of this folder. */
export async function queuePlace(
  named: string | undefined,
  { config, env }: { readonly config: string | undefined; readonly env: Environment },
): Promise<string> {
  const fromEnv = env['PAWL_QUEUE'] === '' ? undefined : env['PAWL_QUEUE'];
  const given = named ?? fromEnv;
  if (given !== undefined) return isPostgres(given) ? given : resolve(given);
  const project = await optionalProject(config);
  return join(project?.root ?? process.cwd(), '.pawl', 'queue.db');
}
