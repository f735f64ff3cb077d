import {
  ARITHMETIC,
  CALLS,
  COMPARISONS,
  finite,
  isSame,
  isTrue,
  Uncomputable,
} from '../../config/expression/evaluate-expression.ts';
import type {
  Comparison,
  ComparisonOperator,
  Tree,
  TreeOf,
  Value,
} from '../../config/expression/expression-tree.ts';
import type { Residual } from './automaton.ts';
import {
  arithmeticInterval,
  callInterval,
  decideComparison,
  eitherInterval,
  type Interval,
} from './interval.ts';
import type { Part } from './rule.ts';
import type { Parameter } from './space.ts';

/** A node with a value, one that has none for these values, or one that still depends on unbound parameters. */
type Known = { readonly is: 'value'; readonly value: Value } | { readonly is: 'failed' } | Open;
/** Nodes with the same key come to the same value whatever the unbound parameters are. */
type Open = Interval & { readonly is: 'open'; readonly key: string };

const FAILED: Known = { is: 'failed' };
const BOOLEAN = { low: 0, high: 1, whole: true };

/**
 * What is left of a condition once the first parameters of its scope are bound: sub-formulas without unbound names are
 * replaced by their values, whole terms of sums and factors of products are gathered in one, and comparisons that hold
 * or fail for all that the rest can come to are decided.
 */
export function residualOf(part: Part, scope: readonly number[], parameters: readonly Parameter[]): Residual {
  const places = new Map(scope.map((slot, place) => [parameters[slot]!.name, { slot, place }]));
  const intervals = new Map(scope.map((slot) => [parameters[slot]!.name, valuesInterval(parameters[slot]!)]));
  return (row, bound) => {
    const lookUp = (name: string): Known => {
      const found = places.get(name);
      if (found === undefined) return known(part.rule.constants[name] ?? 0);
      if (found.place < bound) return known(row[found.slot]!);
      return { is: 'open', key: name, ...intervals.get(name)! };
    };
    const answer = new PartialEvaluation(lookUp).truth(part.tree);
    if (answer.is === 'open') return answer.key;
    return answer.is === 'value' && isTrue(answer.value);
  };
}

function valuesInterval({ values }: Parameter): Interval {
  // A text can be compared with a text; with numbers it may fail.
  if (values.some((value) => typeof value === 'string')) {
    return { low: -Infinity, high: Infinity, whole: false, canFail: true };
  }
  const numbers = values.map(Number);
  return {
    low: Math.min(...numbers),
    high: Math.max(...numbers),
    whole: numbers.every((value) => Number.isSafeInteger(value)),
    canFail: false,
  };
}

class PartialEvaluation {
  readonly #lookUp: (name: string) => Known;

  constructor(lookUp: (name: string) => Known) {
    this.#lookUp = lookUp;
  }

  /** Only whether it is true counts: more can be decided than of its value. */
  truth(tree: Tree): Known {
    if (tree.type === 'logic') return this.#truthOfLogic(tree);
    if (tree.type === 'not') {
      const operand = this.truth(tree.operand);
      if (operand.is === 'value') return known(!isTrue(operand.value));
      return operand.is === 'failed'
        ? FAILED
        : open(`!${operand.key}`, { ...BOOLEAN, canFail: operand.canFail });
    }
    if (tree.type === 'comparison') return this.#comparison(tree);
    const value = this.#value(tree);
    if (value.is !== 'open' || value.canFail) return value;
    if (value.low > 0 || value.high < 0) return known(true);
    return value.low === 0 && value.high === 0 ? known(false) : value;
  }

