/**
 * The session that the method was made for, replayed: a kernel at 0.12 of its reference, a tile size changed by guess,
 * 0.09, three hours. Gates are evaluated on real measurements of a kernel that takes eight times as long as another;
 * the profile is a recorded one of a kernel that spills, since machines that run tests have no counters.
 */
import { resolve } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { advise } from '../../../src/workflows/advise.ts';
import {
  endSession,
  evaluateGates,
  overrideGate,
  revertTry,
  startSession,
  tryChange,
} from '../../../src/workflows/session.ts';
import { SessionProject, slowKernel } from './session-project.ts';

const RECORDED = resolve(import.meta.dirname, '../../fixtures/ncu-attention/attention_spilled.raw.csv');
const GATES = ['smallest-case-correct', 'smallest-speedup'];

let project: SessionProject;
let first: string;

beforeAll(async () => {
  project = await SessionProject.create();
  await project.write('src/library.cpp', slowKernel({ turns: 6_000 }).replace('PARTS *', '8 *'));
  const config = await project.read('pawl.yaml');
  const library = '  library: { problem: doubled, device: cpu, language: c++, sources: [src/library.cpp] }\n';
  const tile = '      TILE: { values: [32, 64], default: 64 }\n';
  await project.write('pawl.yaml', config.replace('measure:', `${tile}${library}measure:`));
});

describe('the session that guessed', () => {
  it('is stopped at the gate, told to profile, and the profile names the fix', async () => {
    const { config } = project;
    const started = await startSession({
      config,
      goal: '1.2x on small',
      kernel: 'slow',
      reference: 'library',
    });
    first = started.id;
    const stopped = await evaluateGates({ config, gates: GATES, wait_s: 600 });
    expect(stopped).toMatchObject({ state: 'stopped', next: 'pawl profile slow --case small' });
    const gate = stopped.gates.find((each) => each.gate === 'smallest-speedup');
    expect(gate?.state).toBe('failed');
    expect(gate?.reason).toContain('do not guess');
    expect(stopped.speedup.first).toBeLessThan(0.5);

    await project.kernel({ turns: 100_000 });
    const guess = { config, hypothesis: 'a larger tile', idea: 'tile size', wait_s: 600 };
    await expect(tryChange({ ...guess, anyway: 'it might' })).rejects.toThrow('smallest-speedup');

    const advice = await advise({ config, kernel: 'slow', profile: RECORDED });
    expect(advice.fixes[0]).toMatchObject({ rank: 1, rule: 'register-spill' });
  });

  it('has its guess on record where somebody insists, and what that cost', async () => {
    const { config } = project;
    await overrideGate({
      config,
      gate: 'smallest-speedup',
      reason: 'the tile is surely too small',
      by: 'Bo',
    });
    const { try: look } = await tryChange({
      config,
      hypothesis: 'a smaller tile',
      set: { TILE: 32 },
      measure: false,
    });
    expect(look.warnings.map(({ id }) => id)).toContain('tile-by-guess');
    const { try: one } = await tryChange({
      config,
      hypothesis: 'a larger tile',
      idea: 'tile size',
      anyway: 'it might',
      learnt: 'nobody had looked where the time goes',
      wait_s: 600,
    });
    expect(one).toMatchObject({ outcome: 'worse', kept: false });
    await revertTry({ config });
    const ended = await endSession({ config });
    expect(ended.outcome).toMatchObject({ reached: false });
    expect(ended.lessons.map(({ id }) => id)).toEqual(
      expect.arrayContaining([expect.stringContaining('turns'), expect.stringContaining('smallest-speedup')]),
    );
    const report = await project.read(`.pawl/sessions/${ended.id}/report.md`);
    expect(report).toContain('the tile is surely too small');
    expect(report).toContain('nobody had looked where the time goes');
  });

  it('is what the second session on the kernel is warned of, by the try and by the lesson', async () => {
    const { config } = project;
    const second = await startSession({
      config,
      goal: '1.2x on small',
      kernel: 'slow',
      reference: 'library',
    });
    expect(second.warnings?.map(({ text }) => text).join('\n')).toContain(
      'nobody had looked where the time goes',
    );
    await project.kernel({ turns: 120_000 });
    const { measured, try: one } = await tryChange({
      config,
      hypothesis: 'an even larger tile',
      wait_s: 600,
    });
    expect(measured).toBe(false);
    expect(one.flags).toEqual(
      expect.arrayContaining(['repeats-failed-try', 'against-a-lesson', 'no-profile', 'guess']),
    );
    const told = one.warnings.find(({ id }) => id === `${first}/try-1`);
    expect(told?.text).toContain('because nobody had looked where the time goes');
  });
});
