type Known = 'yes' | 'no' | 'unknown';

interface Open {
  /** Whether what is around it is compiled. */
  readonly outer: boolean;
  /** A branch of it is compiled for certain: no later one is. */
  isDecided: boolean;
  isLive: boolean;
}

const DEFINED = /\bdefined\s*\(\s*\w+\s*\)/gu;

/** Which lines between `#if` and `#endif` are compiled, as far as `#define` and `-D` tell. What is not known is kept. */
export class Conditions {
  readonly defined: Set<string>;
  readonly #open: Open[] = [];

  constructor(defined: Iterable<string>) {
    this.defined = new Set(defined);
  }

  get isSkipping(): boolean {
    return this.#open.at(-1)?.isLive === false;
  }

  directive(name: string, text: string): void {
    const [word = ''] = text.split(/[\s(]/u);
    if (name === 'if' || name === 'ifdef' || name === 'ifndef') this.#begin(this.#known(name, text));
    else if (name === 'elif') this.#next(this.#known('if', text));
    else if (name === 'elifdef' || name === 'elifndef') this.#next(this.#known(name.slice(2), text));
    else if (name === 'else') this.#next('yes');
    else if (name === 'endif') this.#open.pop();
    else if (this.isSkipping) return;
    else if (name === 'define') this.defined.add(word);
    else if (name === 'undef') this.defined.delete(word);
  }

  #begin(known: Known): void {
    const outer = !this.isSkipping;
    this.#open.push({ outer, isDecided: known === 'yes', isLive: outer && known !== 'no' });
  }

  #next(known: Known): void {
    const open = this.#open.at(-1);
    if (open === undefined) return;
    open.isLive = open.outer && !open.isDecided && known !== 'no';
    open.isDecided ||= known === 'yes';
  }

  #known(name: string, text: string): Known {
    const [word = ''] = text.split(/\s/u);
    if (name === 'ifdef') return this.#isDefined(word);
    if (name === 'ifndef') return not(this.#isDefined(word));
    // Parentheses around more than a name would need a parser: what they hold stays unknown.
    if (/[()]/u.test(text.replaceAll(DEFINED, ''))) return 'unknown';
    return either(text.split('||').map((part) => both(part.split('&&').map((term) => this.#term(term)))));
  }

  #term(text: string): Known {
    const match = /^\s*(!?)\s*(?:defined(?:\s*\(\s*(\w+)\s*\)|\s+(\w+))|([01]))\s*$/u.exec(text);
    if (match === null) return 'unknown';
    const [, negated, enclosed, plain, number] = match;
    const name = enclosed ?? plain;
    const known = name === undefined ? (number === '1' ? 'yes' : 'no') : this.#isDefined(name);
    return negated === '!' ? not(known) : known;
  }

  /** A macro that is not defined here may be the compiler's, or a system header's. */
  #isDefined(name: string): Known {
    return this.defined.has(name) ? 'yes' : 'unknown';
  }
}

function not(known: Known): Known {
  return known === 'unknown' ? known : known === 'yes' ? 'no' : 'yes';
}

function both(all: readonly Known[]): Known {
  return all.includes('no') ? 'no' : all.includes('unknown') ? 'unknown' : 'yes';
}

function either(all: readonly Known[]): Known {
  return all.includes('yes') ? 'yes' : all.includes('unknown') ? 'unknown' : 'no';
}
