import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { expect, it } from 'vitest';

const SOURCE = resolve(import.meta.dirname, '../../../src');

/** Files and packages that importing a file loads; what is imported when it is needed is not among them. */
function loadedWith(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, clause = '', from = ''] of text.matchAll(/^(?:import|export) ([^;]*?) from '([^']+)';/gmu)) {
    if (clause.startsWith('type ')) continue;
    if (from.startsWith('.')) loadedWith(resolve(dirname(file), from), known);
    else known.add(from);
  }
  return known;
}

it('a list of sessions loads neither the workflows nor a database that it may not need', () => {
  const loaded = [...loadedWith(resolve(SOURCE, 'workflows/session/list-sessions.ts'))];
  expect(loaded).toContain(resolve(SOURCE, 'config/load-config.ts'));
  expect(loaded.filter((file) => /^(?:kysely|pg|libsql)$/u.test(file))).toEqual([]);
  const rooms = ['build', 'runner', 'profile', 'correctness', 'tune', 'stats'];
  expect(loaded.filter((file) => rooms.some((room) => file.startsWith(`${SOURCE}/${room}/`)))).toEqual([]);
});

it('a history in a file loads no driver of PostgreSQL', () => {
  const loaded = loadedWith(resolve(SOURCE, 'history/store/open-store.ts'));
  expect(loaded).toContain('kysely');
  expect(loaded).not.toContain('pg');
});
