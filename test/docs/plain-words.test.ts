import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** What people read, and the sources that it comes from. Recorded output stays as it was printed. */
const PLACES = [
  'src',
  'web/app',
  'docs',
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'action.yml',
  'method',
  'runner',
];
const RECORDED = /^docs\/results\/h200\/|\.(?:png|svg|xz|json|jsonl)$/u;
/** It shows what not to write. */
const OF_THE_RULES = 'docs/writing.md';

const texts = execFileSync('git', ['ls-files', '-z', '--', ...PLACES], { cwd: ROOT, encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '' && path !== OF_THE_RULES && !RECORDED.test(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

function linesWith(pattern: RegExp): string[] {
  return texts.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}`] : [])),
  );
}

describe('what people read (docs/writing.md)', () => {
  it('is looked at', () => {
    expect(texts.length).toBeGreaterThan(1000);
    expect(linesWith(/verdict/u).length).toBeGreaterThan(100);
  });

  it('has no guillemets', () => {
    expect(linesWith(/[«»]/u)).toEqual([]);
  });

  // Lines that still have them. A number only goes down: rewrite a sentence, and lower it.
  it.each([
    ['"is no", "are no"', /(?<!\bthere )\b(?:is|are) no\b(?! longer)/iu, 0],
    ['"nobody"', /\bnobody\b/iu, 0],
    ['"whoever"', /\bwhoever\b/iu, 0],
    ['"mend" for "fix"', /\bmend(?:s|ed|ing)?\b/iu, 30],
    ['"all the same" for "anyway"', /\ball the same\b/iu, 8],
    ['"anew" for "again"', /\banew\b/iu, 72],
    ['"to and fro", "in vain", "whither"', /\b(?:to and fro|in vain|whither)\b/iu, 19],
    ['"somebody", "anybody", "everybody"', /\b(?:some|any|every)body\b/iu, 130],
    ['"what came of it"', /\bwhat came of it\b/iu, 24],
    [
      'riddles of the old style',
      /\b(?:of its own accord|is none that|lease of no time|does not keep to|will do\b[;.]|is nothing to compare with|in the hungriest)/iu,
      8,
    ],
    ['"a side" for "per side"', /\b(?:processes|samples|values) a side\b/u, 0],
  ])('has %s no more often than before', (_, pattern, most) => {
    expect(linesWith(pattern).length).toBeLessThanOrEqual(most);
  });
});
