import { sessionSchema, type Session, type Try, type Variable } from '../../../src/model/learn/session.ts';

export interface TryOf {
  readonly idea?: string;
  readonly hypothesis?: string;
  readonly rule?: Try['rule'];
  readonly outcome?: Try['outcome'];
  readonly change_pct?: number;
  readonly learnt?: string;
  readonly reason?: string;
  readonly diff?: string;
  readonly variables?: readonly Variable[];
  readonly opened_at?: string;
  readonly flags?: readonly Try['flags'][number][];
}

export interface SessionOf {
  readonly id?: string;
  readonly kind?: string;
  readonly device?: string;
  readonly gates?: Session['gates'];
  readonly by?: string;
}

/** A session that ended, with what matters to lessons. */
export function sessionOf(tries: readonly TryOf[], options: SessionOf = {}): Session {
  const { id = '20251013-090000-attention', kind = 'attention', device = 'NVIDIA L4', gates = [] } = options;
  return sessionSchema.parse({
    schema: 'pawl.session/1',
    id,
    revision: 9,
    goal: { text: '1.2x on training_512', speedup: 1.2, case: 'training_512' },
    kernel: `${kind}-cuda`,
    kind,
    reference: { kernel: 'sdpa' },
    device,
    ...(options.by === undefined ? {} : { by: options.by }),
    started_at: '2025-10-13T09:00:00Z',
    ended_at: '2025-10-13T12:00:00Z',
    state: 'ended',
    phase: 'optimise',
    prediction: {
      minutes: 240,
      minutes_ci: [120, 400],
      speedup: 1.2,
      speedup_ci: [1, 1.5],
      sessions: 0,
      basis: 'the method',
    },
    gates,
    tries: tries.map((one, index) => tryOf(one, index + 1)),
    notes: [],
    phases: [],
    cost: { wall_s: 10_800 },
    speedup: {},
    lessons: [],
    annotations: [],
    next: 'pawl session start',
  });
}

function tryOf(given: TryOf, number: number): unknown {
  const {
    outcome = 'worse',
    change_pct,
    diff = '',
    variables = [],
    opened_at = '2025-10-13T10:00:00Z',
  } = given;
  return {
    number,
    opened_at,
    hypothesis: given.hypothesis ?? 'it will be faster',
    ...(given.rule === undefined ? {} : { rule: given.rule }),
    idea: given.idea ?? variables[0]?.name ?? 'an idea of its own',
    change: { diff, truncated: false, files: ['kernel.cu'], variables },
    flags: given.flags ?? [],
    warnings: [],
    measured: {
      at: opened_at,
      case: 'training_512',
      verdict: outcome === 'improved' ? 'improved' : 'regressed',
      ...(change_pct === undefined ? {} : { change_pct }),
      reason: given.reason ?? 'its interval is clear of zero',
    },
    outcome,
    ...(given.learnt === undefined ? {} : { learnt: given.learnt }),
  };
}

/** `BLOCK_M 128 → 64`. */
export function moved(name: string, from: string | number, to: string | number): Variable {
  return { kind: 'tunable', name, from: String(from), to: String(to) };
}

export function diffOf(removed: readonly string[], added: readonly string[]): string {
  return [
    'diff --git a/kernel.cu b/kernel.cu',
    '--- a/kernel.cu',
    '+++ b/kernel.cu',
    `@@ -10,${removed.length} +10,${added.length} @@`,
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    '',
  ].join('\n');
}
