import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { packageRoot } from '../../build/package-root.ts';

/** What files that are written for a suite's problems import; a copy of it is written beside them. */
export const SUPPORT = 'pawl_suite.py';

export async function supportText(): Promise<string> {
  return readFile(join(packageRoot(), 'runner', 'python', SUPPORT), 'utf8');
}
