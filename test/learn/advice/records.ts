import type { FixOutcome, Prediction } from '../../../src/model/learn/advice.ts';
import type { Finding } from '../../../src/model/profile/diagnosis.ts';
import type { RuleId } from '../../../src/model/profile/diagnosis-words.ts';
import type { Session, Try } from '../../../src/model/learn/session.ts';

const H200 = 'NVIDIA H200';
export const HERE = { kind: 'attention', device: H200 } as const;

export function finding(rule: RuleId, expected_gain_pct: number): Finding {
  return {
    rule,
    priority: 1,
    evidence: {},
    diagnosis: `Seen: ${rule}.`,
    fix: `Mend ${rule}.`,
    expected_gain_pct,
  };
}

let number = 0;

/** One try of a session of its own, as long as nothing else is said. */
export function outcome(rule: RuleId, change_pct: number, more: Partial<FixOutcome> = {}): FixOutcome {
  number += 1;
  return {
    session: `session-${number}`,
    try: 1,
    date: '2026-05-01T10:00:00Z',
    rule,
    ...HERE,
    expected_gain_pct: 20,
    change_pct,
    ...more,
  };
}

export function times<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

export const PREDICTION: Prediction = {
  minutes: 240,
  minutes_ci: [100, 580],
  speedup: 1.2,
  speedup_ci: [0.3, 4.3],
  sessions: 0,
  basis: '',
};

export function session(id: string, more: Partial<Session> = {}): Session {
  return {
    schema: 'pawl.session/1',
    id,
    revision: 1,
    goal: { text: '1.2x on training_512', speedup: 1.2, case: 'training_512' },
    kernel: 'attention-cuda',
    kind: HERE.kind,
    reference: {},
    device: H200,
    started_at: '2026-05-01T10:00:00Z',
    state: 'ended',
    phase: 'optimise',
    prediction: PREDICTION,
    gates: [],
    tries: [],
    notes: [],
    phases: [],
    cost: { times: [], wall_s: 0 } as unknown as Session['cost'],
    speedup: {},
    lessons: [],
    annotations: [],
    next: '',
    ...more,
  };
}

export function attempt(
  rule: RuleId | undefined,
  change_pct: number | undefined,
  more: Partial<Try> = {},
): Try {
  return {
    number: 1,
    opened_at: '2026-05-01T10:10:00Z',
    hypothesis: 'it helps',
    ...(rule === undefined ? {} : { rule }),
    idea: 'tile',
    rule_gain_pct: 20,
    change: { diff: '', truncated: false, files: [], variables: [] },
    flags: [],
    warnings: [],
    measured: {
      at: '2026-05-01T10:20:00Z',
      case: 'training_512',
      verdict: 'improved',
      ...(change_pct === undefined ? {} : { change_pct }),
      reason: '',
    },
    outcome: 'improved',
    ...more,
  };
}
