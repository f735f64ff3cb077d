import { join, resolve } from 'node:path';

import { packageRoot } from '../../build/package-root.ts';
import type { ProjectSettings } from '../../config/try-settings.ts';

/** Where a project's lessons are when pawl.yaml does not say. */
const PROJECT_FILE = 'lessons.yaml';

/** What of a project says where its lessons are. */
export type LessonsProject = ProjectSettings<'method'>;

/** Those that Pawl ships. */
export function shippedLessonsFile(): string {
  return join(packageRoot(), 'method', PROJECT_FILE);
}

/** The same as `tools/bundle-cli.js` wrote them: read, checked, and as JSON. */
export function compiledLessonsFile(): string {
  return join(packageRoot(), 'dist', 'lessons.json');
}

/** Those of the project: committed, and shared with everybody who works on it. */
export function projectLessonsFile({ config, root }: LessonsProject): string {
  return resolve(root, config.method?.lessons ?? PROJECT_FILE);
}
