import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { packageRoot } from '../build/package-root.ts';

/** docs/pawl-yaml.md, as it came with this Pawl, and the examples that it links to. */
export async function configReference(): Promise<string> {
  const docs = join(packageRoot(), 'docs');
  const page = await readFile(join(docs, 'pawl-yaml.md'), 'utf8');
  const links = [...new Set([...page.matchAll(/\]\((examples\/[\w./-]+)\)/gu)].map(([, path = '']) => path))];
  const examples = await Promise.all(
    links.map(async (path) => {
      const text = await readFile(join(docs, path), 'utf8');
      return `## ${path}\n\n\`\`\`\n${text.trimEnd()}\n\`\`\`\n`;
    }),
  );
  return [page, ...examples].join('\n');
}
