import { compileTree } from '../../config/expression/compile-expression.ts';
import { isTrue, Uncomputable } from '../../config/expression/evaluate-expression.ts';
import type { Expression } from '../../config/expression/expression.ts';
import type { Tree, Value } from '../../config/expression/expression-tree.ts';
import type { TunableValue } from '../../model/problem/variant.ts';
import type { Parameter } from './space.ts';

/** A tunable of a space; where `when` is false, it does not apply and stays at its default. */
export interface SpaceParameter extends Parameter {
  readonly when?: Expression;
}

export type Constants = Readonly<Record<string, number>>;

/** Something that every point satisfies. */
export interface Rule {
  readonly tree: Tree;
  /** What it says, for people. */
  readonly text: string;
  readonly constants: Constants;
}

/** One of the conditions that a rule joins by `and`: smaller ones are decided earlier. */
export interface Part {
  readonly rule: Rule;
  readonly tree: Tree;
  /** Parameters that it names, by index. */
  readonly scope: readonly number[];
  /** Values by parameter. What cannot be computed does not hold. */
  readonly holds: (row: readonly Value[]) => boolean;
}

/** A constraint, and what to call it instead of its source. */
export interface NamedConstraint {
  readonly expression: Expression;
  readonly text: string;
}

/** A case: values of dimensions, in which constraints that name one of them have to hold. */
export interface SpaceCase {
  readonly name: string;
  readonly dims: Constants;
}

/** The constraints in each case, and for each tunable with a condition: it applies, or is at its default. */
export function rulesOf(options: {
  readonly parameters: readonly SpaceParameter[];
  readonly constraints: readonly NamedConstraint[];
  readonly constants: Constants;
  readonly cases: readonly SpaceCase[];
  readonly defaultOf: (parameter: Parameter) => TunableValue;
}): Rule[] {
  const { parameters, constraints, constants, cases, defaultOf } = options;
  const names = new Set(parameters.map(({ name }) => name));
  const constrained = constraints.flatMap(({ expression, text }): Rule[] => {
    const { tree } = expression;
    const isPerCase = expression.names.some(
      ({ name }) => !names.has(name) && cases.some(({ dims }) => Object.hasOwn(dims, name)),
    );
    if (!isPerCase) return [{ tree, text, constants }];
    return cases.map(({ name, dims }) => ({
      tree,
      text: cases.length === 1 ? text : `${text} in case ${name}`,
      constants: { ...constants, ...dims },
    }));
  });
  const conditions = parameters.flatMap((parameter): Rule[] => {
    const { name, when } = parameter;
    if (when === undefined) return [];
    const standard = defaultOf(parameter);
    const isDefault: Tree = {
      type: 'comparison',
      offset: 0,
      first: { type: 'name', offset: 0, name },
      rest: [{ operator: '==', offset: 0, right: { type: 'value', offset: 0, value: standard } }],
    };
    const tree: Tree = { type: 'logic', offset: 0, operator: 'or', left: when.tree, right: isDefault };
    return [{ tree, text: `${name} stays at ${String(standard)} unless \`${when.source}\``, constants }];
  });
  return [...constrained, ...conditions];
}

/** @throws {Uncomputable} for a name that is neither a parameter nor a constant */
export function partsOf(rule: Rule, parameters: readonly Parameter[]): Part[] {
  const slots = new Map(parameters.map(({ name }, slot) => [name, slot]));
  return conjuncts(rule.tree).map((tree) => {
    const scope = new Set<number>();
    const compiled = compileTree(tree, (name) => {
      const slot = slots.get(name);
      if (slot !== undefined) {
        scope.add(slot);
        return { slot };
      }
      const value = Object.hasOwn(rule.constants, name) ? rule.constants[name] : undefined;
      return value === undefined ? undefined : { value };
    });
    const holds = (row: readonly Value[]): boolean => {
      try {
        return isTrue(compiled(row));
      } catch (error) {
        if (error instanceof Uncomputable) return false;
        throw error;
      }
    };
    return { rule, tree, scope: [...scope].sort((a, b) => a - b), holds };
  });
}

function conjuncts(tree: Tree): Tree[] {
  return tree.type === 'logic' && tree.operator === 'and'
    ? [...conjuncts(tree.left), ...conjuncts(tree.right)]
    : [tree];
}
