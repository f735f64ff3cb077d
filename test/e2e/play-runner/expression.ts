/**
 * GitHub's expressions, as far as our workflows use them: literals, contexts, operators, and the functions below.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/expressions
 */
export type Contexts = Readonly<Record<string, unknown>>;

export interface JobState {
  /** What `success()`, `failure()` and `cancelled()` say. */
  readonly status: 'success' | 'failure' | 'cancelled';
}

const TOKEN = /\s*(?:('(?:[^']|'')*')|(\d+(?:\.\d+)?)|([A-Za-z_][\w-]*)|(&&|\|\||==|!=|[!().,[\]]))/y;

interface Token {
  readonly kind: 'string' | 'number' | 'name' | 'sign';
  readonly text: string;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; text.slice(at).trim() !== ''; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) throw new Error(`not an expression at "${text.slice(at)}"`);
    const [, string, number, name, sign] = match;
    if (string !== undefined)
      tokens.push({ kind: 'string', text: string.slice(1, -1).replaceAll("''", "'") });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else tokens.push({ kind: 'sign', text: sign! });
  }
  return tokens;
}

export function evaluate(text: string, contexts: Contexts, job: JobState): unknown {
  const tokens = tokensOf(text);
  let at = 0;
  const takes = (sign: string): boolean => {
    if (tokens[at]?.kind !== 'sign' || tokens[at]?.text !== sign) return false;
    at += 1;
    return true;
  };
  const expectSign = (sign: string): void => {
    if (!takes(sign)) throw new Error(`expected ${sign} in "${text}"`);
  };

  const or = (): unknown => {
    let value = and();
    while (takes('||')) {
      const right = and();
      value = isTrue(value) ? value : right;
    }
    return value;
  };
  const and = (): unknown => {
    let value = equality();
    while (takes('&&')) {
      const right = equality();
      value = isTrue(value) ? right : value;
    }
    return value;
  };
  const equality = (): unknown => {
    const left = unary();
    if (takes('==')) return isEqual(left, unary());
    if (takes('!=')) return !isEqual(left, unary());
    return left;
  };
  const unary = (): unknown => (takes('!') ? !isTrue(unary()) : member());
  const member = (): unknown => {
    let value = primary();
    for (;;) {
      if (takes('.')) value = property(value, tokens[at++]!.text);
      else if (takes('[')) {
        value = property(value, String(or()));
        expectSign(']');
      } else return value;
    }
  };
  const primary = (): unknown => {
    if (takes('(')) {
      const value = or();
      expectSign(')');
      return value;
    }
    const token = tokens[at++];
    if (token?.kind === 'string') return token.text;
    if (token?.kind === 'number') return Number(token.text);
    if (token?.kind !== 'name') throw new Error(`not an expression: "${text}"`);
    if (token.text === 'true' || token.text === 'false') return token.text === 'true';
    if (token.text === 'null') return null;
    if (!takes('(')) {
      if (!Object.hasOwn(contexts, token.text)) throw new Error(`no context "${token.text}" in "${text}"`);
      return contexts[token.text];
    }
    const args: unknown[] = [];
    while (!takes(')')) {
      args.push(or());
      takes(',');
    }
    return call(token.text, args, job);
  };
  const value = or();
  if (at !== tokens.length) throw new Error(`more than an expression: "${text}"`);
  return value;
}

function call(name: string, args: readonly unknown[], { status }: JobState): unknown {
  switch (name) {
    case 'always':
      return true;
    case 'success':
    case 'failure':
    case 'cancelled':
      return status === name;
    case 'format':
      return String(args[0]).replaceAll(/\{(\d)\}/g, (_, index: string) => textOf(args[Number(index) + 1]));
    case 'fromJSON':
      return JSON.parse(String(args[0]));
    default:
      throw new Error(`no function "${name}"`);
  }
}

function property(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return null;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : null;
}

function isTrue(value: unknown): boolean {
  return value !== null && value !== undefined && value !== false && value !== 0 && value !== '';
}

/** As GitHub has it: text without regard to capitals, nothing as an empty text. */
function isEqual(left: unknown, right: unknown): boolean {
  if (typeof left === 'boolean' || typeof right === 'boolean') return left === right;
  return textOf(left).toLowerCase() === textOf(right).toLowerCase();
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Text with `${{ … }}` in it. */
export function interpolate(text: string, contexts: Contexts, job: JobState): string {
  return text.replaceAll(/\$\{\{([\s\S]*?)\}\}/g, (_, inner: string) =>
    textOf(evaluate(inner, contexts, job)),
  );
}

/** An `if:`: without a function that asks for the status, it holds only where all went well so far. */
export function holds(condition: string | undefined, contexts: Contexts, job: JobState): boolean {
  if (condition === undefined) return job.status === 'success';
  const inner = /^\s*\$\{\{([\s\S]*)\}\}\s*$/.exec(condition)?.[1] ?? condition;
  const asks = /\b(always|success|failure|cancelled)\s*\(/.test(inner);
  return (asks || job.status === 'success') && isTrue(evaluate(inner, contexts, job));
}
