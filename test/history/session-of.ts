import type { EvidenceKind, Fact, GateResult, PhaseId } from '../../src/model/learn/gate.ts';
import type { Lesson } from '../../src/model/learn/lesson.ts';
import { DAY_MS } from '../../src/model/text/moment.ts';
import { SESSION_SCHEMA, type Session, type Try } from '../../src/model/learn/session.ts';

export interface SessionOf {
  /** Its place in time: sessions are a day apart. */
  readonly at: number;
  readonly kernel?: string;
  readonly kind?: string;
  readonly device?: string;
  readonly revision?: number;
  /** How it went: `stopped` at the baseline, `open` in the middle of optimising, `ended` with its goal reached or not. */
  readonly how?: 'stopped' | 'open' | 'reached' | 'missed';
  readonly minutes?: number;
  readonly predicted_min?: number;
  readonly speedup?: number;
}

const FIRST_MS = Date.UTC(2026, 10, 1, 9);

interface GateOf {
  readonly gate: string;
  readonly phase: PhaseId;
  readonly title: string;
  readonly evidence: EvidenceKind;
  readonly reason: string;
  readonly facts: Readonly<Record<string, Fact>>;
  readonly lines: readonly string[];
  /** Minutes after the start, and how long it took. */
  readonly at_min: number;
  readonly took_s: number;
  readonly next: string;
}

const GATES: readonly GateOf[] = [
  {
    gate: 'device-present',
    phase: 'pre-flight',
    title: 'Device present and idle',
    evidence: 'environment',
    reason: 'NVIDIA L4 is there and idle; nvcc 13.0 and cuDNN 9.14 answer.',
    facts: { devices: 1, busy_pct: 0, doctor_failures: 0 },
    lines: ['NVIDIA L4, driver 580.82, idle', 'nvcc 13.0, g++ 14.2'],
    at_min: 1,
    took_s: 8,
    next: 'pawl doctor',
  },
  {
    gate: 'shared-memory',
    phase: 'pre-flight',
    title: 'Shared memory fits the device',
    evidence: 'resources',
    reason: '50 176 bytes of shared memory, of 101 376 that the device allows.',
    facts: { smem_bytes: 50_176, smem_limit_bytes: 101_376 },
    lines: ['BLOCK_M=64 BLOCK_N=64: 50 176 bytes'],
    at_min: 2,
    took_s: 1,
    next: 'pawl build attention',
  },
  {
    gate: 'reference-measured',
    phase: 'pre-flight',
    title: 'Reference measured now',
    evidence: 'reference',
    reason: 'sdpa-cudnn takes 52.4 µs at training_512, measured 2 minutes ago.',
    facts: { reference_ms: 0.0524, age_min: 2 },
    lines: ['smallest_32: 6.1 µs', 'training_512: 52.4 µs'],
    at_min: 6,
    took_s: 140,
    next: 'pawl bench sdpa-cudnn',
  },
  {
    gate: 'room',
    phase: 'assessment',
    title: 'Room below the goal',
    evidence: 'room',
    reason: 'The theoretical minimum is 21.0 µs; the goal needs 43.7 µs.',
    facts: { floor_ms: 0.021, goal_ms: 0.0437 },
    lines: ['floor 21.0 µs (memory), goal 43.7 µs, reference 52.4 µs'],
    at_min: 9,
    took_s: 3,
    next: 'pawl advise attention',
  },
  {
    gate: 'builds',
    phase: 'build',
    title: 'Kernel and oracle build',
    evidence: 'build',
    reason: 'Built in 41 s, 128 registers, nothing spilled.',
    facts: { registers: 128, spill_bytes: 0 },
    lines: ['attention.cu: 128 registers, 0 bytes spilled'],
    at_min: 14,
    took_s: 41,
    next: 'pawl build attention',
  },
  {
    gate: 'smallest-speedup',
    phase: 'baseline',
    title: 'Smallest case at least half as fast',
    evidence: 'baseline',
    reason: '0.12× of sdpa-cudnn at smallest_32: below 0.5×. Profile before changing anything.',
    facts: { speedup: 0.12, stop_below: 0.5 },
    lines: ['smallest_32: 0.12× of sdpa-cudnn (50.8 µs against 6.1 µs)'],
    at_min: 22,
    took_s: 95,
    next: 'pawl profile attention --case smallest_32',
  },
  {
    gate: 'profiled',
    phase: 'optimise',
    title: 'Profile of the kernel as it is',
    evidence: 'profile',
    reason: 'Bank conflicts take 38 % of the time; ranked first of 3 findings.',
    facts: { findings: 3, top_gain_pct: 38 },
    lines: ['bank-conflicts: 38 % expected', 'low-occupancy: 12 % expected'],
    at_min: 31,
    took_s: 210,
    next: 'pawl session try --rule bank-conflicts "…"',
  },
  {
    gate: 'matrix-correct',
    phase: 'validate',
    title: 'Correct over the whole matrix',
    evidence: 'validation',
    reason: '24 of 24 cases agree with the oracle.',
    facts: { cases: 24, wrong: 0 },
    lines: ['24 of 24 cases correct'],
    at_min: 80,
    took_s: 300,
    next: 'pawl check',
  },
];

