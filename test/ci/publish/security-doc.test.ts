import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const HERE = 'test/ci/publish';

interface Row {
  readonly threat: string;
  readonly titles: readonly string[];
  /** Files named in parentheses; the publisher's own tests are meant besides. */
  readonly files: readonly string[];
}

function rows(): Row[] {
  const page = readFileSync(join(REPOSITORY, 'docs/security.md'), 'utf8');
  const section = page.split('## Threats, defences, tests')[1]!.split('\n## ')[0]!;
  return section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells[3] !== '')
    .map(([, threat, , tests]) => {
      const quoted = [...tests!.matchAll(/`([^`]+)`/gu)].map(([, text]) => text!);
      const isFile = (text: string): boolean => text.endsWith('.test.ts');
      return {
        threat: threat!,
        titles: quoted.filter((text) => !isFile(text)),
        files: quoted.filter(isFile),
      };
    });
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

  it('names a test that exists for every threat', () => {
    const table = rows();
    expect(table.length).toBeGreaterThan(40);
    for (const { threat, titles, files } of table) {
      const there = files.filter((file) => existsSync(join(REPOSITORY, file)));
      const known = [...own, ...there.flatMap(titlesOf)];
      for (const title of titles) {
        const isFound = known.some((each) => each.startsWith(title)) || there.length < files.length;
        expect(isFound, `${threat}: ${title}`).toBe(true);
      }
    }
  });

  it('leaves out none of the attacks', () => {
    const named = rows().flatMap(({ titles }) => titles);
    const attacks = readdirSync(join(REPOSITORY, HERE))
      .filter((name) => name.startsWith('attacks-'))
      .flatMap((name) => titlesOf(join(HERE, name)));
    expect(attacks.length).toBeGreaterThan(100);
    const left = attacks.filter((title) => !named.some((name) => title.startsWith(name)));
    expect(left).toEqual([]);
  });
});
