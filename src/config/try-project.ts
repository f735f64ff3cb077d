import { PawlError } from '../model/pawl-error.ts';
import { findConfig } from './find-config.ts';
import { loadConfig, type LoadedConfig } from './load-config.ts';

/** Returns the project or the error in its pawl.yaml; undefined if no file was named and none was found. */
export async function tryProject(path: string | undefined): Promise<LoadedConfig | PawlError | undefined> {
  if (path === undefined && (await findConfig(process.cwd())) === undefined) return undefined;
  try {
    return await loadConfig(path);
  } catch (error) {
    if (error instanceof PawlError) return error;
    throw error;
  }
}

/** Returns the project; undefined if no file was named and none was found. */
export async function optionalProject(path: string | undefined): Promise<LoadedConfig | undefined> {
  const project = await tryProject(path);
  if (project instanceof PawlError) throw project;
  return project;
}
