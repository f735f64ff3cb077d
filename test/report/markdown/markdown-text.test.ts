import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { markdownCode, markdownText, markdownValue } from '../../../src/report/markdown/markdown-text.ts';
import { clip, logText, plainText } from '../../../src/report/text/plain-text.ts';
import { findCmarkGfm, renderGfm, visibleText } from '../cmark-gfm.ts';

/** Text that means something to Markdown, to GitHub's flavour of it, or to what GitHub does after rendering. */
const TRICKS = [
  '# heading',
  '#1',
  'owner/repo#1',
  'GH-1',
  'gh-12 and GHSA-aaaa-bbbb-cccc, CVE-2026-0001',
  '@octocat',
  '@org/team',
  'owner/repo@0123456789abcdef0123456789abcdef01234567',
  '0123456789abcdef0123456789abcdef01234567',
  'see deadbeef and 1234567.',
  'https://e.example/x?y=1&z=2',
  'ftp://e.example',
  'WWW.e.example',
  'www.e.example',
  'mailto:a@e.example',
  'a.b@e.example',
  'xmpp:a@e.example/res',
  '<https://e.example>',
  '[a](javascript:alert(1))',
  '[a]: https://e.example',
  '![a](https://e.example/pixel.png)',
  '[^1]',
  '[^1]: note',
  ':tada:',
  'x:+1:y',
  '- [ ] task',
  '- item',
  '+ item',
  '* item',
  '1. item',
  '2) item',
  '> quote',
  '---',
  '- - -',
  '===',
  '= =',
  '```sh',
  '~~~',
  '    code',
  '`code`',
  '**bold** __bold__ *it* _it_ ~~gone~~',
  'a | b | c',
  '|---|---|',
  ':--',
  '<!-- pawl:comment default -->',
  '-->',
  '<!--',
  '<details><summary>x</summary>',
  '</details>',
  '</code></table>',
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '&lt;b&gt; &amp; &copy; &#60;',
  '\\*a\\* \\',
  '$x^2$ and $$y$$',
  'one\ntwo\r\nthree\u2028four',
  'a\u202Eb\u2066c\u200Bd\u{E0041}e',
  '==highlight==',
  'back\\|slash|pipe',
];