/** A session whose every part is filled; the same options make the same one. */
export function sessionOf(options: SessionOf): Session {
  const { at, kernel = 'attention', kind = 'attention', device = 'NVIDIA L4', how = 'reached' } = options;
  const start_ms = FIRST_MS + at * DAY_MS;
  const time = (min: number): string => new Date(start_ms + min * 60_000).toISOString();
  const id = `${time(0).slice(0, 19).replaceAll(/[-:]/gu, '').replace('T', '-')}-${kernel}`;
  const isEnded = how === 'reached' || how === 'missed';
  const minutes = options.minutes ?? (isEnded ? 96 : 40);
  const speedup = options.speedup ?? (how === 'reached' ? 1.24 : how === 'missed' ? 0.93 : 0.12);
  const predicted = options.predicted_min ?? 120;
  return {
    schema: SESSION_SCHEMA,
    id,
    revision: options.revision ?? 10,
    goal: { text: '1.2x on training_512', speedup: 1.2, case: 'training_512' },
    kernel,
    kind,
    reference: { kernel: 'sdpa-cudnn' },
    device,
    by: 'Ada',
    started_at: time(0),
    ...(isEnded ? { ended_at: time(minutes) } : {}),
    state: isEnded ? 'ended' : how,
    phase: isEnded ? 'validate' : how === 'open' ? 'optimise' : 'baseline',
    prediction: {
      minutes: predicted,
      minutes_ci: [predicted * 0.6, predicted * 1.7],
      speedup: 1.15,
      speedup_ci: [0.9, 1.45],
      sessions: at,
      basis: at === 0 ? "No session is recorded: the method's budgets." : `${at} earlier sessions.`,
    },
    gates: GATES.map((gate) => gateResult(gate, how, time)),
    tries: how === 'stopped' ? [] : triesOf(how === 'open' ? 2 : 3, time),
    notes: [{ at: time(12), text: 'The layout is (B, S, H, D) here.', by: 'Ada' }],
    phases: phasesOf(minutes, how),
    cost: { wall_s: minutes * 60, device_s: minutes * 21, money: { amount: 0.42, currency: 'USD' } },
    speedup: { first: 0.12, best: speedup },
    ...(isEnded
      ? {
          outcome: {
            reached: how === 'reached',
            speedup,
            minutes,
            summary: how === 'reached' ? 'Padding and swizzling did it.' : 'The grid is too small.',
          },
        }
      : {}),
    lessons: isEnded ? [lessonOf({ id: `learnt-${at}`, source: 'session', session: id })] : [],
    annotations: isEnded
      ? [{ about: 'try:1', by: 'Grace', at: time(minutes + 60), comment: 'The swizzle alone would do.' }]
      : [],
    next: isEnded ? 'pawl ratchet attention' : nextOf(how),
  };
}

function nextOf(how: 'open' | 'stopped'): string {
  return how === 'stopped'
    ? 'pawl profile attention --case smallest_32'
    : 'pawl session try --rule low-occupancy "…"';
}

function gateResult(gate: GateOf, how: SessionOf['how'], time: (min: number) => string): GateResult {
  const { gate: name, phase, title, next } = gate;
  const stopsAt = GATES.findIndex((one) => one.gate === 'smallest-speedup');
  const index = GATES.indexOf(gate);
  const last = how === 'stopped' ? stopsAt : how === 'open' ? stopsAt + 1 : GATES.length - 1;
  if (index > last) return { gate: name, phase, title, state: 'open', reason: 'not evaluated yet' };
  const taken_at = time(gate.at_min);
  const done = {
    gate: name,
    phase,
    title,
    reason: gate.reason,
    evidence: {
      kind: gate.evidence,
      taken_at,
      facts: { ...gate.facts },
      sources: [{ command: next }],
      lines: [...gate.lines],
    },
    evaluated_at: taken_at,
    took_s: gate.took_s,
  };
  if (index !== stopsAt) return { ...done, state: 'passed' };
  if (how === 'stopped') return { ...done, state: 'failed', next };
  const override = { reason: 'The profile is taken next.', by: 'Ada', at: time(gate.at_min + 4) };
  return { ...done, state: 'overridden', next, override };
}

function phasesOf(minutes: number, how: SessionOf['how']): Session['phases'] {
  const shares = how === 'stopped' ? [8, 4, 10, 18, 0, 0] : [6, 3, 8, 12, minutes - 37, 8];
  const budgets_min = {
    'pre-flight': 10,
    assessment: 30,
    build: 20,
    baseline: 30,
    optimise: 120,
    validate: 30,
  };
  return Object.entries(budgets_min).map(([phase, budget], index) => ({
    phase: phase as PhaseId,
    spent_s: Math.max(0, shares[index]!) * 60,
    device_s: Math.max(0, shares[index]!) * 20,
    budget_s: budget * 60,
  }));
}

