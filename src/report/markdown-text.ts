import { plainText } from './plain-text.ts';

/**
 * What may mean something in Markdown or its GitHub flavour inside a line: all but letters, digits and this
 * punctuation. A colon is harmless before a space; otherwise it may belong to a link or an emoji's name.
 */
const MEANINGFUL = /:(?! )|[^\p{L}\p{N}\p{M} :,.;()%=/+'°×µ±–—…→·-]/gu;

/**
 * Text from elsewhere as literal text. What could mean something becomes a character reference, and a zero-width
 * space after `@` and `#` keeps GitHub from notifying people and linking issues (it looks for those after the
 * references are resolved). It must not be the first thing in a line.
 */
export function markdownText(text: string): string {
  return plainText(text)
    .replaceAll(MEANINGFUL, (character) => {
      const separator = character === '@' || character === '#' ? '&#8203;' : '';
      return `&#${character.codePointAt(0)!};${separator}`;
    })
    .replaceAll(/(?<=www)\./giu, '&#46;');
}

/** A name from elsewhere as code: in a code span where it is an ordinary name, else as escaped HTML code. */
export function markdownCode(text: string): string {
  const plain = plainText(text);
  if (/^[\w.,=:/+ -]*\w[\w.,=:/+-]*$/u.test(plain)) return `\`${plain}\``;
  return `<code>${markdownText(plain)}</code>`;
}
