import type { Tree } from '../../config/expression/expression-tree.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { parseFormula, splitTop } from '../shapes.ts';

/** `ceildiv(rows, 4), heads`: up to three extents of a grid or block, as C over the dimensions. */
export function extentsInC(
  text: string,
  option: string,
  dims: readonly string[],
  nameInC: (dim: string) => string,
): string[] {
  const parts = splitTop(text);
  if (parts.length > 3) throw new PawlError('usage', `${option} has more than three extents: ${text}.`);
  return parts.map((part) => {
    const formula = parseFormula(part.trim(), option);
    const unknown = formula.names.find(({ name }) => !dims.includes(name));
    if (unknown !== undefined) {
      throw new PawlError(
        'usage',
        `${option} names ${unknown.name}, which is not an integer parameter (${dims.join(', ') || 'there are none'}).`,
      );
    }
    return inC(formula.tree, option, nameInC);
  });
}

function inC(tree: Tree, option: string, nameInC: (dim: string) => string): string {
  const inner = (part: Tree) => inC(part, option, nameInC);
  if (tree.type === 'value' && Number.isSafeInteger(tree.value)) return String(tree.value);
  if (tree.type === 'name') return nameInC(tree.name);
  if (tree.type === 'negate') return `-${inner(tree.operand)}`;
  if (tree.type === 'arithmetic' && tree.operator !== '**' && tree.operator !== '/') {
    return `(${inner(tree.left)} ${tree.operator === '//' ? '/' : tree.operator} ${inner(tree.right)})`;
  }
  if (tree.type === 'call') {
    const [a = '', b = ''] = tree.args.map(inner);
    if (tree.name === 'ceildiv') return `((${a} + ${b} - 1) / ${b})`;
    if (tree.name === 'min' && tree.args.length === 2) return `(${a} < ${b} ? ${a} : ${b})`;
    if (tree.name === 'max' && tree.args.length === 2) return `(${a} > ${b} ? ${a} : ${b})`;
  }
  throw new PawlError(
    'usage',
    `${option} cannot be written in C with whole numbers.`,
    'Use whole numbers, dimensions, + - * // %, ceildiv, and min or max of two.',
  );
}
