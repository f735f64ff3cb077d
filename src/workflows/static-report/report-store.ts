import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { PawlError } from '../../model/pawl-error.ts';
import { tryProject } from '../project.ts';

/** Where the history is: what was said, then the environment, then the project's own file, which must be there. */
export async function reportStore(
  { store, config }: { readonly store?: string; readonly config?: string },
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const named = store ?? (env['PAWL_STORE'] || undefined) ?? (await projectStore(config));
  if (/^postgres(?:ql)?:/u.test(named) || existsSync(named)) return named;
  throw new PawlError(
    'usage',
    'There is no history here to report on.',
    'pawl bench and pawl check record what they measure; pawl history import takes earlier runs; --store names another place.',
  );
}

async function projectStore(config: string | undefined): Promise<string> {
  const project = await tryProject(config);
  if (project instanceof PawlError) throw project;
  return join(project?.root ?? process.cwd(), '.pawl', 'history.db');
}
