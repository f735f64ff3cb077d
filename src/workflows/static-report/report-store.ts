import { existsSync } from 'node:fs';

import { isPostgres } from '../../os/postgres.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { storePlace } from '../../history/store-place.ts';
import { tryProject } from '../../config/try-project.ts';

/** Where the history is, which must be there: a report makes none. */
export async function reportStore(
  { store: named, config }: { readonly store?: string; readonly config?: string },
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const project = await tryProject(config);
  // What pawl.yaml says is needed only where nothing else says where the store is.
  if (project instanceof PawlError && named === undefined && !env['PAWL_STORE']) throw project;
  const usable = project === undefined || project instanceof PawlError ? { root: process.cwd() } : project;
  const { store } = storePlace(usable, named, env);
  if (isPostgres(store) || existsSync(store)) return store;
  throw new PawlError(
    'usage',
    'There is no history here.',
    'pawl bench and pawl check record what they measure; pawl history import adds earlier runs; --store sets another store.',
  );
}
