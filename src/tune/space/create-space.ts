import type { Expression } from '../../config/expression.ts';
import type { TunableValue, Variant } from '../../model/variant.ts';
import { Xoshiro128 } from '../../stats/random.ts';
import type { Random } from '../../stats/random.ts';
import { type Automaton, buildAutomaton, DEAD } from './automaton.ts';
import { Diagram } from './diagram.ts';
import { FeasibleSpace } from './feasible-space.ts';
import { parameterOrder } from './parameter-order.ts';
import { type Part, partsOf, type Rule, rulesOf, type SpaceParameter } from './rule.ts';
import type { Parameter } from './space.ts';

export interface CreateSpaceOptions {
  readonly parameters: readonly SpaceParameter[];
  readonly constraints?: readonly Expression[];
  /** Values of names that are no parameters: dimensions of a case, limits of a device. */
  readonly constants?: Readonly<Record<string, number>>;
  /** Where a parameter stays that does not apply; its first value unless given. */
  readonly defaults?: Variant;
  /** Draws that estimate the size where it cannot be counted. */
  readonly random?: Random;
  /** Edges of the diagram at most; for tests. */
  readonly maxEdges?: number;
}

/**
 * The space of what satisfies every constraint, without walking the product of all values.
 *
 * @throws {Uncomputable} for a constraint with a name that is neither a parameter nor a constant
 */
export function createSpace(options: CreateSpaceOptions): FeasibleSpace {
  const { parameters, constraints = [], constants = {}, defaults = {} } = options;
  const defaultOf = ({ name, values }: Parameter): TunableValue =>
    (Object.hasOwn(defaults, name) ? defaults[name] : undefined) ?? values[0]!;
  const rules = rulesOf(parameters, constraints, defaultOf);
  const { diagram, order, open } = buildDiagram(parameters, rules, constants, options.maxEdges);
  return new FeasibleSpace({
    parameters,
    constraints,
    constants,
    diagram,
    order,
    open,
    random: options.random ?? new Xoshiro128(1),
  });
}

interface BuiltDiagram {
  readonly diagram: Diagram;
  readonly order: readonly number[];
  readonly open: readonly Part[];
}

function buildDiagram(
  parameters: readonly Parameter[],
  rules: readonly Rule[],
  constants: Readonly<Record<string, number>>,
  maxEdges?: number,
): BuiltDiagram {
  const parts = rules.flatMap((rule) => partsOf(rule, { parameters, constants }));
  const order = parameterOrder(parameters.length, parts);
  const place = new Map(order.map((parameter, index) => [parameter, index]));
  const read: Part[] = [];
  const automata: Automaton[] = [];
  const open: Part[] = [];
  for (const part of parts) {
    const scope = [...part.scope].sort((a, b) => place.get(a)! - place.get(b)!);
    const automaton = automatonOf(part, scope, parameters);
    if (automaton === undefined) open.push(part);
    else {
      read.push(part);
      automata.push(automaton);
    }
  }
  const widths = parameters.map(({ values }) => values.length);
  const diagram = new Diagram({ widths, order, automata, ...(maxEdges !== undefined && { maxEdges }) });
  return { diagram, order, open: [...open, ...read.filter((_, index) => diagram.open.has(index))] };
}

function automatonOf(
  part: Part,
  scope: readonly number[],
  parameters: readonly Parameter[],
): Automaton | undefined {
  if (scope.length > 0) return buildAutomaton(part, scope, parameters);
  if (parameters.length === 0) return undefined;
  // Without a parameter it holds for all points or for none; the first parameter read says which.
  const { length } = parameters[0]!.values;
  const first = part.holds([]) ? 0 : DEAD;
  return { scope: [0], transitions: [new Int32Array(length).fill(first)], stateCounts: [1] };
}
