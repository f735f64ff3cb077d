import { describe, expect, it } from 'vitest';

import { Expression } from '../../../src/config/expression/expression.ts';
import type { Value } from '../../../src/config/expression/expression-tree.ts';
import { nextBelow, type Random, Xoshiro128 } from '../../../src/stats/random.ts';
import { type Automaton, buildAutomaton, DEAD } from '../../../src/tune/space/automaton.ts';
import { createSpace } from '../../../src/tune/space/create-space.ts';
import { residualOf } from '../../../src/tune/space/residual.ts';
import { partsOf } from '../../../src/tune/space/rule.ts';
import type { Parameter } from '../../../src/tune/space/space.ts';
import { bruteForce } from './brute-force.ts';

const PARAMETERS: readonly Parameter[] = [
  { name: 'A', kind: 'ordered', values: [0, 1, 2, 3, 8] },
  { name: 'B', kind: 'ordered', values: [-2, 1, 4, 16] },
  { name: 'C', kind: 'ordered', values: [0.5, 1, 1.25, 3] },
  { name: 'D', kind: 'categorical', values: ['x', 'y', 'z'] },
  { name: 'E', kind: 'boolean', values: [false, true] },
];
const CONSTANTS = { K: 12, N: 0 };

/** A random formula of numbers, some of which cannot be computed for some values. */
function numeric(random: Random, depth: number): string {
  const pick = (items: readonly string[]) => items[nextBelow(random, items.length)]!;
  if (depth === 0) return pick(['A', 'B', 'C', 'E', 'K', 'N', '2', '3', '0.25']);
  const inner = () => numeric(random, depth - 1);
  switch (nextBelow(random, 8)) {
    case 0:
      return `(-${inner()})`;
    case 1:
      return `${pick(['min', 'max', 'ceildiv'])}(${inner()}, ${inner()})`;
    case 2:
      return `${pick(['abs', 'ceil', 'floor', 'log2'])}(${inner()})`;
    case 3:
      return `(${inner()} if ${truth(random, depth - 1)} else ${inner()})`;
    default:
      return `(${inner()} ${pick(['+', '+', '-', '*', '*', '/', '//', '%', '**'])} ${inner()})`;
  }
}

function truth(random: Random, depth: number): string {
  const pick = (items: readonly string[]) => items[nextBelow(random, items.length)]!;
  const number = () => numeric(random, Math.max(0, depth - 1));
  if (depth <= 0) return pick(['E', 'D == "x"', 'A > 1', 'D != "y"', 'B']);
  switch (nextBelow(random, 6)) {
    case 0:
      return `(not ${truth(random, depth - 1)})`;
    case 1:
      return `(${truth(random, depth - 1)} ${pick(['and', 'or'])} ${truth(random, depth - 1)})`;
    case 2:
      return `${number()} ${pick(['in', 'not in'])} (${number()}, 2, ${number()})`;
    case 3:
      return `(${number()} ${pick(['<', '<=', '=='])} ${number()} ${pick(['<', '<=', '!='])} ${number()})`;
    default:
      return `(${number()} ${pick(['<', '<=', '>', '>=', '==', '!='])} ${number()})`;
  }
}

/** The points that a machine accepts, by walking all combinations of its parameters. */
function accepted(automaton: Automaton): string[] {
  const points: string[] = [];
  const visit = (level: number, state: number, point: readonly number[]): void => {
    if (state === DEAD) return;
    if (level === automaton.scope.length) {
      points.push(point.join(','));
      return;
    }
    const { length } = PARAMETERS[automaton.scope[level]!]!.values;
    for (let value = 0; value < length; value++) {
      visit(level + 1, automaton.transitions[level]![state * length + value]!, [...point, value]);
    }
  };
  visit(0, 0, []);
  return points;
}

describe('a condition read value by value', () => {
  const random = new Xoshiro128(20);
  const sources = Array.from({ length: 200 }, () => truth(random, 3));

  it('accepts the same points whether combinations are tried or what is left is reasoned about', () => {
    for (const source of sources) {
      const tree = Expression.parse(source).tree;
      for (const part of partsOf({ tree, text: source, constants: CONSTANTS }, PARAMETERS)) {
        if (part.scope.length === 0) continue;
        for (const scope of [part.scope, [...part.scope].reverse()]) {
          const tried = buildAutomaton(part, scope, PARAMETERS);
          const reasoned = buildAutomaton(part, scope, PARAMETERS, residualOf(part, scope, PARAMETERS));
          expect({ source, points: accepted(reasoned!) }).toEqual({ source, points: accepted(tried!) });
        }
      }
    }
  });

  it('in pairs gives the space that trying every combination finds', () => {
    for (let index = 0; index + 1 < 120; index += 2) {
      const options = {
        parameters: PARAMETERS,
        constraints: sources.slice(index, index + 2).map((source) => Expression.parse(source)),
        constants: CONSTANTS,
      };
      const expected = bruteForce(options);
      expect(createSpace(options).all()).toEqual(expected);
      // With hardly any room, conditions are left open and asked of each point.
      expect(createSpace({ ...options, maxEdges: 1 }).all()).toEqual(expected);
    }
  });

  it('has few states where only a sum or a product of what was read matters', () => {
    const parameters: Parameter[] = Array.from({ length: 9 }, (_, index) => ({
      name: `P${index}`,
      kind: 'ordered',
      values: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512] satisfies Value[],
    }));
    const source = parameters.map(({ name }) => name).join(' * ');
    const [part] = partsOf(
      { tree: Expression.parse(`${source} <= 1024`).tree, text: '', constants: {} },
      parameters,
    );
    const automaton = buildAutomaton(
      part!,
      part!.scope,
      parameters,
      residualOf(part!, part!.scope, parameters),
    );
    expect(Math.max(...automaton!.stateCounts)).toBeLessThanOrEqual(11);
  });
});
