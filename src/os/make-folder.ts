import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it that are missing. Node's own `recursive` never ends where a file system answers
 * "no such folder" below a folder that is there, as /proc does.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) {
      await acceptFolder(path, error);
      return;
    }
    await makeFolder(dirname(path));
    // Somebody else may have made it meanwhile.
    await mkdir(path).catch((reason: unknown) => acceptFolder(path, reason));
  }
}

async function acceptFolder(path: string, error: unknown): Promise<void> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw error;
}