/** Fragments put together by chance find what no list has. */
const trick = fc.oneof(
  { weight: 3, arbitrary: fc.array(fc.constantFrom(...TRICKS, ' ', '\n', '\\', '`', '|'), { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.array(fc.string({ unit: 'binary', maxLength: 12 }), { maxLength: 3 }) },
);

/** What GitHub replaces in the text that a reader would see. */
const LOOKED_UP =
  /@[a-z\d]|#\d|\bGH-\d|:[\w+-]+:|:\/\/|www\.|(?<![\da-z])[\da-f]{7,40}(?![\da-z])|mailto:[a-z]|\$[^\s\u200B]/iu;

const program = findCmarkGfm();

describe.skipIf(program === undefined)('markdownText in the reference renderer', () => {
  /** Each text as a paragraph, in a list, in a table's cell and as code: as HTML and as it is seen. */
  function expectLiteral(texts: readonly string[]): void {
    const shown = texts.filter((text) => plainText(text) !== '');
    const document = shown
      .flatMap((text) => [
        markdownText(text),
        `- ${markdownText(text)}`,
        `| a | b |\n| :-- | --: |\n| ${markdownText(text)} | ${markdownCode(text)} |`,
        `x ${markdownText(text)}<br>${markdownCode(text)}`,
      ])
      .join('\n\n<hr>\n\n');
    const parts = renderGfm(program!, document).split('<hr>');
    expect(parts).toHaveLength(4 * shown.length);
    for (const [index, part] of parts.entries()) {
      const text = clip(plainText(shown[Math.floor(index / 4)]!), 300).replaceAll(/ +/gu, ' ');
      const outer = [
        /^<p>([^<]*)<\/p>$/u,
        /^<ul>\n<li>([^<]*)<\/li>\n<\/ul>$/u,
        /^<table>\n<thead>[^]*<tbody>\n<tr>\n<td align="left">([^<]*)<\/td>\n<td align="right"><code>([^<]*)<\/code><\/td>\n<\/tr>\n<\/tbody>\n<\/table>$/u,
        /^<p>x ([^<]*)<br ?\/?>\n?<code>([^<]*)<\/code><\/p>$/u,
      ][index % 4]!;
      const found = outer.exec(part.trim());
      expect(found, `${JSON.stringify(text)} as ${part}`).not.toBeNull();
      for (const seen of found!.slice(1)) {
        expect(visibleText(seen).replaceAll(/ +/gu, ' ')).toBe(text);
      }
      // Code is not searched; the text is, with references resolved.
      const resolved = found![1]!.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
      expect(resolved).not.toMatch(LOOKED_UP);
    }
  }

  it('shows every trick as the text it is, wherever it stands', () => {
    expectLiteral(TRICKS);
  });

  it('shows any text as itself', () => {
    fc.assert(
      fc.property(fc.array(trick, { minLength: 40, maxLength: 60 }), (texts) => {
        expectLiteral(['x', ...texts.map((parts) => parts.join('')).filter((text) => text.length < 250)]);
      }),
      { numRuns: 25 },
    );
  });
});

describe('markdownText', () => {
  it('leaves nothing for GitHub to look up after rendering', () => {
    for (const text of TRICKS) {
      const seen = markdownText(text).replaceAll(/&#(\d+);/gu, (_, code: string) =>
        String.fromCodePoint(Number(code)),
      );
      expect(seen, text).not.toMatch(LOOKED_UP);
    }
  });

  it('never lets raw markup through', () => {
    fc.assert(
      fc.property(trick, (parts) => {
        expect(markdownText(parts.join(''))).not.toMatch(/[<>|`*_[\]\\!~@$\n]|&(?!#\d+;)|(?<!&)#/u);
      }),
    );
  });

  it('leaves the digits of a seed together, for whoever copies it', () => {
    expect(markdownValue('12345678901234567890')).toBe('`12345678901234567890`');
    expect(markdownValue('0123456789ab + changes')).toBe('`0123456789ab + changes`');
    expect(markdownValue('1234567`|<b>')).not.toMatch(/[`|]|<b>/u);
    expect(markdownValue('g++ 13 #1')).toBe(markdownText('g++ 13 #1'));
  });

  it('cuts what would fill the page', () => {
    expect(markdownText('x'.repeat(100_000))).toHaveLength(2000);
    expect(markdownCode('x'.repeat(100_000))).toHaveLength('<code></code>'.length + 300);
  });
});

describe('plainText', () => {
  it('drops what cannot be seen, though it counts as a letter, mark or symbol', () => {
    expect(plainText('a\u3164b\u115Fc\u2800d\uFE0Fe\u034Ff\u{E0041}g')).toBe('abcdefg');
  });

  it('keeps marks and drops a tower of them', () => {
    expect(plainText('e\u0301')).toBe('e\u0301');
    expect(plainText(`z${'\u0301'.repeat(500)}`)).toBe(`z${'\u0301'.repeat(4)}`);
  });

  it('makes every space an ordinary one', () => {
    expect(plainText('a\u00A0b\u3000c\u0085d')).toBe('a b c d');
  });
});

describe('clip', () => {
  it('cuts between characters and says that it did', () => {
    expect(clip('😀😀😀', 3)).toBe('😀😀😀');
    expect(clip('😀😀😀😀', 3)).toBe('😀😀…');
    expect(clip('abcd', 3)).toBe('ab…');
  });
});

describe('logText', () => {
  it('leaves no command for a runner to obey', () => {
    const text = logText('::set-env name=A::b\n::add-mask::c\u001B[31m ##[error]x :::::: ###[group]');
    expect(text).not.toMatch(/::|##\[|\p{C}/u);
  });
});
