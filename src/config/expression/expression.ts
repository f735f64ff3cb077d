import { evaluateTree, isTrue } from './evaluate-expression.ts';
import type { Scope } from './evaluate-expression.ts';
import { ExpressionError } from './expression-error.ts';
import type { Comparison, Tree, Value } from './expression-tree.ts';
import { parseExpression } from './parse-expression.ts';

export interface NameUse {
  readonly name: string;
  /** Where the name first stands in the text. */
  readonly offset: number;
}

/** A formula over dimensions or tunables, parsed once and computed many times. */
export class Expression {
  readonly source: string;
  /** Each name the formula uses, once, in the order of the text. */
  readonly names: readonly NameUse[];
  readonly tree: Tree;

  private constructor(source: string, tree: Tree) {
    this.source = source;
    this.tree = tree;
    this.names = namesIn(tree);
  }

  /** @throws {ExpressionError} saying where the text stops making sense */
  static parse(source: string): Expression {
    return new Expression(source, parseExpression(source));
  }

  /** @throws {ExpressionError} on a name without a value, a division by zero, a result that is not finite */
  evaluate(scope: Scope): Value {
    return evaluateTree(this.tree, scope, this.source);
  }

  /** @throws {ExpressionError} as `evaluate`, and when the result is not a number */
  evaluateNumber(scope: Scope): number {
    const value = this.evaluate(scope);
    if (typeof value === 'string') throw new ExpressionError(this.source, 0, 'a text where a number belongs');
    return Number(value);
  }

  /** Whether a constraint holds. @throws {ExpressionError} as `evaluate` */
  holds(scope: Scope): boolean {
    return isTrue(this.evaluate(scope));
  }
}

function namesIn(tree: Tree): NameUse[] {
  const offsets = new Map<string, number>();
  const pending: Tree[] = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === 'name') {
      offsets.set(node.name, Math.min(node.offset, offsets.get(node.name) ?? Infinity));
    }
    pending.push(...children(node));
  }
  return [...offsets].map(([name, offset]) => ({ name, offset })).sort((a, b) => a.offset - b.offset);
}

/** What a formula is directly made of. */
export function children(tree: Tree): readonly Tree[] {
  switch (tree.type) {
    case 'value':
    case 'name':
      return [];
    case 'negate':
    case 'not':
      return [tree.operand];
    case 'arithmetic':
    case 'logic':
      return [tree.left, tree.right];
    case 'choice':
      return [tree.condition, tree.chosen, tree.otherwise];
    case 'call':
      return tree.args;
    case 'comparison':
      break;
  }
  return [tree.first, ...tree.rest.flatMap(operands)];
}

function operands(comparison: Comparison): readonly Tree[] {
  return 'right' in comparison ? [comparison.right] : comparison.list;
}
