import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { rolldown } from 'rolldown';

import { packageRoot } from '../../src/build/package-root.ts';

/** Node 20 runs no TypeScript: a program of the tests is bundled once, and started from there as often as needed. */
export async function bundleProgram(
  name: string,
): Promise<{ readonly file: string; remove(): Promise<void> }> {
  // Below the package, so that it finds its dependencies.
  const folder = await mkdtemp(join(packageRoot(), '.pawl-writer-'));
  const file = join(folder, 'program.mjs');
  const bundle = await rolldown({
    input: fileURLToPath(new URL(name, import.meta.url)),
    platform: 'node',
    external: ['libsql', 'pg', 'kysely', 'zod', 'yaml'],
  });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return { file, remove: () => rm(folder, { recursive: true, force: true }) };
}
