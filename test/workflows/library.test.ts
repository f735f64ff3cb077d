import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { expect, test } from 'vitest';

import * as library from '../../src/index.ts';

const SRC = resolve(import.meta.dirname, '../../src');
/** Words for a terminal, which a program has no use for. */
const FOR_PEOPLE = new Set(['bundleNextSteps']);

test('the package exports every workflow that a command calls', async () => {
  const names = await readdir(join(SRC, 'cli'));
  const texts = await Promise.all(names.map((name) => readFile(join(SRC, 'cli', name), 'utf8')));
  const commands = texts.join('\n');
  // What lies deeper (workers, pilots, the parts of a workflow) is no workflow by itself.
  const imported = commands.matchAll(/'\.\.\/workflows\/((?:runs\/)?[\w-]+)\.ts'/g);
  const files = new Set(Array.from(imported, ([, file]) => file!));
  expect(files).toContain('session');
  expect(files).toContain('runs/bench');

  const missing: string[] = [];
  for (const file of files) {
    const workflows = (await import(join(SRC, 'workflows', `${file}.ts`))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(workflows)) {
      const isCalled = typeof value === 'function' && new RegExp(`\\b${name}\\(`).test(commands);
      if (isCalled && !FOR_PEOPLE.has(name) && !(name in library)) missing.push(`${file}: ${name}`);
    }
  }
  expect(missing).toEqual([]);
});