/** What a hostile session may hold; a page shows it as the text that it is. */
export const HOSTILE_TEXT = '<img src=x onerror="document.title=\'owned\'"><script>alert(1)</script>';

function triesOf(count: number, time: (min: number) => string): Try[] {
  const diff = [
    '--- a/attention.cu',
    '+++ b/attention.cu',
    '@@ -12,3 +12,3 @@',
    ' constexpr int kPad =',
    '-    0;',
    '+    8;',
    ` // ${HOSTILE_TEXT}`,
  ].join('\n');
  const tries: Try[] = [
    {
      number: 1,
      opened_at: time(36),
      hypothesis: 'Padding the tile by 8 removes the bank conflicts',
      rule: 'bank-conflicts',
      idea: 'bank-conflicts',
      predicted_change_pct: 38,
      change: {
        diff,
        truncated: false,
        files: ['attention.cu'],
        variables: [{ kind: 'constant', name: 'kPad', from: '0', to: '8' }],
      },
      flags: [],
      warnings: [],
      measured: {
        at: time(41),
        case: 'training_512',
        verdict: 'improved',
        change_pct: 31.2,
        ci_pct: [28.4, 33.9],
        before_ms: 0.436,
        after_ms: 0.3,
        reason: 'Faster by 31.2 %, beyond the noise.',
      },
      outcome: 'improved',
      share_of_predicted: 0.82,
      kept: true,
      learnt: 'The padding must keep 16-byte alignment.',
    },
    {
      number: 2,
      opened_at: time(47),
      hypothesis: 'A larger tile and more stages will help',
      idea: 'tile size',
      change: {
        diff: '',
        truncated: false,
        files: [],
        variant: { BLOCK_N: 128, STAGES: 3 },
        variables: [
          { kind: 'tunable', name: 'BLOCK_N', from: '64', to: '128' },
          { kind: 'tunable', name: 'STAGES', from: '2', to: '3' },
        ],
      },
      flags: ['several-variables', 'guess', 'repeats-failed-try'],
      warnings: [
        {
          kind: 'earlier-try',
          id: '20261031-090000-attention/try-2',
          text: 'Tried on 31 Oct on NVIDIA L4: 0.75×, because shared memory leaves one block a multiprocessor.',
          matched: 'BLOCK_N up',
          nearness: 'same-device',
        },
      ],
      override: 'Only to see it.',
      measured: {
        at: time(53),
        case: 'training_512',
        verdict: 'regressed',
        change_pct: -24.8,
        ci_pct: [-27.1, -22.6],
        before_ms: 0.3,
        after_ms: 0.374,
        reason: 'Slower by 24.8 %.',
      },
      outcome: 'worse',
      kept: false,
    },
    {
      number: 3,
      opened_at: time(61),
      hypothesis: 'Launch bounds free registers for a second block',
      rule: 'low-occupancy',
      idea: 'low-occupancy',
      predicted_change_pct: 12,
      change: {
        diff: '@@ -40,1 +40,1 @@\n-__global__ void attention(\n+__global__ __launch_bounds__(128, 2) void attention(',
        truncated: true,
        files: ['attention.cu'],
        variables: [{ kind: 'function', name: 'attention' }],
      },
      flags: ['against-a-lesson'],
      warnings: [
        {
          kind: 'lesson',
          id: 'tile-of-another-device',
          text: 'A bound that fits one GPU spills on another.',
          matched: '__launch_bounds__',
          fix: 'Look at the registers after the build.',
          nearness: 'other-kind',
        },
      ],
    },
  ];
  return tries.slice(0, count);
}

/** A lesson of a library. */
export function lessonOf(options: {
  readonly id: string;
  readonly source: Lesson['source'];
  readonly session?: string;
  readonly title?: string;
  readonly devices?: readonly string[];
  readonly kinds?: readonly string[];
  readonly withdrawn?: string;
}): Lesson {
  const { id, source, session, title = 'Padding must keep 16-byte alignment', devices, kinds } = options;
  return {
    id,
    title,
    symptom: { rules: ['bank-conflicts'], error: ['misaligned address'], tunables: { BLOCK_N: 'up' } },
    cause: 'Rows of the tile start at addresses that 16-byte copies cannot take.',
    fix: 'Pad by a multiple of 8 halves.',
    scope: {
      ...(devices === undefined ? {} : { devices: [...devices] }),
      ...(kinds === undefined ? {} : { kinds: [...kinds] }),
    },
    evidence: [
      {
        date: '2026-11-03',
        device: 'NVIDIA L4',
        kernel: 'attention',
        speedup: 1.45,
        ...(session === undefined ? {} : { session }),
      },
    ],
    source,
    ...(source === 'expert' ? { by: 'Grace' } : {}),
    ...(options.withdrawn === undefined ? {} : { withdrawn: options.withdrawn }),
  };
}
