import { stripVTControlCharacters } from 'node:util';

import { displayWidth } from '../text/plain-text.ts';

/** Narrower than this nothing can be laid out. */
const LEAST_COLUMNS = 30;
/** A line of prose that ends sooner ends its paragraph. */
const FILLED_LINE = 60;

/**
 * Text for a terminal of so many columns: lines that are longer are broken at spaces, which the terminal would do
 * within words. What was laid out for the width stays as it is, and so do commands, which people copy whole.
 */
export function fitLines(text: string, columns: number): string {
  if (columns < LEAST_COLUMNS) return text;
  return text
    .split('\n')
    .map((line) => fitLine(line, columns))
    .join('\n');
}

/** The same for help, whose paragraphs are broken in the source already: those that do not fit are filled again. */
export function fitHelp(text: string, columns: number): string {
  if (columns < LEAST_COLUMNS || text.split('\n').every((line) => widthOf(line) <= columns)) return text;
  const lines: string[] = [];
  let isOpen = false;
  for (const line of text.split('\n')) {
    const isProse = /^\S/u.test(line) && !/ {2}/u.test(line);
    if (isOpen && isProse) lines.push(`${lines.pop()!} ${line}`);
    else lines.push(line);
    isOpen = isProse && line.length >= FILLED_LINE;
  }
  return fitLines(lines.join('\n'), columns);
}

function widthOf(line: string): number {
  return displayWidth(stripVTControlCharacters(line));
}

function fitLine(line: string, columns: number): string {
  if (widthOf(line) <= columns) return line;
  const indent = /^ */u.exec(line)![0].length + 2;
  const [, command, comment] = /^( *(?:\$ |[A-Z_]+=\S+ )*pawl \S.*?)(?: {2,}(.*))?$/u.exec(line) ?? [];
  if (command !== undefined) {
    if (comment === undefined) return line;
    return [command, ...broken(`${' '.repeat(indent + 2)}${comment}`, columns, indent + 2)].join('\n');
  }
  return broken(line, columns, Math.min(indent, columns - 20)).join('\n');
}

/** Spaces within a line stay as they are; those at which it is broken go. */
function broken(line: string, columns: number, indent: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const part of line.split(/(?<=\S)(?= )/u)) {
    const longer = current + part;
    if (current.trim() !== '' && widthOf(longer) > columns) {
      lines.push(current);
      current = `${' '.repeat(indent)}${part.trimStart()}`;
    } else {
      current = longer;
    }
  }
  return [...lines, current];
}
