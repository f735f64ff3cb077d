import type { Token } from './tokens.ts';

/** A function with a body that a file defines outside of classes. */
export interface FoundFunction {
  /** With its namespaces: `math::softmax`. */
  readonly name: string;
  readonly line: number;
  /** `global`: a `__global__` function; `device`: one that only device code can call. */
  readonly place: 'host' | 'global' | 'device';
  readonly isTemplate: boolean;
  readonly returns: readonly Token[];
  readonly parameters: readonly (readonly Token[])[];
  /** It starts a kernel: `<<<`. */
  readonly launches: boolean;
}

/** What a file defines: its functions, and its names for other types. */
export interface Definitions {
  readonly functions: readonly FoundFunction[];
  readonly aliases: ReadonlyMap<string, readonly Token[]>;
  /** Aliases that are defined in several ways, as between `#if` and `#else`: the last one counts. */
  readonly redefined: ReadonlySet<string>;
}

/** A class, a variable with an initialiser, an operator. */
const NOT_A_FUNCTION = new Set(['class', 'union', 'enum', '=', 'operator']);
/** Words in front of a function that do not belong to its type. */
const SPECIFIERS = new Set([
  'static',
  'inline',
  'extern',
  'constexpr',
  'noexcept',
  '__inline__',
  '__inline',
  '__forceinline__',
  '__noinline__',
  '__host__',
  '__device__',
  '__global__',
]);
/** They take arguments in parentheses and come before or after the name. */
const WITH_ARGUMENTS = new Set([
  '__attribute__',
  '__launch_bounds__',
  '__declspec',
  'alignas',
  '__cluster_dims__',
]);
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/**
 * Finds function definitions at the top level and in namespaces. Classes, and what is inside functions, are skipped.
 *
 * @param headers of which only names for types are taken
 */
export function findDefinitions(
  tokens: readonly Token[],
  headers: readonly (readonly Token[])[] = [],
): Definitions {
  const [reader, ...included] = [tokens, ...headers].map((source) => {
    const one = new Reader(source);
    one.scope([]);
    return one;
  });
  const { functions } = reader!;
  const sources = [...included.toReversed(), reader!];
  return {
    functions,
    aliases: new Map(sources.flatMap(({ aliases }) => Array.from(aliases))),
    redefined: new Set(sources.flatMap(({ redefined }) => Array.from(redefined))),
  };
}

class Reader {
  readonly functions: FoundFunction[] = [];
  readonly aliases = new Map<string, readonly Token[]>();
  readonly redefined = new Set<string>();
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** Everything up to the brace that closes the scope. */
  scope(namespaces: readonly string[]): void {
    let head: Token[] = [];
    while (this.#at < this.#tokens.length) {
      const token = this.#tokens[this.#at]!;
      if (token.text === '}') {
        this.#at++;
        return;
      }
      if (token.text === ';') {
        this.#alias(head);
        head = [];
        this.#at++;
      } else if (token.text === '{') {
        this.#block(head, namespaces);
        head = [];
      } else if (token.text === '(' || token.text === '[') head.push(...this.#balanced());
      else {
        head.push(token);
        this.#at++;
      }
    }
  }

  #block(head: readonly Token[], namespaces: readonly string[]): void {
    const texts = head.map(({ text }) => text);
    const isExternC = texts[0] === 'extern' && head[1]?.kind === 'text' && head.length === 2;
    if (isExternC || texts.includes('namespace')) {
      const names = isExternC ? [] : texts.filter((text) => !['inline', 'namespace', '::'].includes(text));
      this.#at++;
      this.scope([...namespaces, ...names]);
      return;
    }
    const found = functionOf(head, namespaces);
    const body = this.#balanced();
    if (found !== undefined) {
      this.functions.push({ ...found, launches: body.some(({ text }) => text === '<<<') });
    }
  }

  /** `typedef float real;` and `using real = float;`. */
  #alias(head: readonly Token[]): void {
    const [first, second] = head;
    if (first?.text === 'typedef' && head.length > 2) {
      this.#set(head.at(-1)!.text, head.slice(1, -1));
    } else if (first?.text === 'using' && second !== undefined && head[2]?.text === '=') {
      this.#set(second.text, head.slice(3));
    }
  }

  #set(name: string, type: readonly Token[]): void {
    if (this.aliases.has(name)) this.redefined.add(name);
    this.aliases.set(name, type);
  }

  /** From an opening bracket to the one that closes it. */
  #balanced(): Token[] {
    const start = this.#at;
    const open: string[] = [];
    do {
      const { text: sign } = this.#tokens[this.#at++]!;
      const closing = CLOSING[sign];
      if (closing !== undefined) open.push(closing);
      else if (sign === open.at(-1)) open.pop();
    } while (open.length > 0 && this.#at < this.#tokens.length);
    return this.#tokens.slice(start, this.#at);
  }
}

function functionOf(
  head: readonly Token[],
  namespaces: readonly string[],
): Omit<FoundFunction, 'launches'> | undefined {
  const isTemplate = head[0]?.text === 'template';
  const words = withoutAttributes(isTemplate ? afterAngles(head, 1) : head);
  const open = words.findIndex(({ text }) => text === '(');
  const name = words[open - 1];
  if (name?.kind !== 'word') return undefined;
  const before = words.slice(0, open - 1);
  // `std::size_t f(…)` has `::` in its type, and is a function; `Class::f(…)` has it before its name, and is a member.
  if (before.at(-1)?.text === '::' || before.some(({ text }) => NOT_A_FUNCTION.has(text))) return undefined;
  const returns = before.filter(({ text, kind }) => !SPECIFIERS.has(text) && kind !== 'text');
  // Without a type it is a macro or a constructor.
  if (returns.length === 0) return undefined;
  const has = (word: string) => before.some(({ text }) => text === word);
  return {
    name: [...namespaces, name.text].join('::'),
    line: name.line,
    place: has('__global__') ? 'global' : has('__device__') && !has('__host__') ? 'device' : 'host',
    isTemplate,
    returns,
    parameters: splitParameters(words.slice(open + 1, closingOf(words, open))),
  };
}

function closingOf(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if (tokens[at]!.text === '(') depth++;
    else if (tokens[at]!.text === ')' && --depth === 0) return at;
  }
  return tokens.length;
}

/** `[[nodiscard]]`, `__attribute__((…))`, `__launch_bounds__(256)`. */
function withoutAttributes(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const { text } = tokens[at]!;
    if (WITH_ARGUMENTS.has(text) && tokens[at + 1]?.text === '(') at = closingOf(tokens, at + 1);
    else if (text === '[' && tokens[at + 1]?.text === '[') {
      while (at < tokens.length && !(tokens[at]!.text === ']' && tokens[at + 1]?.text !== ']')) at++;
    } else kept.push(tokens[at]!);
  }
  return kept;
}

function afterAngles(tokens: readonly Token[], start: number): readonly Token[] {
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    if (tokens[at]!.text === '<') depth++;
    else if (tokens[at]!.text === '>' && --depth === 0) return tokens.slice(at + 1);
  }
  return tokens;
}

function splitParameters(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (['(', '[', '{', '<'].includes(token.text)) depth++;
    else if ([')', ']', '}', '>'].includes(token.text)) depth--;
    if (token.text === ',' && depth === 0) parts.push([]);
    else parts.at(-1)!.push(token);
  }
  const isNone =
    parts.length === 1 &&
    (parts[0]!.length === 0 || (parts[0]!.length === 1 && parts[0]![0]!.text === 'void'));
  return isNone ? [] : parts;
}
