import { ExpressionError } from '../config/expression/expression-error.ts';
import { Expression } from '../config/expression/expression.ts';
import { PawlError } from '../model/pawl-error.ts';

/** `rows,cols`, or `(n + 1) // 2, 4`: extents as formulas over the dimensions. */
export function parseShape(tensor: string, text: string, dims: readonly string[]): string[] {
  const extents = splitTop(text).map((part) => part.trim());
  for (const extent of extents) {
    const formula = parseFormula(extent, `The shape of ${tensor}`);
    const unknown = formula.names.find(({ name }) => !dims.includes(name));
    if (unknown !== undefined) {
      const there = dims.length === 0 ? 'there are no dimensions' : `the dimensions are ${dims.join(', ')}`;
      throw new PawlError('usage', `The shape of ${tensor} names ${unknown.name}; ${there}.`, HINT);
    }
  }
  return extents;
}

const HINT = 'Extents are formulas over the integer parameters: --shape x=rows,cols';

export function parseFormula(text: string, what: string): Expression {
  try {
    return Expression.parse(text);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new PawlError('usage', `${what} is invalid at \`${text}\`: ${error.message}.`, HINT);
  }
}

/** At commas that are not inside of parentheses. */
export function splitTop(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    else if (character === ')') depth--;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}
