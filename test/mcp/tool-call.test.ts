import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import { fillCommand } from '../../src/learn/gates/fill-template.ts';
import { gateNames } from '../../src/learn/gates/gate-names.ts';
import { offeredTools } from '../../src/mcp/server/create-server.ts';
import { toolCall, type ToolCall } from '../../src/mcp/tool-call.ts';
import { projectMethod } from '../../src/workflows/method.ts';

const SRC = resolve(import.meta.dirname, '../../src');
const OFFERED = offeredTools(true);
const NAMES = OFFERED.map(({ name }) => name);

/** What is to be filled in is left out; the rest has to be what the tool takes. */
function accepts({ tool, arguments: given, fill = [] }: ToolCall): boolean {
  const { input } = OFFERED.find(({ name }) => name === tool)!;
  const filled = Object.fromEntries(fill.map((field) => [field, 'something']));
  return input.safeParse({ ...filled, ...given }).success;
}

/** No tool shows the processes of a GPU or what things cost: these stay commands. */
const NO_TOOL = ['nvidia-smi', 'pawl cost'];

describe('a remedy', () => {
  it.each([{ kernel: 'fast' }, { commit: 'abcdef0123456789' }])(
    'of every gate is a call that exists and is accepted, with the reference %o',
    async (reference) => {
      const { gates } = await projectMethod(undefined);
      const names = gateNames({ kernel: 'mine', case: 'small', reference });
      const facts = { smallest: 'tiny', size_last: 'large', batch_last: 'many' };
      for (const { id, next } of gates) {
        const command = fillCommand(next, { ...facts, ...names });
        if (NO_TOOL.includes(command)) continue;
        const call = toolCall(command);
        expect(call, `${id}: ${command}`).toBeDefined();
        expect(accepts(call!), `${id}: ${JSON.stringify(call)}`).toBe(true);
      }
    },
  );

  it.each([
    ['pawl device --calibrate --threads 1', 'pawl_device', { calibrate: true, threads: [1] }],
    ['pawl fuzz --only softmax --case ragged', 'pawl_fuzz', { only: ['softmax'], cases: ['ragged'] }],
    ['pawl init', 'pawl_init', {}],
    ['pawl session check --validate', 'pawl_session_check', { validate: true }],
    ['pawl session show 20261118-a', 'pawl_session_status', { session: '20261118-a' }],
    [
      'pawl session override room --reason "no profiler can run here"',
      'pawl_session_override',
      { gate: 'room', reason: 'no profiler can run here' },
    ],
  ])('%s is a call of %s', (command, tool, given) => {
    const call = toolCall(command);
    expect(call).toEqual({ tool, arguments: given });
    expect(accepts(call!)).toBe(true);
  });

  it('says what is to be filled in', () => {
    expect(toolCall('pawl preflight --reference KERNEL_OR_COMMIT')).toEqual({
      tool: 'pawl_preflight',
      arguments: {},
      fill: ['reference'],
    });
    expect(toolCall('pawl session try --hypothesis "what you expect, and why"')).toEqual({
      tool: 'pawl_session_try',
      arguments: {},
      fill: ['hypothesis'],
    });
  });

  it('is none where the server does not offer the tool, or nothing does it', () => {
    expect(toolCall('pawl history prune')).toBeUndefined();
    expect(toolCall('pawl history prune', NAMES)).toMatchObject({ tool: 'pawl_history_prune' });
    expect(toolCall('rm -rf /')).toBeUndefined();
  });

  it('that a failure names is a call wherever a tool does it', async () => {
    const commands = new Set<string>();
    for (const file of await readdir(SRC, { recursive: true })) {
      if (!file.endsWith('.ts')) continue;
      const text = await readFile(join(SRC, file), 'utf8');
      for (const [, command] of text.matchAll(/ownHint\([^)]*?,\s*'([a-z ]+)',?\s*\)/gu))
        commands.add(command!);
    }
    expect(commands.size).toBeGreaterThan(8);
    // Reading runs into the history is for people.
    commands.delete('history import');
    for (const command of commands) {
      const call = toolCall(command, NAMES);
      expect(call, command).toBeDefined();
      expect(accepts(call!), command).toBe(true);
    }
  });
});
