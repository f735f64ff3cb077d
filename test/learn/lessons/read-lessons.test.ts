import { expect, test } from 'vitest';

import { checkLesson, parseLessons } from '../../../src/learn/lessons/parse-lessons.ts';
import { readLessons } from '../../../src/learn/lessons/read-lessons.ts';
import { lessonsProject, OWN_LESSONS } from './lessons-project.ts';

const LESSON = `schema: pawl.lessons/1
lessons:
  - id: one
    title: One
    symptom: { error: [boom] }
    cause: a
    fix: b
    source: expert
`;

test('a project without a file has the shipped lessons', async () => {
  expect(await readLessons(await lessonsProject())).toEqual(await readLessons(undefined));
});

test("a project's lesson replaces the shipped one of the same id, and others come after", async () => {
  const lessons = await readLessons(await lessonsProject(OWN_LESSONS));
  expect(lessons.filter(({ id }) => id === 'tile-by-guess').map(({ title }) => title)).toEqual([
    'Our own words about tiles',
  ]);
  expect(lessons.at(-1)?.id).toBe('wait-for-everything');
});

test.each([
  ['source: expert', 'source: hearsay', /^lessons\.yaml:8:13: lessons\[0\]\.source: "hearsay" is not/],
  ['[boom]', '["(a+)+b"]', /^lessons\.yaml:5:29: lessons\[0\]\.symptom\.error\[0\]: what repeats/],
  ['{ error: [boom] }', '{ facts: "speedup <" }', /^lessons\.yaml:5:\d+: lessons\[0\]\.symptom\.facts: /],
  [
    '{ error: [boom] }',
    '{ when: speedup < 1 }',
    /^lessons\.yaml:5:\d+: lessons\[0\]\.symptom: no symptom to recognise/,
  ],
  ['{ error: [boom] }', '{ rules: [bank-conflict] }', /did you mean `bank-conflicts`/],
  ['fix: b', 'fixx: b', /^lessons\.yaml:7:5: lessons\[0\]\.fixx: unknown key/m],
  ['id: one', 'id: One!', /^lessons\.yaml:3:9: lessons\[0\]\.id/],
])('a mistake is named with its place: %s → %s', (from, to, message) => {
  expect(() => parseLessons(LESSON.replace(from, to), 'lessons.yaml')).toThrow(message);
});

test('two lessons of one id are one too many', () => {
  const twice = `${LESSON}${LESSON.slice(LESSON.indexOf('  - id'))}`;
  expect(() => parseLessons(twice, 'lessons.yaml')).toThrow(
    /^lessons\.yaml:9:9: lessons\[1\]\.id: `one` is here for the second time/,
  );
});

test('a lesson from elsewhere is held to the same rules', () => {
  const lesson = { id: 'one', title: 'One', cause: 'a', fix: 'b', source: 'expert' };
  expect(checkLesson({ ...lesson, symptom: { error: ['boom'] } }, 'annotation 1')).toMatchObject({
    evidence: [],
    scope: {},
  });
  expect(() => checkLesson({ ...lesson, symptom: { error: ['(a|b)*'] } }, 'annotation 1')).toThrow(
    /annotation 1: symptom\.error\.0: what repeats/,
  );
});
