import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';

import { pawlProgram } from '../../src/cli/program.ts';
import { fitHelp } from '../../src/report/terminal/fit-lines.ts';
import { displayWidth } from '../../src/report/text/plain-text.ts';

const COLUMNS = 80;
/** Commands are copied whole, and stay in one line. */
const COPIED = /^ +(?:[A-Z_]+=\S+ )*pawl /u;

interface Help {
  readonly name: string;
  readonly command: Command;
  /** As a terminal of 80 columns shows it. */
  readonly text: string;
}

function helpOf(command: Command, path: string): Help[] {
  let text = '';
  command.configureOutput({ writeOut: (part) => void (text += part), getOutHelpWidth: () => COLUMNS });
  command.outputHelp();
  const own = { name: path, command, text: fitHelp(text, COLUMNS) };
  return [own, ...command.commands.flatMap((one) => helpOf(one, `${path} ${one.name()}`))];
}

const helps = helpOf(await pawlProgram(), 'pawl');

describe('help', () => {
  it('is there for every command', () => {
    expect(helps.length).toBeGreaterThan(60);
    expect(helps.filter(({ text }) => !text.includes('Usage: pawl'))).toEqual([]);
  });

  it.each(helps)('of $name fits 80 columns', ({ text }) => {
    expect(text.split('\n').filter((line) => displayWidth(line) > COLUMNS && !COPIED.test(line))).toEqual([]);
  });

  it.each(helps)('of $name describes every argument and option, in the same form', ({ command }) => {
    const described = [...command.registeredArguments, ...command.options];
    expect(described.flatMap((one) => (one.description === '' ? [one.name()] : []))).toEqual([]);
    const sentences = described.filter(({ description }) => description.endsWith('.'));
    expect(sentences.map(({ description }) => description)).toEqual([]);
  });
});
