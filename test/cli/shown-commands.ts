import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { Command } from 'commander';

const REPOSITORY = resolve(import.meta.dirname, '../..');

/** A command line that Pawl or its documentation shows, and where. */
export interface ShownCommand {
  readonly place: string;
  readonly command: string;
}

/** `pawl` where a shell would take it for a command, also by its path. */
const CALL = /(?<![\w@.:/-])(?:~\/pawl\/bin\/|\/usr\/local\/bin\/)?pawl (?=[a-z])/u;

/** README.md and docs/*.md. What is in docs/results are records of runs, with the commands of their time. */
export function pages(): { readonly place: string; readonly text: string }[] {
  const inDocs = readdirSync(join(REPOSITORY, 'docs')).filter((name) => name.endsWith('.md'));
  const places = ['README.md', ...inDocs.map((name) => `docs/${name}`)];
  return places.map((place) => ({ place, text: readFileSync(join(REPOSITORY, place), 'utf8') }));
}

interface Block {
  readonly language: string;
  readonly text: string;
}

export function blocksOf(page: string): Block[] {
  const fences = page.matchAll(/^( *)```(\w*)[^\n]*\n([\s\S]*?)^\1```$/gmu);
  return [...fences].map(([, , language = '', text = '']) => ({ language, text }));
}

/** The commands in the code blocks of a page. */
export function commandsIn({
  place,
  text,
}: {
  readonly place: string;
  readonly text: string;
}): ShownCommand[] {
  return blocksOf(text).flatMap(({ language, text: block }) =>
    (FINDERS[language]?.(block) ?? []).map((command) => ({ place, command })),
  );
}

/** How commands stand in blocks of each language. */
const FINDERS: Readonly<Record<string, (block: string) => string[]>> = {
  sh: (block) =>
    block
      .replaceAll(/\\\n\s*/gu, '')
      .split('\n')
      .map((line) => line.replace(/(?:^|\s+)# .*$/u, '').trim())
      .filter((line) => CALL.test(line) || /^(?:make|npm|git) /u.test(line)),
  console: (block) => matches(block, /^\$ (.*)$/gmu),
  yaml: (block) => matches(block, /^.*(?:script: \[|next: )(pawl .*?)\]?$/gmu),
  ini: (block) => matches(block, /^ExecStart=(.*)$/gmu),
  // How assistants are told of a server.
  json: (block) =>
    matches(block, /"command": "pawl", "args": \[(.*?)\]/gu).map(
      (args) => `pawl ${args.replaceAll(/[",]/gu, '')}`,
    ),
};

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => found);
}

/** The commands under `Examples:` in the help of a command and of those below it, by the command's path. */
export function examplesBelow(command: Command, path = 'pawl'): { path: string; examples: string[] }[] {
  const own = { path, examples: examplesIn(helpOf(command)) };
  return [own, ...command.commands.flatMap((child) => examplesBelow(child, `${path} ${child.name()}`))];
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (words) => (text += words) });
  command.outputHelp();
  return text;
}

/** Without the remarks, which follow after two spaces or more. */
function examplesIn(help: string): string[] {
  const [, block = ''] = /^Examples:\n((?: .*\n?)+)/mu.exec(help) ?? [];
  return block
    .split('\n')
    .map((line) => line.trim().replace(/ {2,}\S.*$/u, ''))
    .filter((line) => CALL.test(line));
}

/** What the shell hands to each call of Pawl in a command line, without pipes, redirections and what surrounds it. */
export function callsIn(command: string): string[][] {
  return command
    .split(/ (?:&&|\|\||\||;) |; /u)
    .filter((part) => CALL.test(part))
    .map((part) =>
      wordsOf(
        part
          // Of `claude mcp add pawl -- pawl mcp` and `ssh host 'cd folder && pawl bench'` the last.
          .replace(new RegExp(`^.*${CALL.source}`, 'u'), '')
          .replace(/\)".*$/u, '')
          .replace(/ [>&](?: .*)?$/u, '')
          // The end of what another shell was told.
          .replace(/(?<=^[^']*)'$/u, '')
          .replace(/(?<=^[^"]*)"$/u, ''),
      ),
    );
}

/** Variables stand for words that whoever uses the command has: their names are as good. */
function wordsOf(call: string): string[] {
  const named = call.replaceAll(/\$\{?(\w+)\}?/gu, '$1');
  const text = execFileSync('sh', ['-c', `printf '%s\\0' ${named}`], { encoding: 'utf8' });
  return text.split('\0').slice(0, -1);
}
