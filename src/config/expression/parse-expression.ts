/**
 * Formulas over dimensions and tunables, read by precedence climbing and never handed to an evaluator of
 * JavaScript. Precedence and meaning are Python's (docs.python.org/3/reference/expressions.html#operator-precedence),
 * because recorded tuning spaces write their constraints in Python; `&& || !` and `c ? a : b` are C's.
 */
import { didYouMean } from '../../model/text/did-you-mean.ts';
import { ExpressionError } from './expression-error.ts';
import { tokenize } from './expression-tokens.ts';
import type { Token } from './expression-tokens.ts';
import { FUNCTIONS } from './expression-tree.ts';
import type {
  ArithmeticOperator,
  Comparison,
  ComparisonOperator,
  FunctionName,
  Tree,
} from './expression-tree.ts';

/** Deepest nesting read: far above what people write, far below what the stack holds. */
const MAX_DEPTH = 100;

const COMPARISONS: readonly string[] = ['<', '<=', '>', '>=', '==', '!='];
const LITERALS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
]);

export function parseExpression(source: string): Tree {
  return new Parser(source).parse();
}

class Parser {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  #position = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
    this.#tokens = tokenize(source);
  }

  parse(): Tree {
    if (this.#isAtEnd()) throw this.#error('an empty formula');
    const tree = this.#choice();
    if (!this.#isAtEnd()) throw this.#unexpected('an operator or the end');
    return tree;
  }

  /** `a if c else b`, `c ? a : b`. */
  #choice(): Tree {
    return this.#nested(() => {
      const first = this.#or();
      const { offset } = this.#next;
      if (this.#take('if')) {
        const condition = this.#or();
        this.#expect('else');
        return { type: 'choice', offset, condition, chosen: first, otherwise: this.#choice() };
      }
      if (this.#take('?')) {
        const chosen = this.#choice();
        this.#expect(':');
        return { type: 'choice', offset, condition: first, chosen, otherwise: this.#choice() };
      }
      return first;
    });
  }

  #or(): Tree {
    let left = this.#and();
    for (;;) {
      const { offset } = this.#next;
      if (!this.#take('or') && !this.#take('||')) return left;
      left = { type: 'logic', offset, operator: 'or', left, right: this.#and() };
    }
  }

  #and(): Tree {
    let left = this.#not();
    for (;;) {
      const { offset } = this.#next;
      if (!this.#take('and') && !this.#take('&&')) return left;
      left = { type: 'logic', offset, operator: 'and', left, right: this.#not() };
    }
  }

  #not(): Tree {
    const { offset } = this.#next;
    if (!this.#take('not')) return this.#comparison();
    return this.#nested(() => ({ type: 'not', offset, operand: this.#not() }));
  }

  #comparison(): Tree {
    const first = this.#sum();
    const rest: Comparison[] = [];
    for (;;) {
      const { text, offset } = this.#next;
      if (this.#isOperator(COMPARISONS)) {
        this.#position++;
        rest.push({ operator: text as ComparisonOperator, offset, right: this.#sum() });
        continue;
      }
      // A list is the end of a chain: nothing here compares with one.
      if (this.#take('in')) {
        rest.push({ operator: 'in', offset, list: this.#list() });
      } else if (this.#take('not')) {
        this.#expect('in');
        rest.push({ operator: 'not in', offset, list: this.#list() });
      }
      const [start] = rest;
      return start === undefined ? first : { type: 'comparison', offset: start.offset, first, rest };
    }
  }

  #sum(): Tree {
    return this.#leftToRight(['+', '-'], () => this.#product());
  }

  #product(): Tree {
    return this.#leftToRight(['*', '/', '//', '%'], () => this.#unary());
  }

  #leftToRight(operators: readonly string[], operand: () => Tree): Tree {
    let left = operand();
    while (this.#isOperator(operators)) {
      const { text, offset } = this.#next;
      this.#position++;
      left = {
        type: 'arithmetic',
        offset,
        operator: text as ArithmeticOperator,
        left,
        right: operand(),
      };
    }
    return left;
  }

  /** `-a ** b` is `-(a ** b)`, and `a ** -b` is allowed. */
  #unary(): Tree {
    const { offset } = this.#next;
    if (this.#take('-')) return this.#nested(() => ({ type: 'negate', offset, operand: this.#unary() }));
    if (this.#take('+')) return this.#nested(() => this.#unary());
    if (this.#take('!')) return this.#nested(() => ({ type: 'not', offset, operand: this.#unary() }));
    return this.#power();
  }

  #power(): Tree {
    const left = this.#atom();
    const { offset } = this.#next;
    if (!this.#take('**')) return left;
    const right = this.#nested(() => this.#unary());
    return { type: 'arithmetic', offset, operator: '**', left, right };
  }

  #atom(): Tree {
    const token = this.#next;
    const { offset, text } = token;
    if (token.type === 'number') {
      this.#position++;
      const value = Number(text);
      if (!Number.isFinite(value)) throw new ExpressionError(this.#source, offset, 'a number too large');
      return { type: 'value', offset, value };
    }
    if (token.type === 'text') {
      this.#position++;
      return { type: 'value', offset, value: text };
    }
    if (this.#take('(')) {
      const inner = this.#choice();
      this.#expect(')');
      return inner;
    }
    if (token.type !== 'name' || ['and', 'or', 'not', 'in', 'if', 'else'].includes(text)) {
      throw this.#unexpected('a number, a name or `(`');
    }
    this.#position++;
    const literal = LITERALS.get(text);
    if (literal !== undefined) return { type: 'value', offset, value: literal };
    if (!this.#take('(')) return { type: 'name', offset, name: text };
    return this.#call(text, offset);
  }

  #call(name: string, offset: number): Tree {
    if (!Object.hasOwn(FUNCTIONS, name)) {
      const known = Object.keys(FUNCTIONS);
      const suggestion = didYouMean(name, known);
      throw new ExpressionError(
        this.#source,
        offset,
        `no function is called \`${name}\`${suggestion} (there are ${known.join(', ')})`,
      );
    }
    const args = this.#sequence(')');
    const { least, most } = FUNCTIONS[name as FunctionName];
    if (args.length < least || args.length > most) {
      const wanted = most === Infinity ? `at least ${least}` : String(most);
      throw new ExpressionError(
        this.#source,
        offset,
        `\`${name}\` takes ${wanted} argument${wanted.endsWith('1') ? '' : 's'}, not ${args.length}`,
      );
    }
    return { type: 'call', offset, name: name as FunctionName, args };
  }

  /** `(1, 2, 3)` or `[1, 2, 3]` after `in`. */
  #list(): Tree[] {
    if (this.#take('(')) return this.#sequence(')');
    if (this.#take('[')) return this.#sequence(']');
    throw this.#unexpected('a list such as (1, 2, 4)');
  }

  #sequence(closing: ')' | ']'): Tree[] {
    const items: Tree[] = [];
    while (!this.#take(closing)) {
      items.push(this.#choice());
      if (!this.#take(',')) {
        this.#expect(closing);
        break;
      }
    }
    return items;
  }

  get #next(): Token {
    // The last token is the end, and nothing steps past it.
    return this.#tokens[this.#position] as Token;
  }

  #isAtEnd(): boolean {
    return this.#next.type === 'end';
  }

  #isOperator(operators: readonly string[]): boolean {
    return this.#next.type === 'operator' && operators.includes(this.#next.text);
  }

  #take(text: string): boolean {
    const { type } = this.#next;
    if ((type !== 'operator' && type !== 'name') || this.#next.text !== text) return false;
    this.#position++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw this.#unexpected(`\`${text}\``);
  }

  #nested<Result>(read: () => Result): Result {
    this.#depth++;
    if (this.#depth > MAX_DEPTH) throw this.#error(`nested more than ${MAX_DEPTH} deep`);
    const result = read();
    this.#depth--;
    return result;
  }

  #unexpected(expected: string): ExpressionError {
    const { type, text } = this.#next;
    const found = type === 'end' ? 'the formula ends' : `\`${text}\` stands`;
    return this.#error(`${found} where ${expected} belongs`);
  }

  #error(reason: string): ExpressionError {
    return new ExpressionError(this.#source, this.#next.offset, reason);
  }
}
