import { readFileSync } from 'node:fs';

/** The version of Pawl, as package.json has it. */
export const PAWL_VERSION = versionAbove(new URL('.', import.meta.url));

function versionAbove(folder: URL): string {
  const manifest = manifestIn(folder);
  if (manifest?.name === 'pawl' && manifest.version !== undefined) return manifest.version;
  const parent = new URL('..', folder);
  if (parent.href === folder.href) throw new Error('Pawl is installed without its package.json');
  return versionAbove(parent);
}

function manifestIn(folder: URL): { readonly name?: string; readonly version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as object;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
