import type { Value } from '../../config/expression/expression-tree.ts';
import type { Part } from './rule.ts';
import type { Parameter } from './space.ts';

/** No point that begins like this satisfies the condition. */
export const DEAD = -1;

/**
 * One condition as a machine that reads the values of its parameters in a fixed order. Beginnings that leave the same
 * question open are one state, so a state is all that needs to be known of the values read so far.
 */
export interface Automaton {
  /** Its parameters, in the order in which they are read. */
  readonly scope: readonly number[];
  /** For each parameter, by `state * values + value`: the next state, or DEAD. The first state is 0. */
  readonly transitions: readonly Int32Array[];
  /** How many states there are before each parameter is read. */
  readonly stateCounts: readonly number[];
}

/** What is left to decide once some values are known: decided, or a text that is the same for the same question. */
export type Residual = (row: readonly Value[], bound: number) => boolean | string;

/** Most rows that a condition is computed for: about a second. */
const MAX_EVALUATIONS = 300_000;

class TooLarge extends Error {}

/**
 * @param scope the condition's parameters in reading order
 * @param residual asked before the rest is tried value by value; without it every combination is computed
 * @returns undefined where that takes too long
 */
export function buildAutomaton(
  part: Pick<Part, 'holds'>,
  scope: readonly number[],
  parameters: readonly Parameter[],
  residual?: Residual,
): Automaton | undefined {
  const values = scope.map((slot) => parameters[slot]!.values);
  if (
    residual === undefined &&
    values.reduce((product, { length }) => product * length, 1) > MAX_EVALUATIONS
  ) {
    return undefined;
  }
  const states = scope.map((): { ids: Map<string, number>; rows: Int32Array[] } => ({
    ids: new Map(),
    rows: [],
  }));
  const questions = scope.map(() => new Map<string, number>());
  const row: Value[] = parameters.map(({ values: [first] }) => first!);
  let evaluations = 0;

  const intern = (level: number, next: Int32Array): number => {
    if (next.every((state) => state === DEAD)) return DEAD;
    const { ids, rows } = states[level]!;
    const key = next.join(',');
    const known = ids.get(key);
    if (known !== undefined) return known;
    ids.set(key, rows.length);
    rows.push(next);
    return rows.length - 1;
  };
  const acceptAll = (level: number): number =>
    level === scope.length
      ? 0
      : intern(level, new Int32Array(values[level]!.length).fill(acceptAll(level + 1)));

  const visit = (level: number): number => {
    if (level === scope.length) {
      if (++evaluations > MAX_EVALUATIONS) throw new TooLarge();
      return part.holds(row) ? 0 : DEAD;
    }
    if (residual === undefined) return expand(level);
    if (++evaluations > MAX_EVALUATIONS) throw new TooLarge();
    const question = residual(row, level);
    if (question === true) return acceptAll(level);
    if (question === false) return DEAD;
    const known = questions[level]!.get(question);
    if (known !== undefined) return known;
    const state = expand(level);
    questions[level]!.set(question, state);
    return state;
  };
  const expand = (level: number): number => {
    const slot = scope[level]!;
    const choices = values[level]!;
    const next = new Int32Array(choices.length);
    for (let index = 0; index < choices.length; index++) {
      row[slot] = choices[index]!;
      next[index] = visit(level + 1);
    }
    return intern(level, next);
  };

  try {
    if (visit(0) === DEAD && scope.length > 0) {
      return {
        scope,
        transitions: values.map(({ length }) => new Int32Array(length).fill(DEAD)),
        stateCounts: values.map(() => 1),
      };
    }
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
  return {
    scope,
    transitions: states.map(({ rows }, level) => flatten(rows, values[level]!.length)),
    stateCounts: states.map(({ rows }) => rows.length),
  };
}

function flatten(rows: readonly Int32Array[], width: number): Int32Array {
  const flat = new Int32Array(rows.length * width);
  for (const [index, row] of rows.entries()) flat.set(row, index * width);
  return flat;
}
