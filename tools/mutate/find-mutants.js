import { parseSync } from 'vite';

const BOUNDARIES = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const SWAPS = {
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '**': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '/=': '*=',
};
const METHODS = new Map(
  Object.entries({ min: 'max', max: 'min', some: 'every', every: 'some', floor: 'ceil', ceil: 'floor' }),
);
/** Nodes of TypeScript that hold an expression; all others are types, which are gone when the code runs. */
const WITH_EXPRESSION = ['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'];
const CONDITIONS = {
  IfStatement: ['true', 'false'],
  ConditionalExpression: ['true', 'false'],
  // A loop that never ends says little.
  ForStatement: ['false'],
  WhileStatement: ['false'],
};

/**
 * All the mutants of a source file, and the file with all of them in it, each behind a question whether it is the
 * active one: so one process can try them all, and no file is ever changed on the disk.
 *
 * `idOf` is told each mutant in turn and answers with its number.
 */
export function withMutants(path, source, idOf) {
  const program = parsed(path, source);

  const textOf = (node) => source.slice(node.start, node.end);
  const idAt = (node, change) => {
    const before = source.slice(0, node.start).split('\n');
    return idOf({ path, line: before.length, column: before.at(-1).length + 1, change });
  };
  const either = (node, original, mutated) => {
    let text = original;
    for (const replacement of mutated) {
      const id = idAt(node, `${short(textOf(node))} -> ${short(replacement)}`);
      text = `(__mutant(${id}) ? (${replacement}) : ${text})`;
    }
    return mutated.length === 0 ? original : text;
  };

  function render(node, parent) {
    let text = '';
    let at = node.start;
    for (const child of childrenOf(node)) {
      if (child.start < at) continue;
      text += source.slice(at, child.start) + render(child, node);
      at = child.end;
    }
    text += source.slice(at, node.end);
    if (node.type === 'ExpressionStatement' && node.directive === undefined) {
      // In braces, so that an `else` after it keeps its `if`.
      return `{ if (!__mutant(${idAt(node, `${short(textOf(node))} -> nothing`)})) ${text} }`;
    }
    const changed = either(node, text, mutationsOf(node, textOf));
    const isCondition = parent !== undefined && parent.test === node;
    return isCondition ? either(node, changed, CONDITIONS[parent.type] ?? []) : changed;
  }

  const code = render({ ...program, start: 0, end: source.length });
  parsed(path, code);
  // On the first line, so that lines in stacks stay true.
  return `const __mutant = globalThis.pawlMutants.ask; ${code}`;
}

function parsed(path, code) {
  const { program, errors } = parseSync(path, code);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}\n${errors[0].codeframe}`);
  return program;
}

function mutationsOf(node, textOf) {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression': {
      const other = BOUNDARIES[node.operator] ?? SWAPS[node.operator];
      return other === undefined ? [] : [`(${textOf(node.left)}) ${other} (${textOf(node.right)})`];
    }
    case 'UnaryExpression':
      return node.operator === '!' || node.operator === '-' ? [textOf(node.argument)] : [];
    case 'CallExpression': {
      const { callee } = node;
      const other = callee.type === 'MemberExpression' ? METHODS.get(callee.property.name) : undefined;
      if (other === undefined) return [];
      const rest = textOf(node).slice(callee.end - node.start);
      return [`${textOf(callee.object)}${callee.optional ? '?.' : '.'}${other}${rest}`];
    }
    case 'Literal':
      return literalMutations(node);
    default:
      return [];
  }
}

function literalMutations({ value }) {
  if (typeof value === 'boolean') return [String(!value)];
  if (typeof value === 'number') return [String(value + 1)];
  // What holds a space is a sentence for people, and nothing decides by it.
  if (typeof value === 'string' && value !== '' && !value.includes(' ')) return [`''`];
  return [];
}

/** The parts of a node that run, in the order of the text. */
function childrenOf(node) {
  if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') return [];
  if (node.type.startsWith('TS')) return WITH_EXPRESSION.includes(node.type) ? [node.expression] : [];
  if (node.type === 'ExportNamedDeclaration') return node.declaration === null ? [] : [node.declaration];
  const children = [];
  for (const [key, value] of Object.entries(node)) {
    const isName = key === 'key' && node.computed !== true;
    if (isName || key === 'typeAnnotation' || key === 'returnType') continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === 'string' && typeof child.start === 'number') children.push(child);
    }
  }
  return children.sort((a, b) => a.start - b.start);
}

function short(text) {
  const line = text.replaceAll(/\s+/gu, ' ');
  return line.length <= 60 ? line : `${line.slice(0, 57)}...`;
}
