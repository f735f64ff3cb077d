import { type Automaton, buildAutomaton, DEAD } from './automaton.ts';
import { Diagram } from './diagram.ts';
import { parameterOrder } from './parameter-order.ts';
import { residualOf } from './residual.ts';
import { type Part, partsOf, type Rule } from './rule.ts';
import type { Parameter } from './space.ts';

/** A rule's parts, each with the machine that decides it; undefined where that would be too large. */
export interface ReadRule {
  readonly rule: Rule;
  readonly parts: readonly { readonly part: Part; readonly automaton: Automaton | undefined }[];
}

export interface ReadRules {
  readonly parameters: readonly Parameter[];
  /** In which parameters are bound. */
  readonly order: readonly number[];
  readonly rules: readonly ReadRule[];
}

/** @throws {Uncomputable} for a name that is neither a parameter nor a constant */
export function readRules(parameters: readonly Parameter[], rules: readonly Rule[]): ReadRules {
  const parts = rules.map((rule) => partsOf(rule, parameters));
  const order = parameterOrder(parameters.length, parts.flat());
  const place = new Map(order.map((parameter, index) => [parameter, index]));
  return {
    parameters,
    order,
    rules: rules.map((rule, index) => ({
      rule,
      parts: parts[index]!.map((part) => {
        const scope = [...part.scope].sort((a, b) => place.get(a)! - place.get(b)!);
        return { part, automaton: automatonOf(part, scope, parameters) };
      }),
    })),
  };
}

/** The diagram of some of the rules that were read, and the parts that it leaves open. */
export function diagramOf(
  { parameters, order }: ReadRules,
  rules: readonly ReadRule[],
  maxEdges?: number,
): { readonly diagram: Diagram; readonly open: readonly Part[] } {
  const parts = rules.flatMap((rule) => rule.parts);
  const decided = parts.filter(({ automaton }) => automaton !== undefined);
  const diagram = new Diagram({
    widths: parameters.map(({ values }) => values.length),
    order,
    automata: decided.flatMap(({ automaton }) => automaton ?? []),
    ...(maxEdges !== undefined && { maxEdges }),
  });
  const open = [
    ...parts.filter(({ automaton }) => automaton === undefined),
    ...decided.filter((_, index) => diagram.open.has(index)),
  ];
  return { diagram, open: open.map(({ part }) => part) };
}

function automatonOf(
  part: Part,
  scope: readonly number[],
  parameters: readonly Parameter[],
): Automaton | undefined {
  if (scope.length > 0) {
    return (
      buildAutomaton(part, scope, parameters) ??
      buildAutomaton(part, scope, parameters, residualOf(part, scope, parameters))
    );
  }
  if (parameters.length === 0) return undefined;
  // Without a parameter it holds for all points or for none; the first parameter read says which.
  const { length } = parameters[0]!.values;
  const first = part.holds([]) ? 0 : DEAD;
  return { scope: [0], transitions: [new Int32Array(length).fill(first)], stateCounts: [1] };
}
