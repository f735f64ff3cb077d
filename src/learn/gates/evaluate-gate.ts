import { Expression } from '../../config/expression/expression.ts';
import { ExpressionError } from '../../config/expression/expression-error.ts';
import { defined } from '../../model/defined.ts';
import type { Evidence, Fact, Gate, GateResult } from '../../model/learn/gate.ts';
import { fillCommand, fillText } from './fill-template.ts';
import type { GateNames } from './gate-names.ts';

export interface GateInputs {
  readonly evidence: Evidence;
  readonly settings: Readonly<Record<string, number>>;
  readonly names: GateNames;
  readonly now: () => Date;
}

/** A gate that was not evaluated yet. */
export function openGate({ id, phase, title, why }: Gate): GateResult {
  return { gate: id, phase, title, state: 'open', reason: why };
}

/** What the evidence says of a gate. Facts stand before settings of the same name: a session's `target` is its goal. */
export function evaluateGate(gate: Gate, { evidence, settings, names, now }: GateInputs): GateResult {
  const scope: Readonly<Record<string, Fact>> = { ...settings, ...evidence.facts };
  const texts = { ...scope, ...names };
  const result = {
    gate: gate.id,
    phase: gate.phase,
    title: gate.title,
    evidence,
    evaluated_at: now().toISOString(),
  };
  const command = { next: fillCommand(gate.next, texts), ...defined({ needs: gate.needs }) };

  const applies = gate.applies === undefined ? true : ask(gate.applies, scope);
  if (applies === false) {
    return {
      ...result,
      state: 'skipped',
      reason: missingOf(evidence, namesIn(gate.pass))?.why ?? `Does not apply: ${gate.applies ?? ''}.`,
    };
  }
  const passes = applies === true ? ask(gate.pass, scope) : applies;
  if (passes === true) {
    return { ...result, state: 'passed', reason: fillText(gate.passed ?? seen(evidence, gate), texts) };
  }
  if (passes === false) {
    const state = gate.severity === 'stop' ? 'failed' : 'warned';
    return { ...result, state, reason: fillText(gate.failed, texts), ...command };
  }
  const known = missingOf(evidence, passes.names);
  return {
    ...result,
    // A gate that only warns does not stop on unknown evidence either.
    state: gate.severity === 'stop' ? 'unknown' : 'warned',
    reason: known?.why ?? passes.why,
    ...(known === undefined ? command : { next: known.next, ...defined({ needs: known.needs }) }),
  };
}

function missingOf({ missing }: Evidence, names: readonly string[]) {
  return missing?.find(({ facts }) => facts.some((fact) => names.includes(fact)));
}

function namesIn(formula: string): string[] {
  return Expression.parse(formula).names.map(({ name }) => name);
}

/** Why there is no answer, and the facts that lack. */
interface NoAnswer {
  readonly why: string;
  readonly names: readonly string[];
}

function ask(formula: string, scope: Readonly<Record<string, Fact>>): boolean | NoAnswer {
  const expression = Expression.parse(formula);
  try {
    return expression.holds(scope);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const names = expression.names.map(({ name }) => name).filter((name) => !Object.hasOwn(scope, name));
    const why =
      names.length === 0
        ? `\`${formula}\` cannot be computed: ${error.reason}.`
        : `Not known: ${names.join(', ')}.`;
    return { why, names };
  }
}

function seen({ lines }: Evidence, { pass }: Gate): string {
  // The evidence's words are not a template: braces in them stay as they are.
  return lines[0]?.replaceAll(/[{}]/g, '') ?? pass;
}
