import { Conditions } from './conditions.ts';

/** A token of C, C++ or CUDA. Comments and preprocessor lines are not tokens. */
export interface Token {
  readonly kind: 'word' | 'number' | 'text' | 'sign';
  readonly text: string;
  readonly line: number;
}

/** A source file as far as adopting needs it. */
export interface TokenizedSource {
  readonly tokens: readonly Token[];
  /** What `#include "…"` names, in order. */
  readonly includes: readonly string[];
  /** It has an OpenMP directive. */
  readonly usesOpenMp: boolean;
  /** Macros that are defined at its end. */
  readonly defined: ReadonlySet<string>;
}

/** Longest first. All other signs are tokens of one character. */
const LONG_SIGNS = ['<<<', '>>>', '::'] as const;
const WORD_START = /[A-Za-z_$]/u;
const WORD_PART = /[\w$]/u;
const DIGIT = /\d/u;
/** A number as the preprocessor sees it: `1e-5f`, `0x1p+3`, `1'000`. */
const NUMBER_PART = /[\w.']/u;
const RAW_PREFIXES = new Set(['R', 'LR', 'uR', 'UR', 'u8R']);

/**
 * Splits a source file into tokens. What is not compiled, as far as that can be told, is left out.
 *
 * @param defined macros that are defined before it
 */
export function tokenize(source: string, defined: Iterable<string> = []): TokenizedSource {
  return new Tokenizer(source, defined).run();
}

class Tokenizer {
  readonly #source: string;
  readonly #tokens: Token[] = [];
  readonly #includes: string[] = [];
  #usesOpenMp = false;
  #at = 0;
  #line = 1;
  #isLineStart = true;
  readonly #conditions: Conditions;

  constructor(source: string, defined: Iterable<string>) {
    this.#source = source;
    this.#conditions = new Conditions(defined);
  }

  run(): TokenizedSource {
    while (this.#at < this.#source.length) this.#step();
    return {
      tokens: this.#tokens,
      includes: this.#includes,
      usesOpenMp: this.#usesOpenMp,
      defined: this.#conditions.defined,
    };
  }

  #step(): void {
    const rest = this.#source[this.#at]!;
    if (rest === '\n') {
      this.#isLineStart = true;
      this.#advance(1);
    } else if (/\s/u.test(rest)) this.#advance(1);
    else if (this.#startsWith('//')) this.#advance(this.#distanceTo('\n'));
    else if (this.#startsWith('/*')) this.#advance(this.#distanceTo('*/', 2) + 2);
    else if (rest === '#' && this.#isLineStart) this.#directive();
    else if (this.#conditions.isSkipping) this.#advance(this.#distanceTo('\n'));
    else this.#token(rest);
  }

  #token(first: string): void {
    this.#isLineStart = false;
    if (first === '"' || first === "'") this.#add('text', this.#quoted(first));
    else if (WORD_START.test(first)) {
      const word = this.#run(WORD_PART);
      const isRaw = RAW_PREFIXES.has(word) && this.#source[this.#at + word.length] === '"';
      if (isRaw) this.#add('text', word.length + this.#rawText(this.#at + word.length));
      else this.#add('word', word.length);
    } else if (DIGIT.test(first)) this.#add('number', this.#number());
    else this.#add('sign', LONG_SIGNS.find((sign) => this.#startsWith(sign))?.length ?? 1);
  }

  #directive(): void {
    let end = this.#at;
    do end = indexOrEnd(this.#source, '\n', end + 1);
    while (this.#source[end - 1] === '\\' && end < this.#source.length);
    const line = this.#source
      .slice(this.#at + 1, end)
      .replaceAll(/\\\n|\/\/.*|\/\*.*?\*\//gu, ' ')
      .trim();
    const name = /^\w*/u.exec(line)![0];
    const rest = line.slice(name.length).trim();
    const isLive = !this.#conditions.isSkipping;
    this.#conditions.directive(name, rest);
    if (isLive && name === 'include' && rest.startsWith('"'))
      this.#includes.push(rest.split(/\s/u)[0]!.replaceAll('"', ''));
    else if (isLive && name === 'pragma' && /^omp\b/u.test(rest)) this.#usesOpenMp = true;
    this.#advance(end - this.#at);
  }

  #number(): number {
    let end = this.#at;
    while (end < this.#source.length) {
      const isSign = /[+-]/u.test(this.#source[end]!) && /[eEpP]/u.test(this.#source[end - 1] ?? '');
      if (!isSign && !NUMBER_PART.test(this.#source[end]!)) break;
      end++;
    }
    return end - this.#at;
  }

  #quoted(quote: string): number {
    let end = this.#at + 1;
    while (end < this.#source.length && this.#source[end] !== quote && this.#source[end] !== '\n') {
      end += this.#source[end] === '\\' ? 2 : 1;
    }
    return Math.min(end + 1, this.#source.length) - this.#at;
  }

  /** `"mark(…)mark"`, from its quote on. */
  #rawText(start: number): number {
    const open = indexOrEnd(this.#source, '(', start);
    const close = `)${this.#source.slice(start + 1, open)}"`;
    return Math.min(indexOrEnd(this.#source, close, open) + close.length, this.#source.length) - start;
  }

  #add(kind: Token['kind'], length: number): void {
    this.#tokens.push({ kind, text: this.#source.slice(this.#at, this.#at + length), line: this.#line });
    this.#advance(length);
  }

  #run(part: RegExp): string {
    let end = this.#at;
    while (end < this.#source.length && part.test(this.#source[end]!)) end++;
    return this.#source.slice(this.#at, end);
  }

  #startsWith(text: string): boolean {
    return this.#source.startsWith(text, this.#at);
  }

  #distanceTo(text: string, from = 0): number {
    return indexOrEnd(this.#source, text, this.#at + from) - this.#at;
  }

  #advance(length: number): void {
    const end = Math.min(this.#at + Math.max(length, 1), this.#source.length);
    for (; this.#at < end; this.#at++) if (this.#source[this.#at] === '\n') this.#line++;
  }
}

function indexOrEnd(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from);
  return at === -1 ? text.length : at;
}
