import type { Expression } from '../../../src/config/expression/expression.ts';
import { ExpressionError } from '../../../src/config/expression/expression-error.ts';
import type { TunableValue } from '../../../src/model/problem/variant.ts';
import type { Parameter } from '../../../src/tune/space/space.ts';

/** Every feasible point, by trying all combinations with the tree-walking evaluator. */
export function bruteForce(options: {
  readonly parameters: readonly Parameter[];
  readonly constraints: readonly Expression[];
  readonly constants?: Readonly<Record<string, number>>;
}): number[][] {
  const { parameters, constraints, constants = {} } = options;
  const points: number[][] = [];
  const visit = (point: number[], scope: Record<string, TunableValue>): void => {
    const parameter = parameters[point.length];
    if (parameter === undefined) {
      if (constraints.every((constraint) => holds(constraint, { ...constants, ...scope })))
        points.push(point);
      return;
    }
    for (const [index, value] of parameter.values.entries()) {
      visit([...point, index], { ...scope, [parameter.name]: value });
    }
  };
  visit([], {});
  return points;
}

function holds(constraint: Expression, scope: Readonly<Record<string, TunableValue>>): boolean {
  try {
    return constraint.holds(scope);
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}
