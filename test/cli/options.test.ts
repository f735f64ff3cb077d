import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';

import { budget, duration } from '../../src/cli/options.ts';
import { pawlProgram } from '../../src/cli/program.ts';

describe('a duration', () => {
  it.each([
    ['600', 600],
    ['0', 0],
    ['1.5', 1.5],
    ['1e3', 1000],
    ['90s', 90],
    ['10m', 600],
    ['10 min', 600],
    ['1.5h', 5400],
    ['1h30m', 5400],
    ['1h 30m 5s', 5405],
  ])('reads %s', (text, seconds) => {
    expect(duration(text)).toBe(seconds);
  });

  it.each(['', ' ', 'soon', '-1', '10x', '1.2.3h', 'm', '30m1h', 'Infinity'])('refuses "%s"', (text) => {
    expect(() => duration(text)).toThrow('Expected a time');
  });

  it('is not zero where it is a budget', () => {
    expect(() => budget('0s')).toThrow('above 0');
    expect(budget('10m')).toBe(600);
  });
});

function commandsBelow(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap((each) => commandsBelow(each))];
}

describe('options that several commands have', async () => {
  const all = commandsBelow(await pawlProgram());

  it.each(['--budget', '--wait', '--gpu', '--timeout', '--clocks', '--processes', '--samples', '--idle'])(
    'takes the same value for %s everywhere',
    (long) => {
      const options = all.flatMap(({ options: each }) => each.filter((option) => option.long === long));
      expect(options.length).toBeGreaterThan(0);
      expect(new Set(options.map(({ flags }) => flags)).size).toBe(1);
      expect(new Set(options.map(({ parseArg }) => parseArg?.name)).size).toBe(1);
    },
  );
});
