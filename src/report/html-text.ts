import { plainText } from './plain-text.ts';

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text from elsewhere as literal text, in content and in quoted attributes, of HTML and of SVG within it. */
export function htmlText(text: string): string {
  return plainText(text).replaceAll(/[&<>"']/gu, (character) => REFERENCES[character]!);
}
