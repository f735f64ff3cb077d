import { PawlError } from '../../model/pawl-error.ts';

interface JsonLimits {
  readonly depth: number;
  /** Of values in all, and of members of one array or object. */
  readonly values: number;
  readonly members: number;
  readonly keyCharacters: number;
}

const REPORT_LIMITS: JsonLimits = {
  depth: 24,
  values: 2_000_000,
  members: 20_000,
  keyCharacters: 200,
};

/** Names with a meaning of their own in JavaScript: no report has a use for them. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

const NUMBER_OR_WORD = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;

/**
 * JSON that a stranger wrote. Readers differ in what they make of a key that comes twice, and `JSON.parse` makes
 * Infinity of 1e999: what could be read in two ways is refused before it is parsed, and so is what is too large.
 */
export function parseBoundedJson(bytes: Uint8Array, limits: JsonLimits = REPORT_LIMITS): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refused('it is not UTF-8');
  }
  try {
    new JsonScan(text, limits).whole();
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw error instanceof SyntaxError ? malformed() : error;
  }
}

function refused(why: string): PawlError {
  return new PawlError('bad-data', `the report is not JSON that Pawl reads: ${why}`);
}

function malformed(): PawlError {
  return refused('it is malformed');
}

interface OpenList {
  readonly close: ']' | '}';
  readonly keys: Set<string>;
  members: number;
}

/** Goes over a text once, without a stack of calls that could be made to overflow. */
class JsonScan {
  readonly #text: string;
  readonly #limits: JsonLimits;
  readonly #open: OpenList[] = [];
  #at = 0;
  #values = 0;

  constructor(text: string, limits: JsonLimits) {
    this.#text = text;
    this.#limits = limits;
  }

  whole(): void {
    this.#space();
    do {
      if (this.#opensList()) continue;
      this.#closeLists();
    } while (this.#open.length > 0);
    if (this.#at !== this.#text.length) throw refused('something follows it');
  }

  /** Reads one value, or the beginning of one that has others in it. */
  #opensList(): boolean {
    this.#values += 1;
    if (this.#values > this.#limits.values) throw refused(`it has more than ${this.#limits.values} values`);
    const first = this.#text[this.#at];
    if (first !== '[' && first !== '{') {
      this.#scalar();
      return false;
    }
    this.#take(first);
    if (this.#open.length >= this.#limits.depth) {
      throw refused(`it is nested more than ${this.#limits.depth} deep`);
    }
    const list: OpenList = { close: first === '[' ? ']' : '}', keys: new Set(), members: 0 };
    if (this.#take(list.close)) return false;
    this.#open.push(list);
    this.#member(list);
    return true;
  }

  #closeLists(): void {
    for (let list = this.#open.at(-1); list !== undefined; list = this.#open.at(-1)) {
      if (this.#take(',')) {
        this.#member(list);
        return;
      }
      if (!this.#take(list.close)) throw malformed();
      this.#open.pop();
    }
  }

  #member(list: OpenList): void {
    list.members += 1;
    if (list.members > this.#limits.members) {
      throw refused(`a list has more than ${this.#limits.members} members`);
    }
    if (list.close === ']') return;
    const key = JSON.parse(this.#string()) as string;
    if (key.length > this.#limits.keyCharacters) throw refused('a name is too long');
    if (FORBIDDEN_KEYS.has(key)) throw refused('it has a forbidden name');
    if (list.keys.has(key)) throw refused('a name appears twice');
    list.keys.add(key);
    if (!this.#take(':')) throw malformed();
  }

  #scalar(): void {
    if (this.#text[this.#at] === '"') {
      this.#string();
      return;
    }
    NUMBER_OR_WORD.lastIndex = this.#at;
    const [found] = NUMBER_OR_WORD.exec(this.#text) ?? [];
    if (found === undefined) throw malformed();
    if (/^[-0-9]/u.test(found) && !Number.isFinite(Number(found))) throw refused('a number is too large');
    this.#at += found.length;
    this.#space();
  }

  /** A string with its quotes; whether its escapes are sound is left to `JSON.parse`. */
  #string(): string {
    const start = this.#at;
    if (this.#text[start] !== '"') throw malformed();
    for (let at = start + 1; at < this.#text.length; at += 1) {
      const character = this.#text[at];
      if (character === '\\') at += 1;
      else if (character === '"') {
        this.#at = at + 1;
        const found = this.#text.slice(start, this.#at);
        this.#space();
        return found;
      }
    }
    throw malformed();
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    this.#space();
    return true;
  }

  #space(): void {
    while (' \t\n\r'.includes(this.#text[this.#at] ?? 'x')) this.#at += 1;
  }
}
