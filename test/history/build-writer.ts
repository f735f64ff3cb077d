import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { rolldown } from 'rolldown';

import { packageRoot } from '../../src/build/package-root.ts';
import { writerProgram, type WriterProgram } from './kill-writers.ts';

/** Node 20 runs no TypeScript: the writer is bundled once, and started from there as often as needed. */
export async function buildWriter(): Promise<WriterProgram & { remove(): Promise<void> }> {
  // Below the package, so that it finds its dependencies.
  const folder = await mkdtemp(join(packageRoot(), '.pawl-writer-'));
  const file = join(folder, 'writer.mjs');
  const bundle = await rolldown({
    input: fileURLToPath(new URL('writer-process.ts', import.meta.url)),
    platform: 'node',
    external: ['libsql', 'pg', 'kysely', 'zod', 'yaml'],
  });
  await bundle.write({ file, format: 'esm' });
  await bundle.close();
  return { ...writerProgram(file), remove: () => rm(folder, { recursive: true, force: true }) };
}
