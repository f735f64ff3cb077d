import { defined } from '../../model/defined.ts';
import { didYouMean } from '../../model/text/did-you-mean.ts';
import { ExpressionError } from '../../config/expression/expression-error.ts';
import { Expression } from '../../config/expression/expression.ts';
import type { Mistake } from '../../config/mistake.ts';
import type { Gate } from '../../model/learn/gate.ts';
import { FACTS } from '../gates/facts.ts';
import { placesIn } from '../gates/fill-template.ts';
import { NAMES } from '../gates/gate-names.ts';

/** What a schema cannot see in the gates of a file: formulas that cannot be read, names that nothing has. */
export function validateGates(gates: readonly Gate[], settings: readonly string[]): Mistake[] {
  const mistakes: Mistake[] = [];
  const ids = new Set<string>();
  for (const [index, gate] of gates.entries()) {
    const add = (key: keyof Gate, message: string, offset?: number) =>
      mistakes.push({
        path: ['gates', index, key],
        message: `gate ${gate.id}: ${message}`,
        ...defined({ offset }),
      });
    if (ids.has(gate.id)) add('id', 'this id is here for the second time');
    ids.add(gate.id);
    const facts = [...Object.keys(FACTS[gate.evidence]), ...settings];
    for (const key of ['pass', 'applies'] as const) {
      const formula = gate[key];
      if (formula !== undefined)
        validateFormula(formula, facts, gate, (text, offset) => add(key, text, offset));
    }
    const places = [...facts, ...Object.keys(NAMES)];
    for (const key of ['failed', 'passed', 'next'] as const) {
      for (const name of placesIn(gate[key] ?? '')) {
        if (!places.includes(name)) add(key, `nothing is called \`${name}\`${didYouMean(name, places)}`);
      }
    }
  }
  return mistakes;
}

function validateFormula(
  formula: string,
  known: readonly string[],
  gate: Gate,
  add: (message: string, offset: number) => void,
): void {
  try {
    for (const { name, offset } of Expression.parse(formula).names) {
      if (known.includes(name)) continue;
      const other = didYouMean(name, known);
      add(`no setting, and no fact of \`${gate.evidence}\`, is called \`${name}\`${other}`, offset);
    }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    add(error.message, error.offset);
  }
}
