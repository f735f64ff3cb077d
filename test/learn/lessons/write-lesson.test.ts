import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { parseLessons } from '../../../src/learn/lessons/parse-lessons.ts';
import { readLessons } from '../../../src/learn/lessons/read-lessons.ts';
import { addLesson, withdrawLesson } from '../../../src/learn/lessons/write-lesson.ts';
import { lessonSchema, type Lesson } from '../../../src/model/learn/lesson.ts';
import { lessonsProject, OWN_LESSONS } from './lessons-project.ts';

const NEW: Lesson = lessonSchema.parse({
  id: 'copy-slower-block-up',
  title: 'BLOCK 8 → 16 makes it slower',
  symptom: { tunables: { BLOCK: 'up' } },
  cause: 'it leaves the cache',
  fix: 'Leave it.',
  scope: { devices: ['CPU B'], kinds: ['copy'] },
  evidence: [{ date: '2026-11-15', device: 'CPU B', session: 's2', speedup: 0.8, note: 'try 1' }],
  source: 'session',
});

async function written(root: string): Promise<string> {
  return readFile(join(root, 'lessons.yaml'), 'utf8');
}

test('the first lesson of a project begins its file', async () => {
  const project = await lessonsProject();
  expect(await addLesson(project, NEW)).toMatchObject({ id: NEW.id, done: 'added' });
  const text = await written(project.root);
  expect(text).toMatch(/^# What this project has learnt/);
  expect(parseLessons(text, 'lessons.yaml')).toEqual([NEW]);
});

test('a lesson is added behind the others, whose comments and words stay', async () => {
  const project = await lessonsProject(OWN_LESSONS);
  await addLesson(project, NEW);
  const text = await written(project.root);
  for (const comment of ['# What we know.', '# Ask Ada before', '# the old name', '# on the old machine']) {
    expect(text).toContain(comment);
  }
  expect(parseLessons(text, 'lessons.yaml').map(({ id }) => id)).toEqual([
    'wait-for-everything',
    'tile-by-guess',
    'copy-slower-block-up',
  ]);
});

test('the same lesson again is evidence for it, in force on both devices; told twice it is one', async () => {
  const project = await lessonsProject(OWN_LESSONS);
  const again: Lesson = { ...NEW, id: 'wait-for-everything', title: 'Other words' };
  expect(await addLesson(project, again)).toMatchObject({ done: 'evidence-added' });
  expect(await addLesson(project, again)).toMatchObject({ done: 'unchanged' });
  const text = await written(project.root);
  expect(text).toContain('# on the old machine');
  const [lesson] = parseLessons(text, 'lessons.yaml');
  expect(lesson?.title).toBe('Waiting for everything');
  expect(lesson?.evidence.map(({ session }) => session)).toEqual(['s1', 's2']);
  expect(lesson?.scope).toEqual({ devices: ['CPU A', 'CPU B'], kinds: ['copy'] });
});

test("an expert's words replace those that are there, and the evidence stays", async () => {
  const project = await lessonsProject(OWN_LESSONS);
  const expert: Lesson = {
    ...NEW,
    id: 'wait-for-everything',
    source: 'expert',
    by: 'Grace',
    scope: {},
    evidence: [],
  };
  expect(await addLesson(project, expert)).toMatchObject({ done: 'corrected' });
  expect(await addLesson(project, expert)).toMatchObject({ done: 'unchanged' });
  const text = await written(project.root);
  expect(text).toContain('# Ask Ada before');
  const [lesson] = parseLessons(text, 'lessons.yaml');
  expect(lesson).toEqual({
    ...expert,
    evidence: [{ date: '2026-10-01', device: 'CPU A', session: 's1', note: 'first' }],
  });
});

test('evidence for a shipped lesson takes it over into the project', async () => {
  const project = await lessonsProject();
  const evidence = [{ date: '2026-11-15', session: 's2', speedup: 0.5 }];
  await addLesson(project, { ...NEW, id: 'falls-with-size', evidence });
  const lesson = (await readLessons(project)).find(({ id }) => id === 'falls-with-size');
  expect(lesson?.title).toBe('A speed-up that falls as the size grows');
  expect(lesson?.evidence).toHaveLength(2);
});

test('a lesson that could not be read again is not written', async () => {
  const project = await lessonsProject(OWN_LESSONS);
  await expect(addLesson(project, { ...NEW, symptom: { error: ['(a+)+'] } })).rejects.toThrow(/what repeats/);
  expect(await written(project.root)).toBe(OWN_LESSONS);
});

test('a file that is wrong is not written over', async () => {
  const broken = OWN_LESSONS.replace('source: expert', 'source: hearsay');
  const project = await lessonsProject(broken);
  await expect(addLesson(project, NEW)).rejects.toThrow(/lessons\.yaml:\d+:\d+/);
  expect(await written(project.root)).toBe(broken);
});

test('lessons that are added at once are all there', async () => {
  const project = await lessonsProject();
  const ids = ['one', 'two', 'three', 'four', 'five'];
  await Promise.all(ids.map((id) => addLesson(project, { ...NEW, id })));
  const lessons = parseLessons(await written(project.root), 'lessons.yaml');
  expect(lessons.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
});

test('a withdrawn lesson keeps everything, and its reason; a shipped one is withdrawn for this project', async () => {
  const project = await lessonsProject(OWN_LESSONS);
  await withdrawLesson(project, 'wait-for-everything', 'the runtime changed: no wait any more');
  await withdrawLesson(project, 'falls-with-size', 'not for us');
  const lessons = await readLessons(project);
  const reasons = lessons.flatMap(({ id, withdrawn }) => (withdrawn === undefined ? [] : [[id, withdrawn]]));
  expect(reasons).toEqual([
    ['falls-with-size', 'not for us'],
    ['wait-for-everything', 'the runtime changed: no wait any more'],
  ]);
  expect(await written(project.root)).toContain('# Ask Ada before');
  await expect(withdrawLesson(project, 'no-such', 'because')).rejects.toThrow(/no lesson no-such/);
  await expect(withdrawLesson(project, 'falls-with-size', ' ')).rejects.toThrow(/needs a reason/);
});
