import { Expression } from '../../config/expression/expression.ts';
import type { TunableValue, Variant } from '../../model/problem/variant.ts';
import { Xoshiro128 } from '../../stats/random.ts';
import type { Random } from '../../stats/random.ts';
import { FeasibleSpace } from './feasible-space.ts';
import { diagramOf, readRules } from './read-rules.ts';
import {
  type Constants,
  type NamedConstraint,
  rulesOf,
  type SpaceCase,
  type SpaceParameter,
} from './rule.ts';
import type { Parameter } from './space.ts';

export interface CreateSpaceOptions {
  readonly parameters: readonly SpaceParameter[];
  readonly constraints?: readonly (Expression | NamedConstraint)[];
  /** Values of names that are not parameters: dimensions of a case, limits of a device. */
  readonly constants?: Constants;
  /** Where a constraint names one of their dimensions, it has to hold in each. */
  readonly cases?: readonly SpaceCase[];
  /** Where a parameter stays that does not apply; its first value unless given. */
  readonly defaults?: Variant;
  /** Draws that estimate the size where it cannot be counted. */
  readonly random?: Random;
  /** Edges of the diagram at most: memory and time against exactness. */
  readonly maxEdges?: number;
}

/**
 * The space of what satisfies every constraint, without walking the product of all values.
 *
 * @throws {Uncomputable} for a constraint with a name that is neither a parameter nor a constant
 */
export function createSpace(options: CreateSpaceOptions): FeasibleSpace {
  const { parameters, constraints = [], constants = {}, cases = [], defaults = {} } = options;
  const named = constraints.map((constraint) =>
    constraint instanceof Expression
      ? { expression: constraint, text: `\`${constraint.source}\`` }
      : constraint,
  );
  const defaultOf = ({ name, values }: Parameter): TunableValue =>
    (Object.hasOwn(defaults, name) ? defaults[name] : undefined) ?? values[0]!;
  const rules = rulesOf({ parameters, constraints: named, constants, cases, defaultOf });
  const read = readRules(parameters, rules);
  const { diagram, open } = diagramOf(read, read.rules, options.maxEdges);
  return new FeasibleSpace({
    read,
    constraints: named.map(({ expression }) => expression),
    constants: { ...constants, ...cases[0]?.dims },
    diagram,
    open,
    random: options.random ?? new Xoshiro128(1),
  });
}
