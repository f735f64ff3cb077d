import { compileTree } from '../../config/compile-expression.ts';
import { isTrue, Uncomputable } from '../../config/evaluate-expression.ts';
import type { Expression } from '../../config/expression.ts';
import type { Tree, Value } from '../../config/expression-tree.ts';
import type { TunableValue } from '../../model/variant.ts';
import type { Parameter } from './space.ts';

/** A tunable of a space; `when` is false: it does not apply, and stays at its default. */
export interface SpaceParameter extends Parameter {
  readonly when?: Expression;
}

/** Something that every point satisfies, and where it was written. */
export interface Rule {
  readonly tree: Tree;
  readonly source:
    | { readonly constraint: Expression }
    | { readonly when: Expression; readonly parameter: string };
}

/** One of the conditions that a rule joins by `and`: smaller ones are decided earlier. */
export interface Part {
  readonly rule: Rule;
  readonly tree: Tree;
  /** Parameters that it names, by index, in the order in which they are bound. */
  readonly scope: readonly number[];
  /** Values by parameter. What cannot be computed does not hold. */
  readonly holds: (row: readonly Value[]) => boolean;
}

/** The constraints, and for each tunable with a condition: it applies, or is at its default. */
export function rulesOf(
  parameters: readonly SpaceParameter[],
  constraints: readonly Expression[],
  defaultOf: (parameter: Parameter) => TunableValue,
): Rule[] {
  const conditions = parameters.flatMap((parameter): Rule[] => {
    const { name, when } = parameter;
    if (when === undefined) return [];
    const isDefault: Tree = {
      type: 'comparison',
      offset: 0,
      first: { type: 'name', offset: 0, name },
      rest: [{ operator: '==', offset: 0, right: { type: 'value', offset: 0, value: defaultOf(parameter) } }],
    };
    const tree: Tree = { type: 'logic', offset: 0, operator: 'or', left: when.tree, right: isDefault };
    return [{ tree, source: { when, parameter: name } }];
  });
  return [
    ...constraints.map((constraint): Rule => ({ tree: constraint.tree, source: { constraint } })),
    ...conditions,
  ];
}

export interface Binder {
  readonly parameters: readonly Parameter[];
  readonly constants: Readonly<Record<string, number>>;
}

/** @throws {Uncomputable} for a name that is neither a parameter nor a constant */
export function partsOf(rule: Rule, { parameters, constants }: Binder): Part[] {
  const slots = new Map(parameters.map(({ name }, slot) => [name, slot]));
  return conjuncts(rule.tree).map((tree) => {
    const scope = new Set<number>();
    const compiled = compileTree(tree, (name) => {
      const slot = slots.get(name);
      if (slot !== undefined) {
        scope.add(slot);
        return { slot };
      }
      const value = Object.hasOwn(constants, name) ? constants[name] : undefined;
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
