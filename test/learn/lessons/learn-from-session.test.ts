import { describe, expect, it, test } from 'vitest';

import { lessonsOf } from '../../../src/learn/lessons/learn-from-session.ts';
import { isAgainstChange, matchLessons } from '../../../src/learn/lessons/match-lessons.ts';
import { checkLesson } from '../../../src/learn/lessons/parse-lessons.ts';
import type { Session } from '../../../src/model/learn/session.ts';
import { diffOf, moved, sessionOf, type TryOf } from './session-of.ts';

const GUESS: TryOf = {
  variables: [moved('BLOCK_M', 128, 64)],
  change_pct: -33.3,
  learnt: 'the smaller tile reads K and V twice as often',
  hypothesis: 'smaller tiles fit better',
};

test('a try that made it slower is a lesson, which warns of the same on this device', () => {
  const [lesson, ...others] = lessonsOf(sessionOf([GUESS], { by: 'Ada' }));
  expect(others).toEqual([]);
  expect(lesson).toEqual({
    id: 'attention-slower-block-m-down',
    title: 'BLOCK_M 128 → 64 makes it slower',
    symptom: { tunables: { BLOCK_M: 'down' } },
    cause: 'the smaller tile reads K and V twice as often',
    fix: 'Leave it as it was and profile before the next try.',
    scope: { devices: ['NVIDIA L4'], kinds: ['attention'] },
    evidence: [
      {
        date: '2025-10-13',
        device: 'NVIDIA L4',
        kernel: 'attention-cuda',
        session: '20251013-090000-attention',
        speedup: 0.7502,
        note: 'try 1: smaller tiles fit better (0.75× at training_512)',
      },
    ],
    source: 'session',
    by: 'Ada',
  });
  const question = { lessons: [lesson!], kind: 'attention', variables: [moved('BLOCK_M', 64, 32)] };
  expect(matchLessons({ ...question, device: 'NVIDIA L4' })[0]?.text).toContain(
    'tried on 13 Oct 2025 on NVIDIA L4, 0.75×, because the smaller tile reads K and V twice as often',
  );
});

test('the same experience has the same id in another session, with other values and on another device', () => {
  const [one] = lessonsOf(sessionOf([GUESS]));
  const [other] = lessonsOf(
    sessionOf([{ ...GUESS, variables: [moved('BLOCK_M', 64, 32)] }], { id: 'later', device: 'NVIDIA H200' }),
  );
  expect(other?.id).toBe(one?.id);
});

test('a try that made it wrong is a lesson, with no speed', () => {
  const [lesson] = lessonsOf(sessionOf([{ ...GUESS, outcome: 'incorrect' }]));
  expect(lesson?.id).toBe('attention-wrong-block-m-down');
  expect(lesson?.evidence[0]).not.toHaveProperty('speedup');
});

test('a change without knobs is recognised by the lines it adds', () => {
  const line = '  const float4 v = reinterpret_cast<const float4 *>(x)[(i + 1) * 4];';
  const [lesson] = lessonsOf(sessionOf([{ idea: 'wide loads', diff: diffOf([], [line, '}']) }]));
  expect(lesson?.id).toBe('attention-slower-wide-loads');
  expect(checkLesson(lesson, 'lesson')).toEqual(lesson);
  const change = diffOf([], [`        ${line.trim()}`]);
  expect(matchLessons({ lessons: [lesson!], kind: 'attention', change })).toHaveLength(1);
});

test('of several knobs moved at once, none is blamed', () => {
  const both = [moved('BLOCK_M', 128, 64), moved('NUM_WARPS', 4, 8)];
  expect(lessonsOf(sessionOf([{ ...GUESS, variables: both }]))).toEqual([]);
  const diff = diffOf(
    ['#define BLOCK_M 128', '#define NUM_WARPS 4'],
    ['#define BLOCK_M 64', '#define NUM_WARPS 8'],
  );
  const [lesson] = lessonsOf(sessionOf([{ ...GUESS, variables: both, diff }]));
  expect(lesson?.symptom).toEqual({ change: ['#define NUM_WARPS 8', '#define BLOCK_M 64'] });
});

test('a fix of a finding that brought 5 % or more is a lesson; a smaller one, or a guess, is none', () => {
  const fix: TryOf = { idea: 'swizzle rows', rule: 'bank-conflicts', outcome: 'improved', change_pct: 20 };
  const [lesson] = lessonsOf(sessionOf([fix]));
  expect(lesson).toMatchObject({
    id: 'attention-bank-conflicts-swizzle-rows',
    symptom: { rules: ['bank-conflicts'] },
    evidence: [{ speedup: 1.25 }],
  });
  expect(lessonsOf(sessionOf([{ ...fix, change_pct: 4.9 }]))).toEqual([]);
  const { rule: _, ...guess } = fix;
  expect(lessonsOf(sessionOf([guess]))).toEqual([]);
});

test('what brought nothing, said nothing or did not build teaches nothing by itself', () => {
  expect(
    lessonsOf(
      sessionOf([
        { ...GUESS, outcome: 'no-gain' },
        { ...GUESS, outcome: 'undecided' },
        { ...GUESS, outcome: 'failed' },
      ]),
    ),
  ).toEqual([]);
});

const OVERRIDDEN: Session['gates'] = [
  {
    gate: 'smallest-speedup',
    phase: 'baseline',
    title: 'The smallest case is at least half as fast as the reference',
    state: 'overridden',
    reason: 'tiny_64: 0.12× of sdpa. Stop and profile; do not guess.',
    next: 'pawl profile attention-cuda --case tiny_64',
    override: { reason: 'no time to profile', by: 'Ada', at: '2025-10-13T09:30:00Z' },
  },
];

