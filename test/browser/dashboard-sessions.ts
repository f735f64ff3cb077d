/** Sessions of a made-up project: fourteen that ended, one that stopped at a gate, one that is open, one that is hostile. */
import type { Session } from '../../src/model/learn/session.ts';
import { HOSTILE_TEXT, lessonOf, sessionOf } from '../history/session-of.ts';

const ENDED = 14;

export interface MadeSessions {
  readonly all: readonly Session[];
  readonly ended: Session;
  readonly stopped: Session;
  readonly open: Session;
  readonly hostile: Session;
}

export function madeSessions(): MadeSessions {
  const ended = Array.from({ length: ENDED }, (_, at) => {
    // Predictions get better: the first are off by a factor of three.
    const off = Math.exp((1.2 / (1 + at / 4)) * Math.sin(2.3 * at + 1));
    const speedup = 1.15 * Math.exp((0.4 / (1 + at / 5)) * Math.cos(1.7 * at));
    return sessionOf({
      at,
      kernel: at % 3 === 2 ? 'softmax' : 'attention',
      kind: at % 3 === 2 ? 'softmax' : 'attention',
      device: at % 2 === 0 ? 'NVIDIA L4' : 'NVIDIA H200',
      how: speedup >= 1.2 ? 'reached' : 'missed',
      speedup,
      minutes: 110 * off,
      predicted_min: 110,
    });
  });
  const stopped = sessionOf({ at: ENDED, how: 'stopped' });
  const open = sessionOf({ at: ENDED + 1, how: 'open' });
  const hostile = withText(sessionOf({ at: ENDED - 20, how: 'reached', kernel: 'reduce' }), HOSTILE_TEXT);
  return { all: [hostile, ...ended, stopped, open], ended: ended.at(-1)!, stopped, open, hostile };
}

/** Every text that a session's author writes is this one. */
function withText(session: Session, text: string): Session {
  const lesson = {
    ...lessonOf({ id: 'hostile', source: 'expert', title: text, devices: [text], withdrawn: text }),
    cause: text,
    fix: text,
    by: text,
  };
  return {
    ...session,
    by: text,
    goal: { ...session.goal, text },
    next: text,
    notes: [{ at: session.started_at, text, by: text }],
    gates: session.gates.map((gate) => ({
      ...gate,
      title: text,
      reason: text,
      ...(gate.evidence === undefined
        ? {}
        : { evidence: { ...gate.evidence, lines: [text], facts: { [text]: text } } }),
    })),
    tries: session.tries.map((one) => ({
      ...one,
      hypothesis: text,
      idea: text,
      learnt: text,
      change: {
        ...one.change,
        diff: `+${text}`,
        variables: [{ kind: 'constant', name: text, from: text, to: text }],
      },
    })),
    lessons: [lesson],
    annotations: [{ about: text, by: text, at: session.started_at, comment: text }],
  };
}
