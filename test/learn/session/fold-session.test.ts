import { describe, expect, it } from 'vitest';

import { foldSession, keptState } from '../../../src/learn/session/fold-session.ts';
import { flagsOfTry } from '../../../src/learn/session/flags-of-try.ts';
import { outcomeOfSession } from '../../../src/learn/session/session-outcome.ts';
import type { SessionRecord } from '../../../src/model/learn/session-record.ts';
import { sessionSchema } from '../../../src/model/learn/session.ts';
import { at, gate, kept, measured, started, tried } from './session-records.ts';

const PASSED = [gate('builds', 1), gate('room', 2), gate('profiled', 3)];

describe('a session', () => {
  it('is a document of its schema at every line of its journal', () => {
    const records = [started(), ...PASSED, tried(1, 5), measured(1, 8, 20), kept(1, 8)];
    records.forEach((_, last) => {
      const session = foldSession(records.slice(0, last + 1));
      expect(sessionSchema.parse(session)).toEqual(session);
      expect(session.revision).toBe(last + 1);
    });
  });

  it('is in the first phase that has a gate left, and validates only when somebody begins to', () => {
    expect(foldSession([started()]).phase).toBe('pre-flight');
    expect(foldSession([started(), gate('builds', 1)]).phase).toBe('assessment');
    expect(foldSession([started(), ...PASSED]).phase).toBe('optimise');
    expect(foldSession([started(), ...PASSED, gate('matrix', 4)]).phase).toBe('validate');
  });

  it('stops at a gate that fails or is unknown, and goes on when that passes or is overridden', () => {
    for (const state of ['failed', 'unknown'] as const) {
      const stopped = [started(), gate('builds', 1, { state, next: 'pawl build' })];
      expect(foldSession(stopped)).toMatchObject({ state: 'stopped', next: 'pawl build' });
      expect(foldSession([...stopped, gate('builds', 2)])).toMatchObject({ state: 'open' });
      const overridden = foldSession([
        ...stopped,
        { type: 'overridden', at: at(2), gate: 'builds', reason: 'a toy', by: 'Ann' },
      ]);
      expect(overridden.state).toBe('open');
      expect(overridden.gates[0]).toMatchObject({
        state: 'overridden',
        override: { reason: 'a toy', by: 'Ann', at: at(2) },
      });
      expect(overridden.notes.map(({ text }) => text)).toEqual(['overrode builds: a toy']);
    }
  });

  it('does not stop at a gate that only warns', () => {
    const session = foldSession([started(), gate('builds', 1, { state: 'unknown' }, { stops: false })]);
    expect(session.state).toBe('open');
  });

  it('counts time by phase, leaves pauses out, and counts of a long gap what a command worked', () => {
    const long = { ...measured(1, 145, 10), cost: { wall_s: 3000, device_s: 2000 } } as SessionRecord;
    const session = foldSession([
      started(),
      gate('builds', 10, { took_s: 120 }),
      // Lunch, and then a minute of measuring.
      gate('room', 70, { took_s: 60 }),
      gate('profiled', 75),
      tried(1, 85),
      // A measurement of 50 minutes is no pause.
      long,
    ]);
    const minutes = Object.fromEntries(session.phases.map(({ phase, spent_s }) => [phase, spent_s / 60]));
    expect(minutes).toEqual({ 'pre-flight': 10, assessment: 1, optimise: 65, validate: 0 });
    expect(session.phases.find(({ phase }) => phase === 'optimise')?.device_s).toBe(2000);
  });

  it('counts the time before validation is begun where it was spent', () => {
    const session = foldSession([started(), ...PASSED, gate('matrix', 23, { took_s: 60 })]);
    const minutes = Object.fromEntries(session.phases.map(({ phase, spent_s }) => [phase, spent_s / 60]));
    expect(minutes).toMatchObject({ optimise: 20, validate: 1 });
  });

  it('sums what runs cost', () => {
    const records = [
      started(),
      ...PASSED,
      tried(1, 5),
      measured(1, 6, 10),
      kept(1, 6),
      tried(2, 7),
      measured(2, 8, 5),
    ];
    expect(foldSession(records).cost).toEqual({
      wall_s: 120,
      device_s: 60,
      money: { amount: 0.2, currency: 'USD' },
    });
  });

  it('opens the gates of the current state again when a change is kept, but not those that were overridden', () => {
    const change = [tried(1, 5), measured(1, 8, 20), kept(1, 8)];
    const session = foldSession([started(), ...PASSED, gate('matrix', 4), ...change]);
    const states = Object.fromEntries(session.gates.map((each) => [each.gate, each.state]));
    expect(states).toEqual({ builds: 'passed', room: 'passed', profiled: 'open', matrix: 'open' });
    expect(session.next).toBe('pawl session check');
    const override = {
      type: 'overridden',
      at: at(4),
      gate: 'profiled',
      reason: 'no counters',
      by: 'Ann',
    } as const;
    const overridden = foldSession([started(), ...PASSED, override, ...change]);
    expect(overridden.gates.find((each) => each.gate === 'profiled')?.state).toBe('overridden');
  });

  describe('where no profiler can run', () => {
    const noProfiler = gate('profiled', 3, {
      state: 'skipped',
      evidence: {
        kind: 'profile',
        taken_at: at(3),
        facts: { can_profile: false },
        sources: [],
        lines: [],
      },
    });
    const open = [started(), gate('builds', 1), gate('room', 2), noProfiler];

    it('goes on without a profile, also after a change that is kept', () => {
      const session = foldSession([...open, tried(1, 5), measured(1, 8, 20), kept(1, 8)]);
      expect(session.gates.find((each) => each.gate === 'profiled')?.state).toBe('skipped');
      const flags = flagsOfTry({
        changes: 1,
        rule: 'bank-conflicts',
        idea: 'padding',
        session,
        warnings: [],
        isAgainstLesson: false,
        earlier: new Map(),
        triesPerIdea: 3,
        profileGates: ['profiled'],
      });
      expect(flags).toEqual([]);
    });

    it('never names a profile as the next command', () => {
      const evidence = { taken_at: at(4), facts: {}, sources: [], lines: [] };
      const stopped = { state: 'failed', next: 'pawl profile attention --case small' } as const;
      const byTries = gate('stop-loss', 4, { ...stopped, evidence: { kind: 'tries', ...evidence } });
      expect(foldSession([...open, byTries]).next).toBe('pawl session end');
      const bySpeed = gate('not-a-bug', 4, { ...stopped, evidence: { kind: 'baseline', ...evidence } });
      expect(foldSession([...open, bySpeed]).next).toMatch(/^pawl session override not-a-bug --reason "/u);
    });

    it('goes by what the next command needs, whatever it is called', () => {
      const next = 'make profile-all';
      const evidence = { kind: 'tries' as const, taken_at: at(4), facts: {}, sources: [], lines: [] };
      const stopped = { state: 'failed' as const, next, evidence };
      const needing = gate('stop-loss', 4, { ...stopped, needs: 'profiler' });
      expect(foldSession([...open, needing]).next).toBe('pawl session end');
      expect(foldSession([...open, gate('stop-loss', 4, stopped)]).next).toBe(next);
    });
  });

  it('multiplies the speed-up at the start by what kept tries gained', () => {
    const facts = { speedup_now: 0.5 };
    const evidence = { kind: 'room', taken_at: at(2), facts, sources: [], lines: [] } as const;
    const records = [
      started(),
      gate('room', 2, { evidence: { ...evidence, sources: [], lines: [] } }),
      tried(1, 3),
      measured(1, 4, 50),
      kept(1, 4),
      tried(2, 5),
      measured(2, 6, -20),
      kept(2, 6, false),
      tried(3, 7),
      measured(3, 8, 20),
      kept(3, 8),
    ];
    const { speedup } = foldSession(records);
    expect(speedup.first).toBe(0.5);
    expect(speedup.best).toBeCloseTo(0.5 * 2 * 1.25, 12);
    expect(keptState(records)).toBe('state-3');
  });

  it('knows the speed-up at the start from the reference and the first try where no gate tells it', () => {
    const evidence = {
      kind: 'reference',
      taken_at: at(1),
      facts: { reference_target_ms: 0.12 },
      sources: [],
      lines: [],
    };
    const session = foldSession([
      started(),
      gate('builds', 1, { evidence: evidence as never }),
      tried(1, 3),
      measured(1, 4, 50),
      kept(1, 4),
    ]);
    expect(session.speedup.first).toBeCloseTo(0.12, 12);
    expect(session.speedup.best).toBeCloseTo(0.24, 12);
  });

  it('makes no speed-up of a try that would leave nothing of the time', () => {
    const change = [tried(1, 5), measured(1, 8, 100), kept(1, 8)];
    const session = foldSession([started({ reference: { commit: 'aaaa' } }), ...PASSED, ...change]);
    expect(session.speedup).toEqual({ first: 1, best: 1 });
  });

  it('does not start at 1 where its reference is a commit that was named', () => {
    const reference = { commit: 'bbbb', revision: 'main' };
    expect(foldSession([started({ reference })]).speedup).toEqual({});
  });

  it('starts at 1 where its reference is the state that it started from', () => {
    expect(foldSession([started({ reference: { commit: 'aaaa' } })]).speedup).toEqual({ first: 1, best: 1 });
  });

  it('has reached its goal only when validation is done', () => {
    const change = [tried(1, 5), measured(1, 8, 50), kept(1, 8)];
    const open = foldSession([started({ reference: { commit: 'aaaa' } }), ...PASSED, ...change]);
    expect(outcomeOfSession(open)).toMatchObject({ reached: false, speedup: 2 });
    expect(outcomeOfSession(open).summary).toContain('Not validated: matrix');
    const done = foldSession([
      started({ reference: { commit: 'aaaa' } }),
      ...PASSED,
      ...change,
      gate('profiled', 9),
      gate('matrix', 10),
    ]);
    expect(outcomeOfSession(done)).toMatchObject({ reached: true });
  });
});
