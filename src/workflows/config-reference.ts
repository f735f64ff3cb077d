import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { packageRoot } from '../build/package-root.ts';

/** docs/pawl-yaml.md, as it came with this Pawl. */
export function configReference(): Promise<string> {
  return readFile(join(packageRoot(), 'docs', 'pawl-yaml.md'), 'utf8');
}
