import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterEach, expect, it, vi } from 'vitest';

import { reportFailure } from '../../src/cli/report-failure.ts';
import { sourcePlaces } from '../../src/cli/source-places.ts';

afterEach(() => vi.restoreAllMocks());

it('ends a bug with 70, asks for a report, and shows where it happened only when asked', () => {
  const said: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  const error = new TypeError('x is not a function');
  expect(reportFailure(error)).toBe(70);
  expect(said.join('')).toBe(
    'pawl: Pawl has a bug: x is not a function\n  → Please report it, with the output of PAWL_DEBUG=1.\n',
  );
  expect(reportFailure(error, { verbose: true })).toBe(70);
  expect(said.join('')).toContain('\n    at ');
});

it('names places of the sources where the command line is bundled', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-maps-'));
  const file = join(folder, 'dist', 'cli', 'main.js');
  await mkdir(dirname(file), { recursive: true });
  // One mapping: the very first place of the bundle is line 3, column 5 of src/cli/x.ts, counted from 1.
  const map = { version: 3, sources: ['../../src/cli/x.ts'], names: [], mappings: 'AAEI' };
  await writeFile(`${file}.map`, JSON.stringify(map));
  const place = `${pathToFileURL(file).href}:1:1`;
  expect(sourcePlaces(`Error: x\n    at f (${place})\n    at node:internal:1:2`)).toBe(
    'Error: x\n    at f (src/cli/x.ts:3:5)\n    at node:internal:1:2',
  );
  const elsewhere = `    at ${pathToFileURL(join(folder, 'other.js')).href}:1:1`;
  expect(sourcePlaces(elsewhere)).toBe(elsewhere);
});
