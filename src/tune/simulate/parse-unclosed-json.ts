/**
 * Kernel Tuner appends to its cache file while it runs and closes the brackets only at the end: a file of a run that
 * was stopped ends in a comma or in the middle of an entry. Python also writes NaN and Infinity, which JSON lacks.
 */

/** Members of the root and entries one level below it are whole or dropped; what is inside an entry is not cut. */
const DEEPEST_CUT = 2;

/** @throws {SyntaxError} where even the part that was written whole is not JSON */
export function parseUnclosedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const repaired = closed(text);
    if (repaired === undefined) throw error;
    return JSON.parse(repaired);
  }
}

/** The text up to its last whole entry, with its brackets closed; undefined where nothing is whole. */
function closed(text: string): string | undefined {
  const closers: string[] = [];
  let out = '';
  let copied = 0;
  let cut: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === '"') {
      at = endOfText(text, at);
      if (at < 0) return cut;
    } else if (char === '{' || char === '[') closers.push(char === '{' ? '}' : ']');
    else if (char === '}' || char === ']') {
      if (closers.pop() !== char) return cut;
      if (closers.length === 0) return out + text.slice(copied, at + 1);
    } else if (char === 'N' || char === 'I' || char === '-') {
      const word = /^(?:NaN|-?Infinity)/.exec(text.slice(at, at + 9))?.[0];
      if (word !== undefined) {
        out += `${text.slice(copied, at)}null`;
        at += word.length - 1;
        copied = at + 1;
      }
    } else if (char === ',' && closers.length <= DEEPEST_CUT && closers.length > 0) {
      out += text.slice(copied, at);
      copied = at;
      cut = out + closers.toReversed().join('');
    }
    // The end of an entry is as good as the comma after it, which may never have been written.
    if ((char === '}' || char === ']') && closers.length === DEEPEST_CUT) {
      out += text.slice(copied, at + 1);
      copied = at + 1;
      cut = out + closers.toReversed().join('');
    }
  }
  return cut;
}

/** Where the text that starts at a quotation mark ends; −1 where it does not. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return -1;
}
