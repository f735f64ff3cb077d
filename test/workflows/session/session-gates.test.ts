import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { Session } from '../../../src/model/learn/session.ts';
import {
  evaluateGates,
  noteInSession,
  overrideGate,
  sessionStatus,
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

describe('gates about tries', () => {
  it('are asked after a try whose idea is named, as after any other', async () => {
    const project = await SessionProject.create();
    const { config } = project;
    await startSession({ config, goal: '1.5x on small' });
    const wrong = {
      config,
      idea: 'rounding',
      anyway: 'to see it stop',
      after: 'revert',
      wait_s: 600,
    } as const;
    await project.kernel({ code: 'output(call)[7] += 1;' });
    const first = await tryChange({ ...wrong, hypothesis: 'round up' });
    expect(stateOf(first.session, 'one-idea')).toBe('passed');
    await project.kernel({ code: 'output(call)[7] -= 1;' });
    const { session } = await tryChange({ ...wrong, hypothesis: 'round down' });
    expect(stateOf(session, 'stop-loss')).toBe('failed');
    expect(session.state).toBe('stopped');
  });
});

describe('a session check that is interrupted', () => {
  it('writes down no gate, for what half a measurement says is no evidence', async () => {
    const project = await SessionProject.create();
    const { config } = project;
    const { id } = await startSession({ config, goal: '1.5x on small' });
    const interrupt = new AbortController();
    const checked = evaluateGates({
      config,
      gates: ['smallest-case-correct'],
      signal: interrupt.signal,
      wait_s: 600,
      onProgress: (event) => {
        // The gate was begun.
        if (event.type === 'note' && event.text.endsWith('…')) interrupt.abort();
      },
    });
    await expect(checked).rejects.toThrow('Interrupted');
    const session = await sessionStatus({ config, session: id });
    expect(stateOf(session, 'smallest-case-correct')).toBe('open');
  });
});

function stateOf({ gates }: Session, id: string) {
  return gates.find(({ gate }) => gate === id)?.state;
}

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

  it('is measured against a commit that is named, and not against the files it started from', async () => {
    const project = await SessionProject.create();
    const { config } = project;
    const commit = project.git('rev-parse', 'HEAD').trim();
    await project.kernel({ turns: 500 });
    const session = await startSession({ config, goal: '≤ 1 ns on small', reference: 'main', wait_s: 600 });
    expect(session.reference).toEqual({ commit, revision: 'main' });
    expect(session.speedup).toEqual({});
    expect(session.cost.device_s).toBeGreaterThan(0);
    expect(project.git('rev-parse', `refs/pawl/sessions/${session.id}/reference`).trim()).toBe(commit);
    const checked = await evaluateGates({ config, gates: ['not-a-bug'], wait_s: 600 });
    expect(checked.speedup.first).toBeGreaterThan(1.5);
    // The goal is one of the commit's time.
    const files = await startSession({ config, goal: '≤ 1 ns on small', wait_s: 600 });
    expect(session.goal.speedup).toBeGreaterThan(1.5 * files.goal.speedup);
  });

  it('refuses a reference that is neither a kernel nor a commit, or has no pawl.yaml', async () => {
    const project = await SessionProject.create();
    const { config } = project;
    const asked = { config, goal: '2x on small' };
    await expect(startSession({ ...asked, reference: 'nowhere' })).rejects.toThrow(
      'neither a kernel of pawl.yaml nor a commit',
    );
    const empty = project.git(
      'commit-tree',
      '-m',
      'empty',
      project.git('write-tree', '--prefix=src/').trim(),
    );
    await expect(startSession({ ...asked, reference: empty.trim() })).rejects.toThrow('has no pawl.yaml');
  });

  it('refuses what it cannot be about, and names what there is', async () => {
    const { config } = await SessionProject.create();
    await expect(startSession({ config, goal: '2x on tiny' })).rejects.toThrow('no kernel with a case tiny');
    await expect(startSession({ config, goal: '2x', kernel: 'fast' })).rejects.toThrow('no kernel');
    await expect(startSession({ config, goal: '2x', reference: 'slow', kernel: 'slow' })).rejects.toThrow(
      'slow cannot be its own reference',
    );
    await expect(noteInSession({ config, text: 'x' })).rejects.toThrow('No session is open');
    await expect(noteInSession({ config, session: '../../etc', text: 'x' })).rejects.toThrow(
      'There is no session',
    );
  });
});
