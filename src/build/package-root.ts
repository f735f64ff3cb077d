import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { PawlError } from '../model/pawl-error.ts';

/** What only Pawl's own folder holds: it is found the same way from src/, from dist/ and from a bundle. */
const MARKER = join('runner', 'include', 'pawl_kernel.h');

let found: string | undefined;

/** The folder that Pawl is installed in: runner sources and headers lie below it. */
export function packageRoot(): string {
  found ??= search(dirname(fileURLToPath(import.meta.url)));
  return found;
}

/** What Node runs as `pawl`: in a bundle `bin/pawl` is a shell script. */
export function commandLineProgram(): string {
  return join(packageRoot(), 'dist', 'cli', 'main.js');
}

function search(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, MARKER))) return folder;
    if (folder === dirname(folder)) break;
  }
  throw new PawlError(
    'internal',
    `Pawl's ${MARKER} was not found above ${start}.`,
    'The installation is incomplete: install Pawl again.',
  );
}
