import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const HERE = 'test/ci/publish';

/** For each threat the beginnings of the titles of its tests, which are this folder's unless files are named. */
const tests: Record<string, { titles: string[]; files?: string[] }> = JSON.parse(
  readFileSync(join(REPOSITORY, HERE, 'threats.json'), 'utf8'),
);

/** Those that the page lists, each before a colon and its defence. */
function listed(): string[] {
  const page = readFileSync(join(REPOSITORY, 'docs/security.md'), 'utf8');
  const section = page.split('## Threats and defences')[1]!.split('\n## ')[0]!;
  return section
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => /^- (.+?): ./u.exec(line)?.[1] ?? line);
}

/** Titles of tests, as they are written. */
function titlesOf(file: string): string[] {
  const text = readFileSync(join(REPOSITORY, file), 'utf8');
  return [...text.matchAll(/^\s*it\(\s*(['"])(.*?)\1,/gmsu)].map(([, , title]) =>
    title!.replaceAll('\\\\', '\\'),
  );
}

describe('docs/security.md', () => {
  const own = readdirSync(join(REPOSITORY, HERE))
    .filter((name) => name.endsWith('.test.ts'))
    .flatMap((name) => titlesOf(join(HERE, name)));

  it('lists the threats that have tests', () => {
    expect(listed().length).toBeGreaterThan(40);
    expect(listed()).toEqual(Object.keys(tests));
  });

  it('names a test that exists for every threat', () => {
    for (const [threat, { titles, files = [] }] of Object.entries(tests)) {
      expect(titles, threat).not.toEqual([]);
      const there = files.filter((file) => existsSync(join(REPOSITORY, file)));
      const known = [...own, ...there.flatMap(titlesOf)];
      for (const title of titles) {
        const isFound = known.some((each) => each.startsWith(title)) || there.length < files.length;
        expect(isFound, `${threat}: ${title}`).toBe(true);
      }
    }
  });

  it('leaves out none of the attacks', () => {
    const named = Object.values(tests).flatMap(({ titles }) => titles);
    const attacks = readdirSync(join(REPOSITORY, HERE))
      .filter((name) => name.startsWith('attacks-'))
      .flatMap((name) => titlesOf(join(HERE, name)));
    expect(attacks.length).toBeGreaterThan(100);
    const left = attacks.filter((title) => !named.some((name) => title.startsWith(name)));
    expect(left).toEqual([]);
  });
});
