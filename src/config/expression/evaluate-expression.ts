import { ExpressionError } from './expression-error.ts';
import type {
  ArithmeticOperator,
  ComparisonOperator,
  FunctionName,
  Tree,
  TreeOf,
  Value,
} from './expression-tree.ts';

/** Values by name. Only a scope's own properties count, so that no name reaches into Object.prototype. */
export type Scope = Readonly<Record<string, Value>>;

/** Why a node has no value; the caller knows where in the text it stands. */
export class Uncomputable extends Error {}

export function evaluateTree(tree: Tree, scope: Scope, source: string): Value {
  return new Evaluation(scope, source).evaluate(tree);
}

/** As in Python: zero and the empty text are false. */
export function isTrue(value: Value): boolean {
  return value !== 0 && value !== false && value !== '';
}

class Evaluation {
  readonly #scope: Scope;
  readonly #source: string;

  constructor(scope: Scope, source: string) {
    this.#scope = scope;
    this.#source = source;
  }

  evaluate(tree: Tree): Value {
    try {
      return this.#compute(tree);
    } catch (error) {
      if (error instanceof Uncomputable) throw new ExpressionError(this.#source, tree.offset, error.message);
      throw error;
    }
  }

  #compute(tree: Tree): Value {
    switch (tree.type) {
      case 'value':
        return tree.value;
      case 'name':
        return this.#lookUp(tree.name);
      case 'negate':
        return finite(-asNumber(this.evaluate(tree.operand), '-'));
      case 'not':
        return !isTrue(this.evaluate(tree.operand));
      case 'logic': {
        const left = this.evaluate(tree.left);
        return isTrue(left) === (tree.operator === 'and') ? this.evaluate(tree.right) : left;
      }
      case 'choice':
        return this.evaluate(isTrue(this.evaluate(tree.condition)) ? tree.chosen : tree.otherwise);
      case 'arithmetic': {
        const left = asNumber(this.evaluate(tree.left), tree.operator);
        const right = asNumber(this.evaluate(tree.right), tree.operator);
        return finite(ARITHMETIC[tree.operator](left, right));
      }
      case 'comparison':
        return this.#compare(tree);
      case 'call':
        break;
    }
    const args = tree.args.map((argument) => asNumber(this.evaluate(argument), tree.name));
    return finite(CALLS[tree.name](args));
  }

  #lookUp(name: string): Value {
    const value = Object.hasOwn(this.#scope, name) ? this.#scope[name] : undefined;
    if (value === undefined) throw new Uncomputable(`\`${name}\` has no value`);
    return value;
  }

  #compare(tree: TreeOf<'comparison'>): boolean {
    let left = this.evaluate(tree.first);
    for (const comparison of tree.rest) {
      if ('list' in comparison) {
        const items = comparison.list.map((item) => this.evaluate(item));
        const isIn = items.some((item) => isSame(left, item));
        if (isIn !== (comparison.operator === 'in')) return false;
      } else {
        const right = this.evaluate(comparison.right);
        if (!COMPARISONS[comparison.operator](left, right)) return false;
        left = right;
      }
    }
    return true;
  }
}

export const ARITHMETIC: Readonly<Record<ArithmeticOperator, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / divisor(right),
  '//': (left, right) => floorDivide(left, divisor(right)),
  '%': (left, right) => modulo(left, divisor(right)),
  '**': (left, right) => (right < 0 ? divisor(left) : left) ** right,
};

export const COMPARISONS: Readonly<Record<ComparisonOperator, (left: Value, right: Value) => boolean>> = {
  '==': isSame,
  '!=': (left, right) => !isSame(left, right),
  '<': (left, right) => order(left, right, '<') < 0,
  '<=': (left, right) => order(left, right, '<=') <= 0,
  '>': (left, right) => order(left, right, '>') > 0,
  '>=': (left, right) => order(left, right, '>=') >= 0,
};

/** The parser has counted the arguments. */
export const CALLS: Readonly<Record<FunctionName, (args: readonly number[]) => number>> = {
  min: (args) => Math.min(...args),
  max: (args) => Math.max(...args),
  ceil: ([value = 0]) => Math.ceil(value),
  floor: ([value = 0]) => Math.floor(value),
  abs: ([value = 0]) => Math.abs(value),
  log2: ([value = 0]) => {
    if (value <= 0) throw new Uncomputable(`log2 of ${value}`);
    return Math.log2(value);
  },
  sqrt: ([value = 0]) => {
    if (value < 0) throw new Uncomputable(`sqrt of ${value}`);
    return Math.sqrt(value);
  },
  ceildiv: ([left = 0, right = 0]) => -floorDivide(-left, divisor(right)),
};

/** As in Python: `True == 1`, and a text never equals a number. */
export function isSame(left: Value, right: Value): boolean {
  if (typeof left === 'string' || typeof right === 'string') return left === right;
  return Number(left) === Number(right);
}

/** Negative, zero or positive. Not a difference: that could overflow. */
function order(left: Value, right: Value, operator: string): number {
  const areTexts = typeof left === 'string' && typeof right === 'string';
  const a = areTexts ? left : asNumber(left, operator);
  const b = areTexts ? right : asNumber(right, operator);
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Python's remainder has the sign of the divisor; JavaScript's that of the dividend. */
function modulo(left: number, right: number): number {
  const remainder = left % right;
  return remainder !== 0 && remainder < 0 !== right < 0 ? remainder + right : remainder;
}

/** Through the remainder, as CPython does: the floor of a quotient that was rounded up is one too many. */
function floorDivide(left: number, right: number): number {
  return Math.round((left - modulo(left, right)) / right);
}

function divisor(value: number): number {
  if (value === 0) throw new Uncomputable('division by zero');
  return value;
}

export function asNumber(value: Value, operator: string): number {
  if (typeof value === 'string') throw new Uncomputable(`\`${operator}\` needs numbers, not a text,`);
  return Number(value);
}

export function finite(value: number): number {
  if (Number.isNaN(value)) throw new Uncomputable('a result that is not a real number');
  if (!Number.isFinite(value)) throw new Uncomputable('a result too large for a number');
  // -0 prints as 0 and is found equal to it, but is not the same to Object.is.
  return value === 0 ? 0 : value;
}
