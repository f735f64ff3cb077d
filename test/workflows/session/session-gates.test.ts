import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import {
  evaluateGates,
  noteInSession,
  overrideGate,
  startSession,
  tryChange,
} from '../../../src/workflows/session.ts';
import { SessionProject } from './session-project.ts';

describe('the gates of a session', () => {
  it('stop it at a kernel that does not build, until that passes or is overridden with a reason', async () => {
    const project = await SessionProject.create();
    const { config } = project;
    await project.kernel({ code: 'this is no C++;' });
    const { phases } = await startSession({ config, goal: '1.5x on small' });
    expect(phases).toContainEqual(
      expect.objectContaining({ phase: 'optimise', title: 'Profile and optimise' }),
    );
    await expect(overrideGate({ config, gate: 'builds', reason: 'not looked at' })).rejects.toThrow(
      'not evaluated yet',
    );
    const stopped = await evaluateGates({ config, wait_s: 600 });
    expect(stopped).toMatchObject({ state: 'stopped', phase: 'pre-flight', next: 'pawl build --only slow' });
    const gate = stopped.gates.find((each) => each.gate === 'builds');
    expect(gate).toMatchObject({ state: 'failed' });
    expect(gate?.took_s).toBeGreaterThanOrEqual(0);
    expect(stopped.gates.filter(({ state }) => state === 'open').length).toBeGreaterThan(5);

    const attempt = { config, hypothesis: 'guess', anyway: 'why not', wait_s: 600 };
    await expect(tryChange(attempt)).rejects.toThrow('The session is stopped at the gate builds');
    await expect(overrideGate({ config, gate: 'builds', reason: ' ' })).rejects.toThrow('needs a reason');
    await expect(overrideGate({ config, gate: 'build', reason: 'x' })).rejects.toThrow(
      'did you mean `builds`',
    );
    const overridden = await overrideGate({ config, gate: 'builds', reason: 'it is to fail', by: 'Bea' });
    expect(overridden.state).toBe('open');
    expect(overridden.gates.find((each) => each.gate === 'builds')).toMatchObject({
      state: 'overridden',
      override: { reason: 'it is to fail', by: 'Bea' },
    });

    await project.kernel();
    const passed = await evaluateGates({ config, gates: ['builds', 'smallest-case-correct'], wait_s: 600 });
    expect(passed.gates.find((each) => each.gate === 'builds')).toMatchObject({ state: 'passed' });
    expect(passed.gates.find((each) => each.gate === 'smallest-case-correct')).toMatchObject({
      state: 'passed',
    });
    expect(passed.cost.device_s).toBeGreaterThan(0);
    expect(passed.cost.money?.amount).toBeGreaterThan(0);
    await expect(evaluateGates({ config, gates: ['nonsense'] })).rejects.toThrow(
      'The method has no gate nonsense',
    );
  });
});

describe('a session', () => {
  it('needs a git repository, and says how to make one', async () => {
    const project = await SessionProject.create();
    await rm(join(project.folder, '.git'), { recursive: true });
    await expect(startSession({ config: project.config, goal: '1.5x on small' })).rejects.toMatchObject({
      kind: 'configuration',
      hint: expect.stringContaining('git init') as string,
    });
  });

  it('needs its pawl.yaml in git, since states are built from what git has', async () => {
    const project = await SessionProject.create();
    project.git('rm', '--quiet', '--cached', 'pawl.yaml');
    await project.write('.gitignore', '.pawl/\npawl.yaml\n');
    await expect(startSession({ config: project.config, goal: '1.5x on small' })).rejects.toThrow(
      'git ignores pawl.yaml',
    );
  });

  it('turns a time into a speed-up by measuring, and refuses where that cannot be measured', async () => {
    const project = await SessionProject.create();
    const { config } = project;
    const session = await startSession({ config, goal: '≤ 1 ns on small', wait_s: 600 });
    expect(session.goal.speedup).toBeGreaterThan(1000);
    expect(session.cost.device_s).toBeGreaterThan(0);
    await project.kernel({ code: 'output(call)[7] += 1;' });
    await expect(startSession({ config, goal: '≤ 1 ms on small', wait_s: 600 })).rejects.toThrow(
      /The goal is a time, and slow could not be measured at small/,
    );
  });

  it('refuses what it cannot be about, and names what there is', async () => {
    const { config } = await SessionProject.create();
    await expect(startSession({ config, goal: '2x on tiny' })).rejects.toThrow('no kernel with a case tiny');
    await expect(startSession({ config, goal: '2x', kernel: 'fast' })).rejects.toThrow('no kernel');
    await expect(startSession({ config, goal: '2x', reference: 'slow', kernel: 'slow' })).rejects.toThrow(
      'A kernel is no reference for itself',
    );
    await expect(noteInSession({ config, text: 'x' })).rejects.toThrow('No session is open');
    await expect(noteInSession({ config, session: '../../etc', text: 'x' })).rejects.toThrow(
      'There is no session',
    );
  });
});
