import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

export interface StaticFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
/** The client may keep it, and asks every time whether it is still right. */
export const REVALIDATED = 'private, no-cache';
const LARGEST_FILE_BYTES = 8 * 2 ** 20;
/** Vite names a file by its contents: another content is another name. */
const IMMUTABLE = /^\/assets\/.*-[\w-]{8,}\.\w+$/;

/**
 * The files of a folder by their addresses, in memory. No address is ever made into a path, so none
 * leads out of the folder; links and files of unknown types are left out.
 */
export async function staticFiles(folder: string): Promise<ReadonlyMap<string, StaticFile>> {
  const files = new Map<string, StaticFile>();
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  for (const entry of entries) {
    const type = TYPES[extname(entry.name).toLowerCase()];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const body = await readFile(path);
    if (body.length > LARGEST_FILE_BYTES) continue;
    const address = path.slice(join(folder, '/').length - 1).replaceAll('\\', '/');
    files.set(address, {
      body: new Uint8Array(body),
      headers: {
        'content-type': type,
        'cache-control': IMMUTABLE.test(address) ? 'private, max-age=31536000, immutable' : REVALIDATED,
      },
    });
  }
  const index = files.get('/index.html');
  if (index !== undefined) files.set('/', index);
  return files;
}