test('a gate that was overridden before things got worse is a lesson that names what it asked for', () => {
  const lessons = lessonsOf(sessionOf([GUESS], { gates: OVERRIDDEN }));
  const lesson = lessons.find(({ id }) => id === 'attention-override-smallest-speedup');
  expect(lesson).toMatchObject({
    symptom: { facts: 'overridden_smallest_speedup' },
    fix: 'Do what the gate asks for first: pawl profile attention-cuda --case tiny_64',
    evidence: [{ speedup: 0.7502 }],
  });
  expect(lesson?.cause).toContain('"no time to profile"');
  expect(matchLessons({ lessons: [lesson!], gates: OVERRIDDEN, kind: 'attention' })).toHaveLength(1);
});

test('an override after which something helped, or after which nothing was tried, teaches nothing', () => {
  const helped: TryOf = { outcome: 'improved', change_pct: 10 };
  const ids = (session: Session) => lessonsOf(session).map(({ id }) => id);
  expect(ids(sessionOf([GUESS, helped], { gates: OVERRIDDEN }))).not.toContain(
    'attention-override-smallest-speedup',
  );
  const before: TryOf = { ...GUESS, opened_at: '2025-10-13T09:10:00Z' };
  expect(ids(sessionOf([before], { gates: OVERRIDDEN }))).toEqual(['attention-slower-block-m-down']);
});

test('an override of what could not be known here teaches nothing', () => {
  const [gate] = OVERRIDDEN;
  const missing = [{ facts: ['profiled'], why: gate!.reason, next: 'pawl doctor' }];
  const evidence = { kind: 'profile', taken_at: '', facts: {}, sources: [], lines: [], missing } as const;
  const unknown = { ...gate!, evidence: { ...evidence, sources: [], lines: [], missing: [...missing] } };
  const ids = lessonsOf(sessionOf([GUESS], { gates: [unknown] })).map(({ id }) => id);
  expect(ids).toEqual(['attention-slower-block-m-down']);
});

test('the same failure twice in a session is one lesson with two pieces of evidence', () => {
  const [lesson, ...others] = lessonsOf(sessionOf([GUESS, GUESS]));
  expect(others).toEqual([]);
  expect(lesson?.evidence).toHaveLength(2);
});

describe('what lessons of a session are true of', () => {
  const DIFF = `diff --git a/k.cpp b/k.cpp
@@ -1,3 +1,3 @@
-    y[i] = std::exp(x[i] - shift) / sum;
+    y[i] = fast_exp(x[i] - shift) * scale;
`;

  it('is not one of three things that changed at once', () => {
    const several = { variables: [moved('BLOCK_M', 128, 64)], flags: ['several-variables'] as const };
    expect(lessonsOf(sessionOf([{ ...several, outcome: 'worse', change_pct: -20 }]))).toEqual([]);
    expect(lessonsOf(sessionOf([{ ...several, outcome: 'improved', change_pct: 20 }]))).toEqual([]);
    const alone = { ...several, flags: [] };
    expect(lessonsOf(sessionOf([{ ...alone, outcome: 'worse', change_pct: -20 }]))).toHaveLength(1);
  });

  it('is no slowness where a kernel was made right', () => {
    expect(lessonsOf(sessionOf([{ outcome: 'corrected', change_pct: -20, diff: DIFF }]))).toEqual([]);
  });

  it('is a gain, also without a finding: by the code that it replaced', () => {
    const [lesson] = lessonsOf(
      sessionOf([{ outcome: 'improved', change_pct: 30, diff: DIFF, idea: 'a cheaper exponential' }]),
    );
    expect(lesson).toMatchObject({
      id: 'attention-faster-a-cheaper-exponential',
      title: 'A cheaper exponential makes it faster',
      symptom: { code: [expect.stringContaining('std::exp')] },
      evidence: [{ speedup: 1.429 }],
    });
    const sources = [{ file: 'other.cpp', text: '  for (;;)\n    y[i] = std::exp(x[i] - shift) / sum;\n' }];
    const [warning] = matchLessons({ lessons: [lesson!], sources, kind: 'attention' });
    expect(warning).toMatchObject({ matched_by: 'code', fix: expect.stringContaining('cheaper') });
    expect(warning?.text).toContain('it helped');
  });

  it('does not speak against making a gain again', () => {
    const lessons = lessonsOf(
      sessionOf([{ outcome: 'improved', change_pct: 30, variables: [moved('BLOCK_M', 64, 128)] }]),
    );
    const variables = [moved('BLOCK_M', 64, 128)];
    const [warning] = matchLessons({ lessons, variables, kind: 'attention' });
    expect(warning).toMatchObject({ matched_by: 'tunables' });
    expect(isAgainstChange(warning!, lessons)).toBe(false);
    const losses = lessonsOf(sessionOf([{ outcome: 'worse', change_pct: -30, variables }]));
    const [against] = matchLessons({ lessons: losses, variables, kind: 'attention' });
    expect(isAgainstChange(against!, losses)).toBe(true);
  });

  it('is silent about CPUs where it is about GPUs, and the other way round', () => {
    const [about] = lessonsOf(
      sessionOf([{ outcome: 'worse', change_pct: -20, variables: [moved('BLOCK_M', 128, 64)] }]),
    );
    const lesson = { ...about!, scope: { hardware: ['cuda' as const] } };
    const question = { lessons: [lesson], variables: [moved('BLOCK_M', 128, 64)] };
    expect(matchLessons({ ...question, hardware: 'cuda' })).toHaveLength(1);
    expect(matchLessons({ ...question, hardware: 'cpu' })).toEqual([]);
  });
});
