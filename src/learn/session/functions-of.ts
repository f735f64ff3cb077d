import { defined } from '../../model/defined.ts';
import { blankComments, type Syntax } from './blank-comments.ts';

/** A function of a source file, lines from 1, both included. */
export interface FunctionSpan {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** The outermost functions of a file. A reading of braces and indents, not a parser: enough to say what a line belongs to. */
export function functionsOf(text: string, syntax: Syntax): FunctionSpan[] {
  const bare = blankComments(text, syntax, true);
  return syntax === 'c' ? cFunctions(bare) : pythonFunctions(bare);
}

const NO_FUNCTION = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'return',
  'sizeof',
  'alignof',
  'decltype',
]);

function cFunctions(bare: string): FunctionSpan[] {
  const found: FunctionSpan[] = [];
  // A macro's braces need not match, and it is a constant or part of its surroundings.
  const text = bare.replaceAll(/^[ \t]*#(?:[^\n\\]|\\[\s\S])*/gmu, (part) => part.replaceAll(/[^\n]/gu, ' '));
  const open: { readonly name?: string; readonly from: number }[] = [];
  let statement = 0;
  let line = 1;
  let statementLine = 0;
  for (let place = 0; place < text.length; place++) {
    const character = text[place]!;
    if (character === '\n') line += 1;
    if (statementLine === 0 && /\S/u.test(character)) statementLine = line;
    if (!'{};'.includes(character)) continue;
    if (character === '{') {
      const isInside = open.some(({ name }) => name !== undefined);
      const name = isInside ? undefined : functionName(text.slice(statement, place));
      open.push({ from: statementLine, ...defined({ name }) });
    } else if (character === '}') {
      const closed = open.pop();
      if (closed?.name !== undefined) found.push({ name: closed.name, from: closed.from, to: line });
    }
    statement = place + 1;
    statementLine = 0;
  }
  return found;
}

/** The name in `template <…> __global__ void name<T>(…) const noexcept -> int`, or undefined where it is not a function. */
function functionName(head: string): string | undefined {
  const text = head.trim();
  if (!text.includes('(') || /^(?:namespace|struct|class|enum|union|extern)\b[^()]*$/u.test(text))
    return undefined;
  // Macro calls such as __launch_bounds__(128) stand before the name: the name's own list of parameters is the last.
  const plain = text.replace(/\)\s*:\s[\s\S]*$/u, ')');
  const close = plain.lastIndexOf(')');
  let depth = 0;
  let place = close;
  for (; place >= 0; place--) {
    if (plain[place] === ')') depth += 1;
    if (plain[place] === '(' && --depth === 0) break;
  }
  const before = plain.slice(0, Math.max(place, 0)).replace(/<[^<>]*>\s*$/u, '');
  const name = /([A-Za-z_~][\w:~]*|operator\s*\S+)\s*$/u.exec(before)?.[1];
  return name === undefined || NO_FUNCTION.has(name) || /=\s*$/u.test(before) ? undefined : name;
}

function pythonFunctions(bare: string): FunctionSpan[] {
  const lines = bare.split('\n');
  const found: FunctionSpan[] = [];
  for (let index = 0; index < lines.length; index++) {
    const head = /^(\s*)(?:async\s+)?def\s+(\w+)/u.exec(lines[index]!);
    if (head === null) continue;
    const indent = head[1]!.length;
    let from = index;
    while (from > 0 && /^\s*@/u.test(lines[from - 1]!)) from -= 1;
    let to = index;
    for (let next = index + 1; next < lines.length; next++) {
      const text = lines[next]!;
      if (text.trim() === '') continue;
      const isHeadStill = /^\s*\)/u.test(text);
      if (text.length - text.trimStart().length <= indent && !isHeadStill) break;
      to = next;
    }
    found.push({ name: head[2]!, from: from + 1, to: to + 1 });
    index = to;
  }
  return found;
}
