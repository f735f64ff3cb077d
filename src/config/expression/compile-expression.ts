import {
  ARITHMETIC,
  asNumber,
  CALLS,
  COMPARISONS,
  finite,
  isSame,
  isTrue,
  Uncomputable,
} from './evaluate-expression.ts';
import type { Comparison, Tree, TreeOf, Value } from './expression-tree.ts';

/** A formula as nested functions over a row of values: for spaces, which compute one millions of times. */
export type Compiled = (row: readonly Value[]) => Value;

/** Where a name's value stands in a row, or the value itself where it is the same for every row. */
export type Binding = { readonly slot: number } | { readonly value: Value };

/**
 * Means what `evaluateTree` means. An `Uncomputable` is thrown where that throws an ExpressionError.
 *
 * @param bind undefined for a name without a value
 */
export function compileTree(tree: Tree, bind: (name: string) => Binding | undefined): Compiled {
  const compile = (node: Tree) => compileTree(node, bind);
  switch (tree.type) {
    case 'value': {
      const { value } = tree;
      return () => value;
    }
    case 'name': {
      const binding = bind(tree.name);
      if (binding === undefined) throw new Uncomputable(`\`${tree.name}\` has no value`);
      if ('value' in binding) return () => binding.value;
      const { slot } = binding;
      return (row) => row[slot]!;
    }
    case 'negate': {
      const operand = compile(tree.operand);
      return (row) => finite(-asNumber(operand(row), '-'));
    }
    case 'not': {
      const operand = compile(tree.operand);
      return (row) => !isTrue(operand(row));
    }
    case 'logic': {
      const left = compile(tree.left);
      const right = compile(tree.right);
      const isAnd = tree.operator === 'and';
      return (row) => {
        const first = left(row);
        return isTrue(first) === isAnd ? right(row) : first;
      };
    }
    case 'choice': {
      const condition = compile(tree.condition);
      const chosen = compile(tree.chosen);
      const otherwise = compile(tree.otherwise);
      return (row) => (isTrue(condition(row)) ? chosen(row) : otherwise(row));
    }
    case 'arithmetic': {
      const { operator } = tree;
      const left = compile(tree.left);
      const right = compile(tree.right);
      const compute = ARITHMETIC[operator];
      return (row) => finite(compute(asNumber(left(row), operator), asNumber(right(row), operator)));
    }
    case 'comparison':
      return compileComparison(tree, compile);
    case 'call':
      break;
  }
  const { name } = tree;
  const args = tree.args.map(compile);
  return (row) => finite(CALLS[name](args.map((argument) => asNumber(argument(row), name))));
}

function compileComparison(tree: TreeOf<'comparison'>, compile: (node: Tree) => Compiled): Compiled {
  const first = compile(tree.first);
  const [only] = tree.rest;
  if (tree.rest.length === 1 && only !== undefined && 'right' in only) {
    const right = compile(only.right);
    const compare = COMPARISONS[only.operator];
    return (row) => compare(first(row), right(row));
  }
  const steps = tree.rest.map((comparison) => compileStep(comparison, compile));
  return (row) => {
    let left = first(row);
    for (const step of steps) {
      const next = step(left, row);
      if (next === undefined) return false;
      left = next;
    }
    return true;
  };
}

/** The right-hand side where the comparison holds: the left-hand side of the next in the chain. */
type Step = (left: Value, row: readonly Value[]) => Value | undefined;

function compileStep(comparison: Comparison, compile: (node: Tree) => Compiled): Step {
  if ('list' in comparison) {
    const items = comparison.list.map(compile);
    const wanted = comparison.operator === 'in';
    return (left, row) => {
      // Every item is computed first, as the evaluator does: one that cannot be computed is never skipped.
      const found = items.map((item) => item(row)).some((item) => isSame(left, item));
      return found === wanted ? left : undefined;
    };
  }
  const right = compile(comparison.right);
  const compare = COMPARISONS[comparison.operator];
  return (left, row) => {
    const value = right(row);
    return compare(left, value) ? value : undefined;
  };
}
