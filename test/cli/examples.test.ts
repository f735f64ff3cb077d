import type { Command } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { pawlProgram } from '../../src/cli/program.ts';
import { runAction } from '../../src/cli/run-action.ts';
import { mentionedCommands, quotedCommands, textsWithCommands } from './hints-in-source.ts';
import { blocksOf, callsIn, commandsIn, examplesBelow, pages, type ShownCommand } from './shown-commands.ts';

// Commands are parsed, not run: test/e2e/shown-commands.test.ts runs what is shown.
vi.mock('../../src/cli/run-action.ts', () => ({ runAction: vi.fn(async () => undefined) }));
afterEach(() => vi.mocked(runAction).mockClear());

const program = await pawlProgram();
const shown = examplesBelow(program);

function quiet(command: Command): Command {
  for (const child of command.commands) quiet(child);
  return command.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
}

async function parse(words: readonly string[]): Promise<void> {
  try {
    await quiet(await pawlProgram()).parseAsync([...words], { from: 'user' });
  } catch (error) {
    if ((error as { exitCode?: number }).exitCode === 0) return;
    throw error;
  }
  expect(runAction).toHaveBeenCalledOnce();
  vi.mocked(runAction).mockClear();
}

describe('examples in help', () => {
  it('are there for every command', () => {
    expect(shown.filter(({ examples }) => examples.length === 0).map(({ path }) => path)).toEqual([]);
  });

  it.each(shown.flatMap(({ path, examples }) => examples.map((example) => ({ path, example }))))(
    '$path: $example is taken by the CLI',
    async ({ path, example }) => {
      const calls = callsIn(example);
      for (const words of calls) await parse(words);
      // An example of a command is about that command; one of a group may show what is below it.
      const about = path.split(' ').slice(0, 2).join(' ');
      if (path !== 'pawl')
        expect(calls.map((words) => `pawl ${words.join(' ')}`).join('\n')).toContain(about);
    },
  );
});

describe('commands in README.md and docs', () => {
  const all = pages();

  it('stand in blocks whose language says how to read them', () => {
    const unmarked = all.flatMap(({ place, text }) =>
      blocksOf(text)
        .filter(({ language, text: block }) => language === '' && /^ *(?:\$ )?pawl [a-z]/mu.test(block))
        .map(({ text: block }) => `${place}: ${block}`),
    );
    expect(unmarked).toEqual([]);
  });

  it.each(once(all.flatMap(commandsIn)))('$place: $command is taken by the CLI', async ({ command }) => {
    for (const words of callsIn(command)) await parse(words);
  });

  it.each(once(all.flatMap(({ place, text }) => quoted(place, text))))(
    '$place: $command, in a sentence, is taken by the CLI',
    ({ command }) => parseBeginning(command),
  );
});

describe('commands in messages', () => {
  const texts = textsWithCommands();

  it.each(once(texts.flatMap(({ place, command: text }) => quoted(place, text))))(
    '$place: $command is taken by the CLI',
    ({ command }) => parseBeginning(command),
  );

  it.each(texts)(
    '$place: what it mentions are commands, with options that they have',
    ({ command: text }) => {
      for (const { words, options } of mentionedCommands(text)) {
        const [first = '', second = ''] = words;
        if (NO_COMMANDS.includes(`pawl ${first}`)) continue;
        const command = program.commands.find((one) => one.name() === first);
        expect(command, `pawl ${words.join(' ')}`).toBeDefined();
        // `pawl history --since 30d` is `pawl history list`, and so on.
        const meant = command!.commands.find((one) => one.name() === second) ?? command!;
        const known = [meant, ...meant.commands].flatMap((one) => one.options.map(({ long }) => long));
        expect(options.filter((option) => option !== '--help' && !known.includes(option))).toEqual([]);
      }
    },
  );
});

/** What begins like a command in a text and is none: a sentence's end, a variable of a shell script. */
const NO_COMMANDS = ['pawl on', 'pawl found'];

function quoted(place: string, text: string): ShownCommand[] {
  return quotedCommands(text).map((command) => ({ place, command }));
}

function once(commands: readonly ShownCommand[]): ShownCommand[] {
  return [...new Map(commands.map((shownAt) => [shownAt.command, shownAt])).values()];
}

/** A sentence may name a group of commands, leave out arguments, and have `KERNEL` or `PCT` for a value. */
async function parseBeginning(command: string): Promise<void> {
  const [words = []] = callsIn(command);
  const isLeftOpen = (code: string): boolean =>
    ['commander.help', 'commander.missingArgument', 'commander.optionMissingArgument'].includes(code) ||
    code === 'commander.missingMandatoryOptionValue' ||
    (code === 'commander.invalidArgument' && words.some((word) => /^[A-Z]+$/u.test(word)));
  await parse(words).catch((error: { readonly code?: string }) => {
    if (!isLeftOpen(error.code ?? '')) throw error;
  });
}
