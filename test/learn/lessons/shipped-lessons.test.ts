import { expect, test } from 'vitest';

import { readLessons } from '../../../src/learn/lessons/read-lessons.ts';

const lessons = await readLessons(undefined);

test('Pawl ships more than 25 lessons, each with evidence', () => {
  expect(lessons.length).toBeGreaterThan(25);
  for (const lesson of lessons) {
    expect(lesson.source).toBe('method');
    expect(lesson.evidence.length, lesson.id).toBeGreaterThan(0);
    for (const each of lesson.evidence) {
      expect(each.note ?? each.session, `${lesson.id} says where it was seen`).toBeDefined();
    }
  }
});
