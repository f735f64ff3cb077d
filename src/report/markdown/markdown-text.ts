import { clip, plainText } from '../text/plain-text.ts';

/** Longer sentences and names are somebody's attempt to fill the page. */
const SENTENCE_CHARACTERS = 2000;
const NAME_CHARACTERS = 300;

/**
 * What may mean something in Markdown or its GitHub flavour inside a line: all but letters, digits and this
 * punctuation. A colon is harmless before a space; otherwise it may belong to a link or an emoji's name.
 */
const MEANINGFUL = /:(?! )|[^\p{L}\p{N}\p{M} :,.;()%=/+'°×µ±–—…→·-]/gu;

/** Invisible, and the end of every name that GitHub would look up. */
const BREAK = '&#8203;';

/**
 * GitHub looks for mentions, references, emoji, addresses and formulas in the text that a reader would see, after
 * character references are resolved: these need a break behind them too.
 */
const LOOKED_UP = new Set(['@', '#', ':', '$']);

/** Commits are linked by 7 to 40 hexadecimal digits: they are broken into pieces that are too short. */
const COMMIT = /(?<![0-9a-z])[0-9a-f]{7,}(?![0-9a-z])/giu;
const SHORT_OF_COMMIT = /[0-9a-f]{6}(?=[0-9a-f])/giu;

/** `GH-1` is an issue; the others are linked to databases of vulnerabilities. */
const REFERENCE = /(?<=(?:^|[^0-9a-z])(?:GH|GHSA|CVE)-)/giu;

/** Addresses without a scheme are links. */
const WEB = /(?<=www)(?=\.)/giu;

/** What would begin a list or a heading's underline where the text is the first thing in a line. */
const BLOCK_START = /^(?:[-+](?=[ +-]|$)|=)|(?<=^\d{1,9})[.)](?= |$)/u;

/** Where a break comes, while characters are still themselves; `plainText` leaves none of its own. */
const BREAK_HERE = '\0';

/**
 * Text from elsewhere as literal text, wherever in a line it stands. What could mean something becomes a character
 * reference, and what GitHub would look up is broken with a zero-width space.
 */
export function markdownText(text: string): string {
  return escaped(clip(plainText(text), SENTENCE_CHARACTERS));
}

function escaped(plain: string): string {
  return plain
    .replaceAll(COMMIT, (digits) => digits.replaceAll(SHORT_OF_COMMIT, `$&${BREAK_HERE}`))
    .replaceAll(REFERENCE, BREAK_HERE)
    .replaceAll(WEB, BREAK_HERE)
    .replaceAll(MEANINGFUL, reference)
    .replace(BLOCK_START, reference);
}

function reference(character: string): string {
  if (character === BREAK_HERE) return BREAK;
  return `&#${character.codePointAt(0)!};${LOOKED_UP.has(character) ? BREAK : ''}`;
}

/** A value that a reader may copy: commits, seeds and hashes as code, with nothing between their digits. */
export function markdownValue(text: string): string {
  return /^[0-9a-f]{7,}\b/iu.test(text) ? markdownCode(text) : markdownText(text);
}

/** A name from elsewhere as code: in a code span where it is an ordinary name, else as escaped HTML code. */
export function markdownCode(text: string): string {
  const plain = clip(plainText(text), NAME_CHARACTERS);
  if (/^[\w.,=:/+ -]*\w[\w.,=:/+-]*$/u.test(plain)) return `\`${plain}\``;
  return `<code>${markdownText(plain)}</code>`;
}

/** Names up to this long fit into a table's cell as they are. */
const UNBROKEN_CHARACTERS = 24;
/** A name can be broken behind a separator, and anywhere in what is longer than a cell without one. */
const SEPARATED = /(?<=[/_.,=:-])(?=\S)/u;
const PIECE = /.{1,16}/gsu;

/**
 * A name for a cell of a table. GitHub's tables scroll sideways rather than break a word, so a long name says where it
 * may be broken; copied, it is whole.
 */
export function markdownCell(text: string): string {
  const plain = clip(plainText(text), NAME_CHARACTERS);
  if (plain.length <= UNBROKEN_CHARACTERS) return markdownCode(plain);
  return `<code>${plain
    .split(SEPARATED)
    .flatMap((part) => part.match(PIECE) ?? [])
    .map(escaped)
    .join('<wbr>')}</code>`;
}
