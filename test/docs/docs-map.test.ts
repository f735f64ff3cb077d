import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

const pages = execFileSync(
  'git',
  ['ls-files', '-z', '--', 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/*.md'],
  { cwd: ROOT, encoding: 'utf8' },
)
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)));

function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Without code blocks, and without what inline code has in common with links. */
function proseOf(text: string): string {
  return text
    .replaceAll(/^( *)```[\s\S]*?^\1```$/gmu, '')
    .replaceAll(/`[^`\n]+`/gu, (code) => code.replaceAll(/[[\]()]/gu, ''));
}

/** Targets of links and pictures, in Markdown or HTML, that are not on another site. */
function linksIn(path: string): string[] {
  const prose = proseOf(textOf(path));
  const inline = [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/gu)];
  const defined = [...prose.matchAll(/^\[[^\]]+\]: (\S+)/gmu)];
  const html = [...prose.matchAll(/\b(?:href|src)="([^"]+)"/gu)];
  return [...inline, ...defined, ...html]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/iu.test(target));
}

/** The anchors that GitHub gives the headings of a page, and those that it names itself. */
function anchorsOf(path: string): Set<string> {
  const prose = proseOf(textOf(path));
  const anchors = new Set([...prose.matchAll(/<a (?:id|name)="([^"]+)"/gu)].map(([, id = '']) => id));
  for (const [, heading = ''] of prose.matchAll(/^#{1,6} (.+)$/gmu)) {
    const slug = slugOf(heading);
    let anchor = slug;
    for (let nth = 1; anchors.has(anchor); nth += 1) anchor = `${slug}-${nth}`;
    anchors.add(anchor);
  }
  return anchors;
}

function slugOf(heading: string): string {
  return heading
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .toLowerCase()
    .trim()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** Links of a page that lead nowhere. */
function brokenLinks(path: string): string[] {
  return linksIn(path).filter((target) => {
    const [file = '', anchor] = target.split('#') as [string, string?];
    const place = file === '' ? path : relative(ROOT, join(ROOT, dirname(path), decodeURI(file)));
    if (place.startsWith('..') || !existsSync(join(ROOT, place))) return true;
    if (anchor === undefined || !place.endsWith('.md') || statSync(join(ROOT, place)).isDirectory())
      return false;
    return !anchorsOf(place).has(decodeURIComponent(anchor));
  });
}

describe('links', () => {
  it('are looked at, with their anchors', () => {
    const all = pages.flatMap(linksIn);
    expect(pages.length).toBeGreaterThan(60);
    expect(all.length).toBeGreaterThan(300);
    expect(all.filter((target) => target.includes('#')).length).toBeGreaterThan(50);
    expect(anchorsOf('docs/ci-workflows.md')).toContain('what-github-does-with-a-fork');
  });

  it.each(pages)('of %s lead to files and headings that exist', (path) => {
    expect(brokenLinks(path)).toEqual([]);
  });
});

describe('docs/README.md', () => {
  it('names every page of docs/ once', () => {
    const expected = pages.filter((path) => /^docs\/[^/]+\.md$/u.test(path) && path !== 'docs/README.md');
    const named = linksIn('docs/README.md')
      .filter((target) => /^[^/]+\.md$/u.test(target))
      .map((target) => `docs/${target}`);
    expect(named.toSorted()).toEqual(expected.toSorted());
  });

  it('is linked from README.md', () => {
    expect(linksIn('README.md')).toContain('docs/README.md');
  });
});

describe('docs/examples', () => {
  it('has only files that a page links to, by themselves or by their folder', () => {
    const files = readdirSync(join(ROOT, 'docs/examples'), { recursive: true, encoding: 'utf8' })
      .map((path) => join('examples', path))
      .filter((path) => statSync(join(ROOT, 'docs', path)).isFile());
    expect(files.length).toBeGreaterThan(15);
    const linked = new Set(pages.filter((path) => dirname(path) === 'docs').flatMap(linksIn));
    expect(files.filter((path) => !linked.has(path) && !linked.has(dirname(path)))).toEqual([]);
  });
});

/** What has a letter or a digit: bars of tables have none. */
function wordsIn(text: string): number {
  return text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

describe('length', () => {
  it('of README.md is at most 700 words', () => {
    expect(wordsIn(textOf('README.md'))).toBeLessThanOrEqual(700);
  });

  it('of the pages of docs/ is at most 40,000 words together, code blocks and bars of tables included', () => {
    const own = pages.filter((path) => dirname(path) === 'docs');
    expect(own.length).toBeGreaterThan(40);
    const words = own.map((path) => textOf(path).trim().split(/\s+/u).length);
    expect(words.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(40_000);
  });
});
