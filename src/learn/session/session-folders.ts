import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

export function sessionsFolder(root: string): string {
  return join(root, '.pawl', 'sessions');
}

/** The names of a project's sessions, oldest first: names begin with the time. */
export async function sessionNames(root: string): Promise<string[]> {
  const names = await readdir(sessionsFolder(root)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => /^[\w.-]+$/u.test(name) && !name.startsWith('.')).toSorted();
}
