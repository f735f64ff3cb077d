import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const ROOT = resolve(import.meta.dirname, '../..');

const { STATIONS } = z
  .object({ STATIONS: z.array(z.string()) })
  .parse(await import(join(ROOT, 'tools/import-direction.js')));

const [, section = ''] =
  /The rooms, in their order:\n(.*?)\n## /su.exec(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')) ??
  [];

/** The rooms that docs/architecture.md lists, in its order. */
const LISTED = Array.from(section.matchAll(/^- `(\w+)\/`/gmu), ([, room = '']) => room);

describe('the rooms', () => {
  it('are listed in the order that the lint rule enforces', () => {
    expect(LISTED.filter((room) => STATIONS.includes(room))).toEqual(STATIONS);
  });

  it('are the folders of src/', () => {
    const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect([...LISTED].sort()).toEqual(folders.sort());
  });
});
