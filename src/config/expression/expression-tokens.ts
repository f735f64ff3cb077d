import { ExpressionError } from './expression-error.ts';

export interface Token {
  readonly type: 'number' | 'text' | 'name' | 'operator' | 'end';
  /** The characters of a name or operator, the digits of a number, the contents of a text. */
  readonly text: string;
  readonly offset: number;
}

/** Words that mean something in a formula, so that no dimension or tunable can have them as its name. */
export const KEYWORDS: readonly string[] = [
  'and',
  'or',
  'not',
  'in',
  'if',
  'else',
  'true',
  'false',
  'True',
  'False',
];

/** Longest formula read: a recorded constraint has some 130 characters. */
const MAX_LENGTH = 4096;

const SPACE = /[ \t\r\n]+/y;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const NAME = /[A-Za-z_]\w*/y;
const TEXT = /"([^"\\\n]*)"|'([^'\\\n]*)'/y;
/** Longer operators first. */
const OPERATOR = /\*\*|\/\/|<=|>=|==|!=|&&|\|\||[-+*/%<>!?:(),[\]]/y;

export function tokenize(source: string): Token[] {
  if (source.length > MAX_LENGTH) {
    throw new ExpressionError(source, MAX_LENGTH, `longer than ${MAX_LENGTH} characters`);
  }
  const tokens: Token[] = [];
  let offset = 0;
  const match = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = offset;
    return pattern.exec(source) ?? undefined;
  };
  while (offset < source.length) {
    const space = match(SPACE);
    if (space !== undefined) {
      offset += space[0].length;
      continue;
    }
    const found = readToken(match, offset);
    if (found === undefined) throw unreadable(source, offset);
    tokens.push(found.token);
    offset += found.length;
    if (found.token.type === 'number' && match(NAME) !== undefined) {
      throw new ExpressionError(source, offset, 'a number runs into a name');
    }
  }
  tokens.push({ type: 'end', text: '', offset: source.length });
  return tokens;
}

function readToken(
  match: (pattern: RegExp) => RegExpExecArray | undefined,
  offset: number,
): { token: Token; length: number } | undefined {
  for (const [type, pattern] of [
    ['number', NUMBER],
    ['name', NAME],
    ['text', TEXT],
    ['operator', OPERATOR],
  ] as const) {
    const found = match(pattern);
    if (found === undefined) continue;
    const text = type === 'text' ? (found[1] ?? found[2] ?? '') : found[0];
    return { token: { type, text, offset }, length: found[0].length };
  }
  return undefined;
}

function unreadable(source: string, offset: number): ExpressionError {
  const character = String.fromCodePoint(source.codePointAt(offset) ?? 0);
  if (character === '"' || character === "'") {
    return new ExpressionError(source, offset, 'a text that does not end');
  }
  if (character === '=') return new ExpressionError(source, offset, 'a single `=` (`==` compares)');
  const shown = /\p{C}|\s/u.test(character)
    ? `U+${source.codePointAt(offset)?.toString(16).toUpperCase().padStart(4, '0')}`
    : character;
  return new ExpressionError(source, offset, `\`${shown}\` has no meaning`);
}
