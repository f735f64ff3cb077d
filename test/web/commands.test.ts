import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Command } from 'commander';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { pawlProgram } from '../../src/cli/program.ts';
import { runAction } from '../../src/cli/run-action.ts';
import { fillCommand } from '../../src/learn/gates/fill-template.ts';
import { gateNames } from '../../src/learn/gates/gate-names.ts';
import { loadMethod } from '../../src/learn/method/load-method.ts';
import { parseGoal } from '../../src/learn/session/parse-goal.ts';
import * as commands from '../../web/app/common/commands.ts';

// Commands are parsed down to the point where they would begin to measure.
vi.mock(import('../../src/cli/run-action.ts'), () => ({ runAction: vi.fn<typeof runAction>() }));

const PLAIN = {
  kernel: 'attention',
  case: 'long',
  a: { commit: 'a1b2c3d' },
  b: { branch: 'main', device: 'NVIDIA H200', driver: '580.65' },
};
const AWKWARD = {
  kernel: "it's",
  case: 'two words; touch /tmp/x',
  a: { device: "it's" },
  b: { branch: 'two words; touch /tmp/x' },
};

const TOLD = Object.values(commands).flatMap((told) => {
  if (typeof told === 'function') return [told(PLAIN), told(AWKWARD)];
  return typeof told === 'string' ? [told] : told.map(([command]) => command);
});

describe('commands that the dashboard tells', () => {
  beforeEach(() => vi.mocked(runAction).mockClear());

  it.each(TOLD)('%s is taken by the CLI', async (command) => {
    await parse(command);
    expect(runAction).toHaveBeenCalledOnce();
  });

  it.each(['pawl profile KERNEL CASE', 'pawl session try HYPOTHESIS'])(
    '%s, which an earlier one told, is refused',
    async (command) => {
      await expect(parse(command)).rejects.toThrow(/too many arguments|required option/u);
    },
  );

  it('are in the file that is tested here, and in no page of their own', () => {
    const app = fileURLToPath(new URL('../../web/app/', import.meta.url));
    const pages = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.tsx'),
    );
    expect(pages.length).toBeGreaterThan(20);
    const own = pages.filter((file) => /command=\{?\s*["'`]/u.test(readFileSync(join(app, file), 'utf8')));
    expect(own).toEqual([]);
  });

  it('names kernels and cases as single words, whatever they hold', () => {
    expect(words(commands.measureCase(AWKWARD))).toEqual([
      'pawl',
      'bench',
      '--only',
      AWKWARD.kernel,
      '--case',
      AWKWARD.case,
    ]);
  });

  it('starts a session with a goal that can be read', () => {
    const [, , , , goal = ''] = words(commands.START_SESSION);
    expect(parseGoal(goal)).toMatchObject({ case: 'CASE' });
  });
});

describe('commands that come after a gate', async () => {
  const { gates } = await loadMethod(undefined);
  const references = [{ kernel: 'sdpa' }, { commit: '0123456789abcdef0123' }, {}];
  const filled = references.flatMap((reference) =>
    gates.map(({ next }) =>
      fillCommand(next, { ...gateNames({ kernel: 'attention', case: 'long', reference }) }),
    ),
  );

  it.each([...new Set(filled)].filter((command) => command.startsWith('pawl ')))(
    '%s is taken by the CLI',
    async (command) => {
      vi.mocked(runAction).mockClear();
      await parse(command);
      expect(runAction).toHaveBeenCalledOnce();
    },
  );
});

async function parse(command: string): Promise<void> {
  const [name, ...rest] = words(command);
  expect(name).toBe('pawl');
  await quiet(await pawlProgram()).parseAsync(rest, { from: 'user' });
}

function quiet(command: Command): Command {
  for (const child of command.commands) quiet(child);
  return command.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
}

/** As the shell that it is pasted into takes it apart. */
function words(command: string): string[] {
  const text = execFileSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' });
  return text.split('\0').slice(0, -1);
}
