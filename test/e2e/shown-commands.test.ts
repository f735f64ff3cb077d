import { describe, expect, it } from 'vitest';

import { pawlProgram } from '../../src/cli/program.ts';
import { commandsIn, examplesBelow, pages } from '../cli/shown-commands.ts';
import { describeScenarios } from './shown-commands/describe-scenarios.ts';
import { makeProject } from './shown-commands/projects.ts';
import { runShell } from './shown-commands/run-shown.ts';
import { ASSISTANTS, FIRST_HOUR, NOT_RUN, SCENARIOS, SERVERS, stepOf } from './shown-commands/table.ts';
import { unprivilegedHome } from './shown-commands/unprivileged.ts';

describe('commands in README.md, docs and help', async () => {
  const examples = examplesBelow(await pawlProgram()).flatMap((one) => one.examples);
  const shown = new Set([
    ...pages()
      .flatMap(commandsIn)
      .map(({ command }) => command),
    ...examples,
  ]);
  const tried = [
    ...SCENARIOS.flatMap(({ steps }) => steps.map((step) => stepOf(step).shown)),
    ...SERVERS.map(({ shown: command }) => command),
    ...ASSISTANTS,
    ...Object.values(NOT_RUN).flat(),
  ];

  it('are each run here, or say what they need instead', () => {
    expect([...shown].filter((command) => !tried.includes(command))).toEqual([]);
  });

  it('are all that the table has, once each', () => {
    expect(tried.filter((command) => !shown.has(command))).toEqual([]);
    expect(tried.filter((command, index) => tried.indexOf(command) !== index)).toEqual([]);
  });

  it('that need a GPU are in docs/testing.md', () => {
    const page = pages().find(({ place }) => place === 'docs/testing.md')!.text;
    const [, list = ''] = /^## Commands that need a GPU\n([\s\S]*?)(?=^## )/mu.exec(page) ?? [];
    const listed = [...list.matchAll(/^- `(.*)`$/gmu)].map(([, command]) => command);
    expect(listed).toEqual(NOT_RUN['an NVIDIA GPU']);
  });
});

describe('as an unprivileged user', () => {
  it('the commands of README.md work, too', { timeout: 600_000 }, async ({ skip }) => {
    const nobody = await unprivilegedHome();
    if ('why' in nobody) return skip(nobody.why);
    const inReadme = new Set(
      pages()
        .filter(({ place }) => place === 'README.md')
        .flatMap(commandsIn)
        .map(({ command }) => command),
    );
    const steps = SCENARIOS.flatMap(({ project, steps: all }) =>
      all.map((step) => ({ project, ...stepOf(step) })),
    );
    for (const { project, shown, ends, before = 'true' } of steps.filter((step) =>
      inReadme.has(step.shown),
    )) {
      const place = { ...nobody, project, folder: await makeProject(project, nobody.home) };
      expect(await runShell(before, place)).toMatchObject({ code: 0 });
      const { code, stderr } = await runShell(shown, place);
      expect(ends, `${shown}\n${stderr}`).toContain(code);
    }
  });
});

describeScenarios(FIRST_HOUR);
