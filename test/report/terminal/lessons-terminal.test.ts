import { expect, test } from 'vitest';

import { lessonSchema } from '../../../src/model/learn/lesson.ts';
import {
  renderLesson,
  renderLessons,
  renderWarnings,
} from '../../../src/report/terminal/lessons-terminal.ts';

const LESSON = lessonSchema.parse({
  id: 'smaller-tiles',
  title: 'Smaller \u001b[31mtiles',
  symptom: { tunables: { BLOCK_M: 'down' }, error: ['boom'], when: 'speedup < 0.5' },
  cause: 'K and V are read more often',
  fix: 'Profile first.',
  scope: { devices: ['NVIDIA L4*'], kinds: ['*attention*'] },
  evidence: [
    { date: '2026-11-03', device: 'NVIDIA L4', speedup: 0.75, note: 'a guess' },
    { session: 's2', speedup: 0.034 },
  ],
  source: 'session',
  by: 'Ada',
});

test('a list has a line for each, with where it holds and how it came out', () => {
  expect(renderLessons([LESSON], { project: ['smaller-tiles'] })).toBe(
    [
      '• smaller-tiles  Smaller [31mtiles',
      '                 attention · NVIDIA L4 · seen 2 times, 0.034× to 0.75×',
      '',
      "1 lesson · • the project's own · pawl lessons show ID",
      '',
    ].join('\n'),
  );
});

test('an empty list says what to do', () => {
  expect(renderLessons([])).toContain('`pawl lessons` lists all of them');
});

test('one lesson is shown whole', () => {
  expect(renderLesson({ ...LESSON, withdrawn: 'the clock was low' })).toBe(
    [
      'Smaller [31mtiles',
      'smaller-tiles',
      '',
      'withdrawn the clock was low',
      'symptom   BLOCK_M moved down',
      '          a failure that says /boom/',
      '          and only when speedup < 0.5',
      'cause     K and V are read more often',
      'fix       Profile first.',
      'holds     attention · NVIDIA L4',
      'evidence  2026-11-03 · NVIDIA L4 · 0.75× · a guess',
      '          session s2 · 0.034×',
      'source    session, Ada',
      '',
    ].join('\n'),
  );
});

test('a warning has its text, what to do, and what matched', () => {
  const warning = {
    kind: 'lesson',
    id: 'smaller-tiles',
    text: 'tried on 3 Nov on NVIDIA L4, 0.75×, because\nit was slow.',
    matched: 'tunable: BLOCK_M 128 → 64',
    fix: 'Profile first.',
    nearness: 'same-device',
  } as const;
  expect(renderWarnings([warning])).toBe(
    [
      '! tried on 3 Nov on NVIDIA L4, 0.75×, because it was slow.',
      '  → Profile first.',
      '  tunable: BLOCK_M 128 → 64 (smaller-tiles)',
      '',
    ].join('\n'),
  );
  expect(renderWarnings([])).toBe('No known lesson warns against it.\n');
});
