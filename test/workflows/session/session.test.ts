import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { sessionSchema, type Session } from '../../../src/model/learn/session.ts';
import { openStore } from '../../../src/history/store/open-store.ts';
import {
  endSession,
  listSessions,
  noteInSession,
  revertTry,
  sessionStatus,
  startSession,
  tryChange,
} from '../../../src/workflows/session.ts';
import { SessionProject, slowKernel } from './session-project.ts';

const MEASURING = { wait_s: 600 };
/** Machines that run tests count no cycles. */
const ANYWAY = 'this machine has no hardware counters';

let project: SessionProject;

beforeAll(async () => {
  project = await SessionProject.create();
});

type More = Omit<Parameters<typeof tryChange>[0], 'hypothesis'>;

function attempt(hypothesis: string, more: More = {}) {
  return tryChange({ config: project.config, hypothesis, anyway: ANYWAY, ...MEASURING, ...more });
}

/** Without a reason to go on in spite of flags. */
function plainAttempt(hypothesis: string, more: More = {}) {
  return tryChange({ config: project.config, hypothesis, ...MEASURING, ...more });
}

// One session from start to end and a second one after it; each step stands on those before.
describe('a session on a kernel', () => {
  let first: Session;
  let before: string;

  it('starts from the files as they are, with a prediction, and leaves index and branch alone', async () => {
    await project.write('staged.txt', 'half done\n');
    project.git('add', 'staged.txt');
    await project.write('untracked.txt', 'not added\n');
    before = project.gitState();
    first = await startSession({ config: project.config, goal: '1.5x on small' });
    expect(sessionSchema.parse(first)).toEqual(first);
    expect(first).toMatchObject({
      kernel: 'slow',
      kind: 'doubled',
      goal: { speedup: 1.5, case: 'small' },
      state: 'open',
      phase: 'pre-flight',
      next: 'pawl session check',
      by: 'Ann <ann@example.org>',
    });
    expect(first.prediction.sessions).toBe(0);
    expect(project.gitState()).toBe(before);
    const state = `refs/pawl/sessions/${first.id}/0`;
    expect(project.git('rev-parse', state).trim()).toBe(first.reference.commit);
    const files = project.git('ls-tree', '-r', '--name-only', state).trim().split('\n');
    expect(files).toContain('staged.txt');
    expect(files).toContain('untracked.txt');
    expect(files.some((file) => file.startsWith('.pawl'))).toBe(false);
  });

  it('holds a try back that changes nothing', async () => {
    const { measured, try: one } = await plainAttempt('nothing at all');
    expect(measured).toBe(false);
    expect(one.flags).toEqual(['no-change', 'no-profile', 'guess']);
  });

  it('holds a try back that changes two things, and remembers that it did', async () => {
    await project.kernel({ turns: 100_000, more: 7 });
    const { measured, try: one, session } = await plainAttempt('both at once');
    expect(measured).toBe(false);
    expect(one.flags).toContain('several-variables');
    expect(one.change.variables).toEqual([
      { kind: 'constant', name: 'TURNS', from: '50000', to: '100000' },
      { kind: 'constant', name: 'MORE', from: '0', to: '7' },
    ]);
    expect(session.tries).toEqual([]);
    expect(session.notes.at(-1)).toMatchObject({
      text: 'held back (several-variables, no-profile): both at once',
      held_back: ['several-variables', 'no-profile'],
    });
  });

  it('keeps a try that helps, with its diff, its prediction and what it cost', async () => {
    await project.kernel({ turns: 5_000 });
    const { measured, try: one, session } = await attempt('a tenth of the turns', { predict: 80 });
    expect(measured).toBe(true);
    expect(one).toMatchObject({
      number: 1,
      outcome: 'improved',
      kept: true,
      idea: 'TURNS',
      override: ANYWAY,
      change: { files: ['src/slow.cpp'], truncated: false },
      measured: { case: 'small', verdict: 'improved' },
    });
    expect(one.change.diff).toContain('+constexpr int TURNS = 5000;');
    expect(one.share_of_predicted).toBeGreaterThan(0.3);
    expect(one.measured?.cost?.money?.currency).toBe('USD');
    expect(session.cost.device_s).toBeGreaterThan(0);
    expect(session.speedup.first).toBe(1);
    expect(session.speedup.best).toBeGreaterThan(1.3);
    expect(project.git('show', `refs/pawl/sessions/${session.id}/1:src/slow.cpp`)).toContain('TURNS = 5000');
    expect(project.gitState()).toBe(before);
  });

  it('keeps the run of a try as that of a session, off the trend', async () => {
    const store = await openStore(join(project.folder, '.pawl', 'history.db'));
    try {
      expect((await store.runs({ kinds: ['session'] })).items).toHaveLength(1);
      for (const { id } of await store.keys()) expect((await store.trendPoints(id))!.points).toEqual([]);
      expect((await store.overview({ since: new Date(0), until: new Date(8.64e15) })).keys).toEqual([]);
    } finally {
      await store.close();
    }
  });

  it('does not keep a try that makes it slower, and puts the files back when asked, losing nothing', async () => {
    await project.kernel({ turns: 100_000 });
    const { try: one, session } = await attempt('more turns hide the latency');
    expect(one).toMatchObject({ number: 2, outcome: 'worse', kept: false });
    expect(await project.read('src/slow.cpp')).toBe(slowKernel({ turns: 100_000 }));
    await project.write('notes.md', 'written meanwhile\n');
    const { files } = await revertTry({ config: project.config });
    expect(files).toEqual(['src/slow.cpp']);
    expect(await project.read('src/slow.cpp')).toBe(slowKernel({ turns: 5_000 }));
    expect(await project.read('notes.md')).toBe('written meanwhile\n');
    expect(project.git('show', `refs/pawl/sessions/${session.id}/2:src/slow.cpp`)).toContain('100000');
    expect(project.git('show', `refs/pawl/sessions/${session.id}/2-before-revert:notes.md`)).toContain(
      'meanwhile',
    );
    await noteInSession({ config: project.config, text: 'the loop is all there is', try: 2 });
    expect((await sessionStatus({ config: project.config })).tries[1]?.learnt).toBe(
      'the loop is all there is',
    );
  });

  it('takes a wrong result and a build that fails as outcomes', async () => {
    await project.kernel({ turns: 5_000, code: 'this is no C++;' });
    const broken = await attempt('say less', { after: 'revert' });
    expect(broken.try).toMatchObject({ outcome: 'failed', kept: false });
    expect(broken.try.measured?.reason).toMatch(/does not build/);
    await project.kernel({ turns: 5_000, code: 'output(call)[7] += 1;' });
    const wrong = await attempt('round up', { after: 'revert' });
    expect(wrong.try).toMatchObject({
      outcome: 'incorrect',
      kept: false,
      measured: { verdict: 'incorrect' },
    });
    expect(await project.read('src/slow.cpp')).toBe(slowKernel({ turns: 5_000 }));
  });

  it('is stopped by its own tries when they bring nothing, and says so', async () => {
    const session = await sessionStatus({ config: project.config });
    expect(session).toMatchObject({ state: 'stopped' });
    expect(session.gates.find(({ gate }) => gate === 'stop-loss')).toMatchObject({ state: 'failed' });
    await project.kernel({ turns: 4_000 });
    await expect(attempt('once more')).rejects.toThrow(/stopped at the gate stop-loss/);
    await project.kernel({ turns: 5_000 });
  });

  it('ends with what came of it, lessons in the project’s file, and a report', async () => {
    const session = await endSession({ config: project.config, validate: false });
    expect(session).toMatchObject({ state: 'ended', outcome: { reached: false } });
    expect(session.outcome?.speedup).toBe(session.speedup.best);
    expect(session.outcome?.summary).toContain('Not validated: ');
    expect(session.lessons.length).toBeGreaterThan(0);
    const lessons = await project.read('lessons.yaml');
    for (const { id } of session.lessons) expect(lessons).toContain(id);
    const report = await project.read(`.pawl/sessions/${session.id}/report.md`);
    for (const text of [
      '## What went wrong',
      '## What went right',
      '## New patterns',
      '## Time and cost',
      '## Against earlier sessions and the prediction',
      '| try | hypothesis |',
      '+constexpr int TURNS = 5000;',
    ]) {
      expect(report).toContain(text);
    }
    await expect(attempt('too late')).rejects.toThrow('No session is open');
  });

  it('is in history as it is in its journal', async () => {
    const store = await openStore(join(project.folder, '.pawl/history.db'));
    try {
      const own = await sessionStatus({ config: project.config, session: first.id });
      expect(await store.session(first.id)).toEqual(own);
    } finally {
      await store.close();
    }
    expect(await listSessions({ config: project.config })).toMatchObject([{ id: first.id, state: 'ended' }]);
  });

  it('is what the next session is warned by, at its start and before the same mistake', async () => {
    const second = await startSession({ config: project.config, goal: '20 % faster on small' });
    expect(second.prediction.sessions).toBe(1);
    const warned = second.warnings?.filter(({ kind }) => kind === 'earlier-try') ?? [];
    expect(warned.map(({ id }) => id)).toContain(`${first.id}/try-2`);
    expect(warned.find(({ id }) => id.endsWith('/try-2'))?.text).toContain('the loop is all there is');
    await project.kernel({ turns: 80_000 });
    const { measured, try: one } = await plainAttempt('more turns', { measure: false });
    expect(measured).toBe(false);
    expect(one.flags).toContain('repeats-failed-try');
    expect(one.flags).toContain('against-a-lesson');
    expect(one.warnings.map(({ id }) => id)).toContain(`${first.id}/try-2`);
    expect((await sessionStatus({ config: project.config })).notes).toEqual([]);
    await project.kernel({ turns: 5_000 });
  });

  it('tries a value of a tunable without touching a file, and writes it down where it is kept', async () => {
    const { try: one, session } = await attempt('an eighth of the parts', { set: { PARTS: 1 } });
    expect(one).toMatchObject({
      number: 1,
      outcome: 'improved',
      kept: true,
      change: {
        files: [],
        variant: { PARTS: 1 },
        variables: [{ kind: 'tunable', name: 'PARTS', from: '8', to: '1' }],
      },
    });
    expect(await project.read('pawl.yaml')).toContain('default: 1 } # how much of the work is done');
    const after = await attempt('nothing new', { measure: false });
    expect(after.try.flags).toContain('no-change');
    expect(session.revision).toBeGreaterThan(3);
    await expect(attempt('odd', { set: { PARTS: 3 } })).rejects.toThrow('3 is not a value of PARTS');
    expect(existsSync(join(project.folder, '.pawl/sessions', session.id, 'journal.jsonl'))).toBe(true);
  });
});
