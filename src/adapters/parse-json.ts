import { jsonFault } from '../model/json-fault.ts';

/** JSON as tools write it: Python's writers put NaN and Infinity, which are not JSON. */
export interface ParsedJson {
  readonly value: unknown;
  /** How many bare NaN and Infinity there were; each was read as null. */
  readonly nonfinite: number;
}

export type JsonResult =
  | { readonly ok: true; readonly json: ParsedJson }
  | { readonly ok: false; readonly why: string };

/** No benchmark's file comes near it; without a limit a hostile one exhausts the stack. */
const MAX_DEPTH = 64;

export function parseJson(text: string): JsonResult {
  const body = text.trim();
  if (body === '') return { ok: false, why: 'is empty' };
  const plain = replaceNonfinite(body);
  if (plain === undefined) return { ok: false, why: `is nested more than ${MAX_DEPTH} deep` };
  try {
    return { ok: true, json: { value: JSON.parse(plain.text), nonfinite: plain.count } };
  } catch (error) {
    const isOpen = /^[[{]/u.test(body) && !/[\]}]$/u.test(body);
    return {
      ok: false,
      why: isOpen ? 'is cut short: it ends in the middle' : `is not JSON: ${jsonFault(error, plain.text)}`,
    };
  }
}

/** NaN, Infinity and -Infinity outside of strings become null. Nothing where the nesting is too deep. */
function replaceNonfinite(text: string): { readonly text: string; readonly count: number } | undefined {
  const parts: string[] = [];
  let kept = 0;
  let depth = 0;
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === '"') at = endOfString(text, at);
    else if (character === '[' || character === '{') {
      depth += 1;
      if (depth > MAX_DEPTH) return undefined;
    } else if (character === ']' || character === '}') depth -= 1;
    else if (character === 'N' || character === 'I') {
      const word = character === 'N' ? 'NaN' : 'Infinity';
      if (!text.startsWith(word, at)) continue;
      const start = character === 'I' && text[at - 1] === '-' ? at - 1 : at;
      parts.push(text.slice(kept, start), 'null');
      at += word.length - 1;
      kept = at + 1;
      count += 1;
    }
  }
  return count === 0 ? { text, count } : { text: parts.join('') + text.slice(kept), count };
}

/** The closing quote of the string that begins at `from`, or the end of the text. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
