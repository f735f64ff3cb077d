import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';

/** The path of a program by its name on PATH, or by its own path; undefined where it cannot be executed. */
export async function findProgram(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const candidates = name.includes('/')
    ? [resolve(name)]
    : (env.PATH ?? '').split(delimiter).flatMap((folder) => (folder === '' ? [] : [join(folder, name)]));
  for (const candidate of candidates) {
    if (await isExecutable(candidate)) return candidate;
  }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
