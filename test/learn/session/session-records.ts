import type { SessionRecord, StartedRecord } from '../../../src/model/learn/session-record.ts';
import type { Try } from '../../../src/model/learn/session.ts';

/** So many minutes after the start of the session. */
export function at(minutes: number): string {
  return new Date(Date.UTC(2026, 10, 3, 10, 0) + 60_000 * minutes).toISOString();
}

export function started(more: Partial<StartedRecord> = {}): StartedRecord {
  return {
    type: 'started',
    at: at(0),
    id: '20261103-100000-attention',
    goal: { text: '1.2x on small', speedup: 1.2, case: 'small' },
    kernel: 'attention',
    kind: 'attention',
    reference: { kernel: 'sdpa' },
    device: 'NVIDIA L4',
    prediction: {
      minutes: 245,
      minutes_ci: [60, 600],
      speedup: 1.2,
      speedup_ci: [0.5, 2],
      sessions: 0,
      basis: 'No session has ended yet.',
    },
    warnings: [],
    gates: [
      { gate: 'builds', phase: 'pre-flight', title: 'It builds' },
      { gate: 'room', phase: 'assessment', title: 'There is room' },
      { gate: 'profiled', phase: 'optimise', title: 'It is profiled' },
      { gate: 'matrix', phase: 'validate', title: 'It is right' },
    ],
    phases: [
      { phase: 'pre-flight', budget_s: 900 },
      { phase: 'assessment', budget_s: 900 },
      { phase: 'optimise', budget_s: 7200 },
      { phase: 'validate', budget_s: 1800 },
    ],
    state: 'aaaa',
    ...more,
  };
}

type GateRecord = Extract<SessionRecord, { type: 'gate' }>;

export function gate(
  id: string,
  minutes: number,
  more: Partial<GateRecord['result']> = {},
  rest: Partial<Pick<GateRecord, 'stops' | 'cost'>> = {},
): GateRecord {
  const phase = started().gates.find((each) => each.gate === id)?.phase ?? 'pre-flight';
  return {
    type: 'gate',
    at: at(minutes),
    result: { gate: id, phase, title: id, state: 'passed', reason: 'seen', ...more },
    stops: true,
    ...rest,
  };
}

export function tried(number: number, minutes: number, more: Partial<Try> = {}): SessionRecord {
  return {
    type: 'tried',
    at: at(minutes),
    try: {
      number,
      opened_at: at(minutes),
      hypothesis: 'larger tiles',
      idea: 'tiles',
      change: { diff: '', truncated: false, files: [], variables: [] },
      flags: [],
      warnings: [],
      ...more,
    },
  };
}

export function measured(number: number, minutes: number, change_pct: number): SessionRecord {
  return {
    type: 'measured',
    at: at(minutes),
    number,
    measured: {
      at: at(minutes),
      case: 'small',
      verdict: change_pct > 0 ? 'improved' : 'regressed',
      change_pct,
      before_ms: 1,
      after_ms: 1 - change_pct / 100,
      reason: 'clear of no change',
    },
    outcome: change_pct > 0 ? 'improved' : 'worse',
    warnings: [],
    cost: { wall_s: 60, device_s: 30, money: { amount: 0.1, currency: 'USD' } },
  };
}

export function kept(number: number, minutes: number, isKept = true): SessionRecord {
  return {
    type: 'kept',
    at: at(minutes),
    number,
    kept: isKept,
    ...(isKept ? { state: `state-${number}` } : {}),
  };
}
