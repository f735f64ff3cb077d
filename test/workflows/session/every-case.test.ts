import { beforeAll, describe, expect, it } from 'vitest';

import { endSession, overrideGate, startSession, tryChange } from '../../../src/workflows/session.ts';
import { SessionProject } from './session-project.ts';

const MEASURING = { wait_s: 600 };

let project: SessionProject;

function attempt(hypothesis: string, more: Partial<Parameters<typeof tryChange>[0]> = {}) {
  return tryChange({
    config: project.config,
    hypothesis,
    idea: hypothesis,
    anyway: 'there are no counters here',
    ...MEASURING,
    ...more,
  });
}

/** Tries that are to fail would stop the session. */
async function attemptOnceMore(hypothesis: string) {
  const reason = 'these are to fail';
  await overrideGate({ config: project.config, gate: 'stop-loss', reason, by: 'test' });
  return attempt(hypothesis);
}

/** Wrong where the last elements are not a whole vector: only the second case has such. */
const RAGGED = 'if (call->dims[0].value % 8 != 0) static_cast<float *>(call->tensors[1].data)[0] += 1;';

describe('a try in a project with several cases', () => {
  beforeAll(async () => {
    project = await SessionProject.create();
    const config = await project.read('pawl.yaml');
    await project.write(
      'pawl.yaml',
      config.replace('{ small: { N: 1000 } }', '{ small: { N: 1000 }, ragged: { N: 1003 } }'),
    );
    await startSession({ config: project.config, goal: '1.5x on small' });
  });

  it('is incorrect where a case that is not the goal’s is wrong, and cannot be kept', async () => {
    await project.kernel({ turns: 5_000, code: RAGGED });
    const { try: one, session } = await attempt('fewer turns', { after: 'keep' });
    expect(one).toMatchObject({
      outcome: 'incorrect',
      kept: false,
      measured: { case: 'ragged', verdict: 'incorrect' },
    });
    expect(one.measured?.reason).toMatch(/^ragged: /);
    // Nothing wrong has a speed.
    expect(one.measured?.change_pct).toBeUndefined();
    expect(session.speedup.best).toBe(1);
  });

  it('is incorrect with its cause where it crashes or hangs, in the check or when it is timed', async () => {
    await project.kernel({ turns: 5_000, code: '*(volatile int *)nullptr = 0;' });
    const crashed = await attempt('a crash');
    expect(crashed.try.outcome).toBe('incorrect');
    expect(crashed.try.measured?.reason).toMatch(/SIGSEGV/);

    await project.kernel({
      turns: 5_000,
      code: 'static int calls = 0; if (++calls > 40) *(volatile int *)nullptr = 0;',
    });
    const later = await attemptOnceMore('a crash after some calls');
    expect(later.try.outcome, JSON.stringify(later.try.measured)).toBe('incorrect');
    expect(later.try.measured?.reason).toMatch(/SIGSEGV/);
  });

  it('validates what was kept when it ends at a gate, and says what was reached', async () => {
    await project.kernel({ turns: 5_000 });
    const kept = await attemptOnceMore('fewer turns, and right');
    expect(kept.try).toMatchObject({ outcome: 'improved', kept: true });
    await project.kernel({ turns: 5_000, more: 40_000 });
    await attempt('more turns');
    await project.kernel({ turns: 5_000, more: 30_000 });
    const { session } = await attempt('more turns again');
    expect(session.state).toBe('stopped');
    // What it asks for is a call for an assistant.
    const refused: unknown = await attempt('once more').catch((error: unknown) => error);
    expect(refused).toMatchObject({ isOwnHint: true, command: session.next });
    await project.kernel({ turns: 5_000 });
    const ended = await endSession({ config: project.config, summary: 'Turns cost.', ...MEASURING });
    expect(ended.outcome).toMatchObject({ reached: true });
    expect(ended.outcome?.summary).toMatch(
      /^Reached: [\d.]+× at small, of 1\.50× wanted\. 1 of 6 tries kept\. Validated\. It ended at the gate stop-loss\. Turns cost\.$/u,
    );
  });
});

describe('a try on a kernel that is wrong', () => {
  it('has corrected it, is kept, and teaches nothing about being slow', async () => {
    project = await SessionProject.create();
    const config = await project.read('pawl.yaml');
    await project.write(
      'pawl.yaml',
      config.replace('{ small: { N: 1000 } }', '{ small: { N: 1000 }, ragged: { N: 1003 } }'),
    );
    await project.kernel({ turns: 5_000, code: RAGGED });
    await startSession({ config: project.config, goal: '1.5x on small' });
    await project.kernel({ turns: 20_000 });
    const { try: one } = await attempt('right, with more turns');
    expect(one).toMatchObject({ outcome: 'corrected', kept: true, measured: { verdict: 'regressed' } });
    const ended = await endSession({ config: project.config, validate: false, ...MEASURING });
    expect(ended.lessons).toEqual([]);
  });
});
