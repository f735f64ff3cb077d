import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { parseSync, Visitor } from 'vite';

import type { ShownCommand } from './shown-commands.ts';

const SOURCES = resolve(import.meta.dirname, '../../src');

/** Stands where a text of the source puts in a name, a number or a date: all of them can be read from it. */
const FILLED_IN = '2027';

/** The texts of every source file that speak of a command, with what they fill in at run time replaced. */
export function textsWithCommands(): ShownCommand[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => textsIn(file))
    .filter(({ command }) => /(?<![\w.@:/$-])pawl [a-z]/u.test(command));
}

function textsIn(file: string): ShownCommand[] {
  const source = readFileSync(join(SOURCES, file), 'utf8');
  const found: ShownCommand[] = [];
  const add = (start: number, command: string): void => {
    const line = source.slice(0, start).split('\n').length;
    found.push({ place: `src/${file}:${line}`, command });
  };
  new Visitor({
    Literal: ({ value, start }) => {
      if (typeof value === 'string') add(start, value);
    },
    TemplateLiteral: ({ quasis, start }) =>
      add(start, quasis.map(({ value }) => value.cooked).join(FILLED_IN)),
  }).visit(parseSync(file, source).program);
  return found;
}

/** The commands that stand in backticks in a text, Markdown or a message. */
export function quotedCommands(text: string): string[] {
  return [...text.matchAll(/`(pawl [^`]+)`/gu)].map(([, command = '']) => command.replaceAll(/[[\]]/gu, ''));
}

/**
 * The commands that a text mentions without quotes: where one ends and the sentence goes on is not marked, so only its
 * first words and the options up to the end of the clause are taken.
 */
export function mentionedCommands(text: string): { words: string[]; options: string[] }[] {
  const unquoted = text.replaceAll(/`[^`]*`/gu, '');
  return [...unquoted.matchAll(/(?<![\w.@:/$-])pawl ([a-z](?:[^\n;,().:]|[.:](?!\s|$))*)/gu)].map(
    ([, clause = '']) => ({
      words: clause.split(' ').slice(0, 2),
      options: [...clause.matchAll(/(?<=\s)--[a-z-]+/gu)].map(([option]) => option),
    }),
  );
}
