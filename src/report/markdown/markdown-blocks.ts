/** Blocks of Markdown, each of text that is escaped already. */

export function joined(blocks: readonly string[]): string {
  return blocks.filter((block) => block !== '').join('\n\n');
}

/** What a reader may open; nothing where there is nothing in it. */
export function folded(title: string, ...parts: readonly string[]): string {
  const present = parts.filter((part) => part !== '');
  if (present.length === 0) return '';
  return [`<details><summary>${title}</summary>`, ...present, '</details>'].join('\n\n');
}

export function preformatted(lines: readonly string[]): string {
  return ['<pre>', ...lines, '</pre>'].join('\n');
}

/** A last item that counts those that were left out. */
export function moreItems(count: number, what: string): string[] {
  return count <= 0 ? [] : [`- and ${count} more ${what}${count === 1 ? '' : 's'}, in the artifacts.`];
}

/** The first columns hold words, the others numbers. */
export function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  words = 1,
): string {
  const rule = header.map((_, index) => (index < words ? ':--' : '--:'));
  return [header, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
