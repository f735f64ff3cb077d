import { compileTree } from '../../config/expression/compile-expression.ts';
import { Uncomputable } from '../../config/expression/evaluate-expression.ts';
import type { Tree, Value } from '../../config/expression/expression-tree.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { Xoshiro128 } from '../../stats/random.ts';
import { diveForPoint } from './dive-for-point.ts';
import type { FeasibleSpace } from './feasible-space.ts';
import { diagramOf, type ReadRule, type ReadRules } from './read-rules.ts';
import type { Rule } from './rule.ts';
import type { Parameter } from './space.ts';
import { countText } from './space-extent.ts';

/** Combinations of a rule's parameters that are tried for the one that comes nearest. */
const MAX_TRIES = 200_000;

export interface EmptySpace {
  /** Rules that leave nothing together, and something as soon as one of them is left out. */
  readonly culprits: readonly Rule[];
  /** For people: what they are, with numbers. */
  readonly message: string;
}

/**
 * Why a space has no point: rules are left out one after the other for as long as still nothing passes (the
 * deletion filter of Chinneck & Dravnieks, "Locating minimal infeasible constraint sets", ORSA JoC 3(2), 1991).
 */
export function explainEmpty({ read, size, extent }: FeasibleSpace): EmptySpace | undefined {
  if (size !== 0) return undefined;
  let culprits: readonly ReadRule[] = read.rules;
  for (const rule of read.rules) {
    const without = culprits.filter((other) => other !== rule);
    if (!hasPoint(read, without)) culprits = without;
  }
  const total = `the ${countText(extent.product)} combinations`;
  const rules = culprits.map(({ rule }) => rule);
  if (rules.length === 1) {
    return {
      culprits: rules,
      message: `None of ${total} satisfies ${describe(rules[0]!, read.parameters)}.`,
    };
  }
  const lines = culprits.map(
    (culprit) => `- ${describe(culprit.rule, read.parameters)}: alone it leaves ${alone(read, culprit)}`,
  );
  return {
    culprits: rules,
    message: `None of ${total} satisfies all ${rules.length} of these, although any ${rules.length - 1} of them can be met:\n${lines.join('\n')}`,
  };
}

/** @throws {PawlError} of kind `configuration` where nothing can pass */
export function requirePoints(space: FeasibleSpace): void {
  const empty = explainEmpty(space);
  if (empty === undefined) return;
  throw new PawlError(
    'configuration',
    empty.message,
    'Add values that fit, or relax the constraints and gates (docs/tuning-space.md).',
  );
}

function hasPoint(read: ReadRules, rules: readonly ReadRule[]): boolean {
  const { diagram, open } = diagramOf(read, rules);
  if (diagram.count === 0) return false;
  return open.length === 0 || diveForPoint(diagram, read, open, new Xoshiro128(1)) !== undefined;
}

function alone(read: ReadRules, rule: ReadRule): string {
  const { diagram, open } = diagramOf(read, [rule]);
  return open.length === 0 ? countText(diagram.count) : `fewer than ${countText(diagram.count)}`;
}

/** What a rule says and, where it is a comparison of numbers, how near to it one can come. */
function describe(rule: Rule, parameters: readonly Parameter[]): string {
  const nearest = nearestMiss(rule, parameters);
  return nearest === undefined ? rule.text : `${rule.text} (${nearest})`;
}

function nearestMiss(rule: Rule, parameters: readonly Parameter[]): string | undefined {
  const { tree } = rule;
  if (tree.type !== 'comparison' || tree.rest.length !== 1) return undefined;
  const [only] = tree.rest;
  if (only === undefined || !('right' in only) || !['<', '<=', '>', '>='].includes(only.operator)) {
    return undefined;
  }
  const slots = new Map<string, number>();
  const compile = (node: Tree) =>
    compileTree(node, (name) => {
      const slot = parameters.findIndex((parameter) => parameter.name === name);
      if (slot === -1) return { value: rule.constants[name] ?? 0 };
      slots.set(name, slot);
      return { slot };
    });
  const left = compile(tree.first);
  const right = compile(only.right);
  const scope = [...slots.values()];
  if (scope.reduce((product, slot) => product * parameters[slot]!.values.length, 1) > MAX_TRIES)
    return undefined;
  const isBelow = only.operator.startsWith('<');
  let best: { gap: number; left: number; right: number; at: string } | undefined;
  const row: Value[] = parameters.map(({ values: [first] }) => first!);
  const visit = (level: number): void => {
    const slot = scope[level];
    if (slot !== undefined) {
      for (const value of parameters[slot]!.values) {
        row[slot] = value;
        visit(level + 1);
      }
      return;
    }
    const a = numberOf(() => left(row));
    const b = numberOf(() => right(row));
    if (a === undefined || b === undefined) return;
    const gap = isBelow ? a - b : b - a;
    if (best !== undefined && gap >= best.gap) return;
    const at = scope.map((one) => `${parameters[one]!.name}=${String(row[one])}`).join(', ');
    best = { gap, left: a, right: b, at };
  };
  visit(0);
  if (best === undefined) return 'it cannot be computed for any of them';
  if (best.gap <= 0) return undefined;
  const where = best.at === '' ? '' : `, at ${best.at}`;
  return `nearest: ${countText(best.left)} against ${countText(best.right)}${where}`;
}

function numberOf(compute: () => Value): number | undefined {
  try {
    const value = compute();
    return typeof value === 'string' ? undefined : Number(value);
  } catch (error) {
    if (error instanceof Uncomputable) return undefined;
    throw error;
  }
}
