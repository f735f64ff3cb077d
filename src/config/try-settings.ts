import { dirname } from 'node:path';

import { configFile, configLabel, findConfig, readConfigText } from './find-config.ts';
import type { Config } from './schema.ts';

/** Where a project is, and those keys of its pawl.yaml that were asked for and set. */
export interface ProjectSettings<Key extends keyof Config> {
  readonly root: string;
  readonly config: Partial<Pick<Config, Key>>;
}

/**
 * Some keys of pawl.yaml, for commands that only look something up; undefined where there is no project and none was
 * named. Reading and checking the whole file takes longer than such a command itself, so it is done only where the
 * text has one of the words before a colon, as each key is written, in YAML of any style and in JSON.
 *
 * @throws {PawlError} as `loadConfig` does, where the file is read
 */
export async function trySettings<Key extends keyof Config>(
  path: string | undefined,
  keys: readonly Key[],
  cwd: string = process.cwd(),
): Promise<ProjectSettings<Key> | undefined> {
  if (path === undefined && (await findConfig(cwd)) === undefined) return undefined;
  const file = await configFile(path, cwd);
  const text = await readConfigText(file, configLabel(file, cwd));
  if (!new RegExp(String.raw`\b(?:${keys.join('|')})["']?\s*:`, 'u').test(text))
    return { root: dirname(file), config: {} };
  const { loadConfig } = await import('./load-config.ts');
  return loadConfig(path, cwd);
}
