import { beforeAll, describe, expect, it } from 'vitest';

import type { Session } from '../../../src/model/learn/session.ts';
import {
  endSession,
  overrideGate,
  sessionStatus,
  startSession,
  tryChange,
} from '../../../src/workflows/session.ts';
import { ATTACKS, JudgeProject, kernel } from './judge-project.ts';

// One session; each step stands on those before.
describe('a session whose tries alter their own judge', () => {
  let project: JudgeProject;
  let started: Session;

  beforeAll(async () => {
    project = await JudgeProject.create();
    started = await startSession({ config: project.folder, goal: '1.5x on small', kernel: 'right' });
  });

  async function attempt(hypothesis: string, more: { after?: 'keep'; acceptJudgeChange?: boolean } = {}) {
    const anyway = 'this is about the judge';
    const target = { config: project.folder, session: started.id };
    // Two tries without gain stop a session, and these are meant to bring nothing.
    for (const { gate, state } of (await sessionStatus(target)).gates) {
      if (state === 'failed') await overrideGate({ ...target, gate, reason: anyway, by: 'Ann' });
    }
    const tried = await tryChange({
      ...target,
      hypothesis,
      idea: hypothesis,
      anyway,
      wait_s: 600,
      processes: 6,
      ...more,
    });
    return tried.try;
  }

  const easy = ATTACKS.filter(({ name }) => /header that|remove the oracle|1e9|rename/u.test(name));

  it.each(easy)('a wrong try stays wrong: $name', async ({ name, kinds, alter }) => {
    project.reset();
    await alter(project);
    await project.write('src/right.cpp', kernel(0, 0));
    const one = await attempt(`zeros are quick: ${name}`);
    expect(one.outcome).toBe('incorrect');
    expect(one.measured?.judge_changes?.map(({ kind }) => kind)).toEqual(expect.arrayContaining([...kinds]));
  });

  it('a try that is faster is undecided at best, and is not kept by itself', async () => {
    project.reset();
    await project.edit('pawl.yaml', ['atol: 0.001', 'atol: 0.1']);
    await project.write('src/right.cpp', kernel(2, 1000));
    const one = await attempt('a loose tolerance, and less to do');
    expect(one).toMatchObject({ outcome: 'undecided', kept: false, measured: { verdict: 'undecided' } });
    expect(one.measured?.reason).toMatch(/^improved by the base's judge: .*until a person accepts/u);
  });

  it('the judge stays that of the start, also after a try that alters it was kept', async () => {
    const kept = await attempt('the same, kept all the same', { after: 'keep' });
    expect(kept).toMatchObject({ outcome: 'undecided', kept: true });
    await project.write('src/right.cpp', kernel(2.05, 0));
    expect(await attempt('a little wrong, for the loose tolerance')).toMatchObject({
      outcome: 'incorrect',
      measured: { judge_changes: [{ text: 'tolerance of doubled: atol: 0.001 → 0.1' }] },
    });
  });

  it('what a person accepts is the judge from then on', async () => {
    await project.write('src/right.cpp', kernel(2, 500));
    const accepted = await attempt('accepted', { acceptJudgeChange: true, after: 'keep' });
    expect(accepted.measured?.judge_accepted?.by).toBe('Ann <ann@example.org>');
    await project.edit('src/right.cpp', ['#include', '// a remark\n#include']);
    const next = await attempt('nothing to do with the judge');
    expect(next.outcome).toBe('no-gain');
    expect(next.measured?.judge_changes).toBeUndefined();
  });

  it('ends without its goal while the files alter their judge', async () => {
    await project.edit('pawl.yaml', ['atol: 0.1', 'atol: 1e9']);
    const { outcome } = await endSession({ config: project.folder, session: started.id, validate: false });
    expect(outcome).toMatchObject({
      reached: false,
      judge_changes: [{ text: 'tolerance of doubled: atol: 0.1 → 1000000000' }],
      summary: expect.stringMatching(/a person has to accept/u),
    });
  });
});

describe('a session against another kernel', () => {
  it('names a reference that was made slower meanwhile', async () => {
    const project = await JudgeProject.create();
    await project.write('src/other.cpp', kernel(2, 1000));
    await project.edit('pawl.yaml', [
      'measure:',
      '  other: { problem: doubled, device: cpu, language: c++, sources: [src/other.cpp] }\nmeasure:',
    ]);
    project.commit('a reference');
    const { id } = await startSession({
      config: project.folder,
      goal: '1.5x on small',
      kernel: 'right',
      reference: 'other',
    });
    await project.write('src/other.cpp', kernel(2, 180_000));
    const { outcome } = await endSession({ config: project.folder, session: id, validate: false });
    expect(outcome).toMatchObject({
      reached: false,
      judge_changes: [{ kind: 'reference', text: 'src/other.cpp, the reference other, was edited' }],
    });
  });
});
