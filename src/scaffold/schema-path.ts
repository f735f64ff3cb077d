import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';

import { packageRoot } from '../build/package-root.ts';

const SCHEMA = join('docs', 'schemas', 'pawl-yaml.json');

/** Where editors find the schema from the project: relative inside Pawl's own folder, else where npm puts it. */
export function schemaPath(root: string): string {
  const installed = join('node_modules', 'pawl', SCHEMA);
  const toPackage = relative(root, packageRoot());
  const isInside = toPackage === '' || /^[./\\]+$/.test(toPackage);
  if (existsSync(join(root, installed)) || !isInside) return `./${installed}`;
  return join(toPackage, SCHEMA);
}
