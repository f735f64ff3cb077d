/** The project a door works on. Doors know paths; only workflows read pawl.yaml. */
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

import { CONFIG_FILE, findConfig } from '../config/find-config.ts';
import { loadConfig, type LoadedConfig } from '../config/load-config.ts';
import { PawlError } from '../model/pawl-error.ts';

export { tryProject } from '../config/try-project.ts';

/**
 * Reads pawl.yaml and returns the project. Without a path it searches from the working directory upwards.
 *
 * @throws {PawlError} of kind `configuration` if pawl.yaml is missing or wrong, with a line for each mistake
 */
export function openProject(path: string | undefined): Promise<LoadedConfig> {
  return loadConfig(path);
}

/**
 * Returns the folder of the project and the path of its pawl.yaml, whether or not that file exists and is valid.
 *
 * @throws {PawlError} of kind `usage` if the folder does not exist
 */
export async function projectPlace(
  path: string | undefined,
): Promise<{ readonly root: string; readonly config: string }> {
  const named = path === undefined ? await findConfig(process.cwd()) : resolve(path);
  const isFile = named !== undefined && (await stat(named).catch(() => undefined))?.isDirectory() !== true;
  // Links are followed once and for all: what lies below the root is told by names.
  const root = await realpath(isFile ? dirname(named) : (named ?? process.cwd())).catch(() => {
    throw new PawlError('usage', `There is no folder ${isFile ? dirname(named) : named}.`);
  });
  return { root, config: join(root, isFile ? basename(named) : CONFIG_FILE) };
}

/** Whether there is a pawl.yaml yet. */
export async function isThere(config: string): Promise<boolean> {
  return (await stat(config).catch(() => undefined)) !== undefined;
}

/** The kernel that is meant where none is named. */
export function onlyKernel({ config }: LoadedConfig): string {
  const names = Object.keys(config.kernels);
  const [only, ...others] = names;
  if (only !== undefined && others.length === 0) return only;
  throw new PawlError('usage', 'No kernel given.', `Name one: ${names.join(', ')}.`);
}
