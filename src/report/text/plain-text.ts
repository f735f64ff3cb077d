/** What breaks a line, and spaces that are not the ordinary one: names are told apart by what can be seen. */
const SPACES = /[\t\n\v\f\r\u0085\u2028\u2029]+|(?! )\p{Zs}/gu;

/**
 * Control, format and unassigned characters, broken surrogates, and what is invisible by definition though it counts
 * as a letter or mark (Hangul fillers, variation selectors) or as a symbol (the empty Braille pattern).
 */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Most text, and the classes of Unicode are slow to look up. */
const ASCII = /^[\x20-\x7e]*$/u;

/** More marks on one letter than any script stacks paint over the lines around it. */
const STACKED_MARKS = /(\p{M}{4})\p{M}+/gu;

/**
 * Text from elsewhere (kernel and case names, messages, what a kernel printed) made fit to show: one line of what can
 * be seen. Escape sequences could otherwise repaint the terminal, and bidirectional overrides and zero-width
 * characters make one name look like another (Unicode TR 36, section 2.10).
 */
export function plainText(text: string): string {
  if (ASCII.test(text)) return text.trim();
  return text.replaceAll(SPACES, ' ').replaceAll(UNSEEN, '').replaceAll(STACKED_MARKS, '$1').trim();
}

/** The same for a whole document: its lines stay lines. */
export function plainDocument(text: string): string {
  return text.replaceAll(/[^\x20-\x7e\n]+/gu, (rest) =>
    rest.replaceAll(SPACES, ' ').replaceAll(UNSEEN, '').replaceAll(STACKED_MARKS, '$1'),
  );
}

/** At most so many characters; an ellipsis says that there were more. */
export function clip(text: string, characters: number): string {
  let count = 0;
  let kept = '';
  for (const character of text) {
    count += 1;
    if (count > characters) return `${kept}…`;
    if (count < characters) kept += character;
  }
  return text;
}

/**
 * Text from elsewhere for the log of a CI run. The runner reads commands out of it: `::name::` at the start of a
 * line, and the older `##[name]` anywhere in one.
 */
export function logText(text: string): string {
  return clip(plainText(text), 500)
    .replaceAll(/:(?=:)/gu, ': ')
    .replaceAll('##[', '## [');
}

/** The last `limit` lines of longer text, each made fit to show. */
export function plainLines(text: string, limit: number): string[] {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map(plainText)
    .filter((line) => line !== '')
    .slice(-limit);
}

/** Characters that take two columns in a terminal: East Asian wide and fullwidth, and emoji (Unicode TR 11). */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** How many columns a terminal gives to text that `plainText` has made fit. */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const character of text) {
    if (/\p{M}/u.test(character)) continue;
    width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

/** Cuts text to a number of columns; an ellipsis says that it was. */
export function truncate(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const character of text) {
    width += displayWidth(character);
    if (width > columns - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

export function padStart(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - displayWidth(text))) + text;
}

export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)));
}

/** A space that no line is broken at: between a number and its unit. */
const BREAK = /(?<!\d) | (?!(?:%|µs|ms)(?![\p{L}\p{N}_]))/u;

/** Breaks text at spaces into lines of at most `columns`; a longer word keeps a line to itself. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(BREAK)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && displayWidth(longer) > columns) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  lines.push(line);
  return lines;
}

const GAP = '  ';

/** Cells of a row side by side; those that do not fit go on in lines below, so that nothing is cut. */
export function rowText(cells: readonly string[], columns: number, indent = 4): string {
  const lines = [''];
  for (const cell of cells) {
    const line = lines.at(-1)!;
    const longer = lines.length === 1 && line === '' ? cell : `${line}${GAP}${cell}`;
    if (displayWidth(longer.trimEnd()) <= columns) {
      lines[lines.length - 1] = longer;
      continue;
    }
    const room = Math.max(20, columns - indent);
    const below = wrap(cell.trim(), room).map((part) => `${' '.repeat(indent)}${part}`);
    if (line === '') lines.pop();
    lines.push(...below);
  }
  return lines.map((line) => line.trimEnd()).join('\n');
}

/** Text in lines; the first begins with `lead`, which takes `indent` columns, and the others stand under it. */
export function hanging(lead: string, indent: number, text: string, columns: number): string[] {
  const plain = plainText(text);
  if (plain === '') return [];
  const [first = '', ...others] = wrap(plain, columns - indent);
  return [`${lead}${first}`, ...others.map((line) => `${' '.repeat(indent)}${line}`)];
}
