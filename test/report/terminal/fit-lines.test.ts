import { describe, expect, it } from 'vitest';

import { pawlProgram } from '../../../src/cli/program.ts';
import { fitHelp, fitLines } from '../../../src/report/terminal/fit-lines.ts';
import { commandTree } from '../../../src/cli/command-tree.ts';

const LONG =
  'attention/small: slower by 12 % (95 % interval −13 % to −11 %), confirmed by a second, independent measurement.';

describe('lines for a terminal', () => {
  it('are broken between words, under where they begin', () => {
    const text = fitLines(`  ✗ ${LONG}`, 40);
    const lines = text.split('\n');
    expect(lines.every((line) => line.length <= 40)).toBe(true);
    expect(lines.slice(1).every((line) => /^ {4}\S/u.test(line))).toBe(true);
    expect(lines.map((line) => line.trim()).join(' ')).toBe(`✗ ${LONG}`);
  });

  it('that fit stay as they are, colours take no room, and a long word keeps its line', () => {
    expect(fitLines(LONG, 200)).toBe(LONG);
    const painted = `\u001B[31m${'word '.repeat(7)}word\u001B[39m`;
    expect(fitLines(painted, 40)).toBe(painted);
    const address = `see https://pawl.example.org/${'x'.repeat(60)}`;
    expect(fitLines(address, 40).split('\n')).toEqual(['see', `  ${address.slice(4)}`]);
  });

  it('that are commands stay whole, and what is said of them goes below', () => {
    const command = 'PAWL_STORE=postgres://db/pawl pawl serve --host 0.0.0.0 --read-token-file read.token';
    expect(fitLines(`  ${command}`, 60)).toBe(`  ${command}`);
    expect(
      fitLines('  pawl trend attention-hopper/training_512 --since 90d   only those since then', 60),
    ).toBe('  pawl trend attention-hopper/training_512 --since 90d\n      only those since then');
  });
});

describe('help', async () => {
  const all = commandTree(await pawlProgram());

  it.each([80, 60])('has no line of prose over %i columns', (columns) => {
    for (const { path, command } of all) {
      command.configureOutput({ getOutHelpWidth: () => columns });
      let text = '';
      command.configureOutput({ writeOut: (part) => (text += part) });
      command.outputHelp();
      const wide = fitHelp(text, columns)
        .split('\n')
        .filter(
          (line) => line.length > columns && !/^ *(?:\$ |[A-Z_]+=\S+ )*(?:pawl|git|claude) /u.test(line),
        );
      // A word that is longer than the line has it to itself.
      expect(
        wide.filter((line) => line.trim().includes(' ')),
        path.join(' '),
      ).toEqual([]);
    }
  });
});
