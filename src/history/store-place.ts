import { join, resolve } from 'node:path';

import type { LoadedConfig } from '../config/load-config.ts';
import { isPostgres } from '../os/postgres.ts';

/** Where a project's history is. */
export interface StorePlace {
  /** What is asked and shown. */
  readonly store: string;
  /** The file of this machine, where runs are stored first; the same as `store` where that is a file. */
  readonly local: string;
}

/** What was named on the command line, else `PAWL_STORE`, else `store` in pawl.yaml, else `.pawl/history.db`. */
export function storePlace(
  project: Pick<LoadedConfig, 'root'> & { readonly config?: { readonly store?: string | undefined } },
  named: string | undefined,
  env: NodeJS.ProcessEnv,
): StorePlace {
  const own = join(project.root, '.pawl', 'history.db');
  const fromEnv = env['PAWL_STORE'] === '' ? undefined : env['PAWL_STORE'];
  if (named !== undefined || fromEnv !== undefined) {
    const store = named ?? fromEnv!;
    return isPostgres(store) ? { store, local: own } : { store: resolve(store), local: resolve(store) };
  }
  const configured = project.config?.store;
  if (configured === undefined) return { store: own, local: own };
  if (isPostgres(configured)) return { store: configured, local: own };
  const path = resolve(project.root, configured);
  return { store: path, local: path };
}
