import { join, resolve } from 'node:path';

import { packageRoot } from '../../build/package-root.ts';
import type { LoadedConfig } from '../../config/load-config.ts';

/** Where a project's lessons are when pawl.yaml does not say. */
const PROJECT_FILE = 'lessons.yaml';

/** Those that Pawl ships. */
export function shippedLessonsFile(): string {
  return join(packageRoot(), 'method', PROJECT_FILE);
}

/** Those of the project: committed, and shared with everybody who works on it. */
export function projectLessonsFile({ config, root }: LoadedConfig): string {
  return resolve(root, config.method?.lessons ?? PROJECT_FILE);
}