  #truthOfLogic(tree: TreeOf<'logic'>): Known {
    const isAnd = tree.operator === 'and';
    const left = this.truth(tree.left);
    if (left.is === 'failed') return FAILED;
    if (left.is === 'value') return isTrue(left.value) === isAnd ? this.truth(tree.right) : known(!isAnd);
    const right = this.truth(tree.right);
    if (right.is === 'value') {
      if (isTrue(right.value) === isAnd) return left;
      if (!left.canFail) return known(!isAnd);
    }
    const canFail = left.canFail || right.is === 'failed' || (right.is === 'open' && right.canFail);
    return open(`${tree.operator}(${left.key},${keyOf(right)})`, { ...BOOLEAN, canFail });
  }

  /** `a < b < c` is `a < b and b < c`; both are pure. */
  #comparison({ first, rest }: TreeOf<'comparison'>): Known {
    let left = this.#value(first);
    const opens: Open[] = [];
    for (const comparison of rest) {
      const result = this.#compare(left, comparison);
      if (result.is === 'failed') {
        return opens.length === 0
          ? FAILED
          : open(`and(${opens.map(keyOf).join(',')},F)`, { ...BOOLEAN, canFail: true });
      }
      if (result.is === 'open') opens.push(result);
      else if (!isTrue(result.value)) {
        return opens.some(({ canFail }) => canFail)
          ? open(`and(${opens.map(keyOf).join(',')},0)`, { ...BOOLEAN, canFail: true })
          : known(false);
      }
      if ('right' in comparison) left = this.#value(comparison.right);
    }
    if (opens.length === 0) return known(true);
    if (opens.length === 1) return opens[0]!;
    return open(`and(${opens.map(keyOf).join(',')})`, {
      ...BOOLEAN,
      canFail: opens.some(({ canFail }) => canFail),
    });
  }

  #compare(left: Known, comparison: Comparison): Known {
    if ('list' in comparison) {
      const items = comparison.list.map((item) => this.#value(item));
      const all = [left, ...items];
      if (all.some(({ is }) => is === 'failed')) return FAILED;
      if (left.is === 'value' && items.every((item) => item.is === 'value')) {
        const isIn = items.some((item) => isSame(left.value, item.value));
        return known(isIn === (comparison.operator === 'in'));
      }
      return open(`${comparison.operator}(${all.map(keyOf).join(',')})`, {
        ...BOOLEAN,
        canFail: all.some((one) => one.is === 'open' && one.canFail),
      });
    }
    return compareKnown(comparison.operator, left, this.#value(comparison.right));
  }

  #value(tree: Tree): Known {
    switch (tree.type) {
      case 'value':
        return known(tree.value);
      case 'name':
        return this.#lookUp(tree.name);
      case 'not':
      case 'comparison':
        return this.truth(tree);
      case 'negate':
        return this.#arithmetic('-', known(0), this.#value(tree.operand));
      case 'logic': {
        const left = this.#value(tree.left);
        if (left.is === 'failed') return FAILED;
        if (left.is === 'value') {
          return isTrue(left.value) === (tree.operator === 'and') ? this.#value(tree.right) : left;
        }
        const right = this.#value(tree.right);
        return open(`${tree.operator}(${left.key},${keyOf(right)})`, eitherOf([left, right]));
      }
      case 'choice': {
        const condition = this.truth(tree.condition);
        if (condition.is === 'failed') return FAILED;
        if (condition.is === 'value')
          return this.#value(isTrue(condition.value) ? tree.chosen : tree.otherwise);
        const branches = [this.#value(tree.chosen), this.#value(tree.otherwise)];
        const interval = eitherOf(branches);
        return open(`?(${condition.key},${branches.map(keyOf).join(',')})`, {
          ...interval,
          canFail: interval.canFail || condition.canFail,
        });
      }
      case 'arithmetic':
        if (tree.operator === '+' || tree.operator === '-' || tree.operator === '*')
          return this.#gathered(tree);
        return this.#arithmetic(tree.operator, this.#value(tree.left), this.#value(tree.right));
      case 'call':
        break;
    }
    const args = tree.args.map((argument) => this.#value(argument));
    if (args.some((argument) => argument.is === 'failed' || isText(argument))) return FAILED;
    const values = args.flatMap((argument) => (argument.is === 'value' ? [Number(argument.value)] : []));
    if (values.length === args.length) return computed(() => CALLS[tree.name](values));
    return open(`${tree.name}(${args.map(keyOf).join(',')})`, callInterval(tree.name, args.map(intervalOf)));
  }

  /** Sums and products of whole numbers are the same in any order, so what is bound in them is one number. */
  #gathered(tree: TreeOf<'arithmetic'>): Known {
    const isSum = tree.operator !== '*';
    const terms: { readonly minus: boolean; readonly term: Known }[] = [];
    const collect = (node: Tree, minus: boolean): void => {
      if (
        node.type === 'arithmetic' &&
        (isSum ? node.operator === '+' || node.operator === '-' : node.operator === '*')
      ) {
        collect(node.left, minus);
        collect(node.right, minus !== (node.operator === '-'));
      } else terms.push({ minus, term: this.#value(node) });
    };
    collect(tree, false);
    if (terms.some(({ term }) => term.is === 'failed' || isText(term))) return FAILED;
    const intervals = terms.map(({ term }) => intervalOf(term));
    const size = intervals
      .map(({ low, high }) => Math.max(Math.abs(low), Math.abs(high), 1))
      .reduce((all, one) => (isSum ? all + one : all * one));
    if (!intervals.every(({ whole }) => whole) || !(size < Number.MAX_SAFE_INTEGER)) {
      return this.#arithmetic(tree.operator, this.#value(tree.left), this.#value(tree.right));
    }
    const start = isSum ? 0 : 1;
    let bound = start;
    const keys: string[] = [];
    let interval: Interval = { low: start, high: start, whole: true, canFail: false };
    for (const [index, { minus, term }] of terms.entries()) {
      const operator = isSum ? (minus ? '-' : '+') : '*';
      interval = arithmeticInterval(operator, interval, intervals[index]!);
      if (term.is === 'value') bound = ARITHMETIC[operator](bound, Number(term.value));
      else keys.push(`${minus ? '-' : ''}${keyOf(term)}`);
    }
    return keys.length === 0
      ? known(bound)
      : open(`${tree.operator === '*' ? '*' : '+'}(${bound},${keys.join(',')})`, interval);
  }

  #arithmetic(operator: TreeOf<'arithmetic'>['operator'], left: Known, right: Known): Known {
    if (left.is === 'failed' || right.is === 'failed' || isText(left) || isText(right)) return FAILED;
    if (left.is === 'value' && right.is === 'value') {
      return computed(() => ARITHMETIC[operator](Number(left.value), Number(right.value)));
    }
    return open(
      `${operator}(${keyOf(left)},${keyOf(right)})`,
      arithmeticInterval(operator, intervalOf(left), intervalOf(right)),
    );
  }
}

function compareKnown(operator: ComparisonOperator, left: Known, right: Known): Known {
  if (left.is === 'failed' || right.is === 'failed') return FAILED;
  if (left.is === 'value' && right.is === 'value') {
    return computed(() => COMPARISONS[operator](left.value, right.value));
  }
  const a = intervalOf(left);
  const b = intervalOf(right);
  const decided = decideComparison(operator, a, b);
  if (decided !== undefined) return known(decided);
  return open(`${operator}(${keyOf(left)},${keyOf(right)})`, { ...BOOLEAN, canFail: a.canFail || b.canFail });
}

function known(value: Value): Known {
  return { is: 'value', value };
}

function open(key: string, interval: Interval): Open {
  return { is: 'open', key, ...interval };
}

function computed(compute: () => Value): Known {
  try {
    const value = compute();
    return known(typeof value === 'number' ? finite(value) : value);
  } catch (error) {
    if (error instanceof Uncomputable) return FAILED;
    throw error;
  }
}

function isText(one: Known): boolean {
  return one.is === 'value' && typeof one.value === 'string';
}

/** A value is written so that no name and no other value reads the same. */
function keyOf(one: Known): string {
  if (one.is === 'open') return one.key;
  return one.is === 'failed' ? 'F' : JSON.stringify(one.value);
}

function intervalOf(one: Known): Interval {
  if (one.is === 'open') return one;
  if (one.is === 'failed' || typeof one.value === 'string') {
    return { low: -Infinity, high: Infinity, whole: false, canFail: true };
  }
  const value = Number(one.value);
  return { low: value, high: value, whole: Number.isSafeInteger(value), canFail: false };
}

function eitherOf(all: readonly Known[]): Interval {
  return all.map(intervalOf).reduce(eitherInterval);
}
