import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { addLessonsFrom, matchKnownLessons, withdrawKnownLesson } from '../../src/workflows/lessons.ts';
import { listLessons, showLesson } from '../../src/workflows/list-lessons.ts';
import { lessonsProject, OWN_LESSONS } from '../learn/lessons/lessons-project.ts';
import { diffOf } from '../learn/lessons/session-of.ts';

describe('the list', () => {
  test('holds for a device, a kind and a language', async () => {
    const { root } = await lessonsProject(OWN_LESSONS);
    const ids = async (filter: object) =>
      (await listLessons({ config: root, ...filter })).lessons.map(({ id }) => id);
    expect(await ids({ device: 'CPU A' })).toContain('wait-for-everything');
    expect(await ids({ device: 'CPU B' })).not.toContain('wait-for-everything');
    expect(await ids({ kind: 'gemm' })).not.toContain('layout-hidden-by-one-head');
    expect(await ids({ kind: 'flash_attention' })).toContain('layout-hidden-by-one-head');
    expect(await ids({ language: 'python' })).not.toContain('serialized-wgmma');
    expect(await ids({ text: 'ADA waiting' })).toEqual(['wait-for-everything']);
  });

  test("names the project's own, and leaves out what was withdrawn unless asked", async () => {
    const { root } = await lessonsProject(OWN_LESSONS);
    expect((await listLessons({ config: root })).project).toEqual(['wait-for-everything', 'tile-by-guess']);
    await withdrawKnownLesson({ config: root, id: 'wait-for-everything', reason: 'mended' });
    const { lessons } = await listLessons({ config: root });
    expect(lessons.some(({ id }) => id === 'wait-for-everything')).toBe(false);
    const all = await listLessons({ config: root, withdrawn: true });
    expect(all.lessons.find(({ id }) => id === 'wait-for-everything')?.withdrawn).toBe('mended');
  });
});

test('a lesson that is not there is asked for by the nearest name', async () => {
  const { root } = await lessonsProject();
  await expect(showLesson({ config: root, id: 'tile-by-gues' })).rejects.toThrow(
    /did you mean `tile-by-guess`/,
  );
});

test('a kernel of pawl.yaml says its kind and language, and its sources are looked through', async () => {
  const { root } = await lessonsProject(OWN_LESSONS);
  const { warnings } = await matchKnownLessons({ config: root, kernel: 'copied', device: 'CPU A' });
  expect(warnings.map(({ id, matched }) => [id, matched])).toEqual([
    ['wait-for-everything', 'code: copy.cpp:2: int wait_for_everything();'],
  ]);
  await expect(matchKnownLessons({ config: root, kernel: 'copid' })).rejects.toThrow(/did you mean `copied`/);
});

test.each([
  ['a macro', ['#define BLOCK 8'], ['#define BLOCK 16 // more']],
  ['a constant', ['static constexpr int BLOCK = 8;'], ['static constexpr int BLOCK = 16;']],
  [
    "a tunable's default",
    ['  BLOCK: { values: [8, 16], default: 8 }'],
    ['  BLOCK: { values: [8, 16], default: 16 }'],
  ],
  ['a flag', ['flags: [-O3, -DBLOCK=8]'], ['flags: [-O3, -DBLOCK=16]']],
  ['a Python name', ['BLOCK = 8'], ['BLOCK = 16']],
])('a bare diff that moves %s is seen to move it', async (_, removed, added) => {
  const { root } = await lessonsProject(OWN_LESSONS);
  const { warnings } = await matchKnownLessons({ config: root, diff: diffOf(removed, added) });
  expect(warnings.map(({ id, matched }) => [id, matched])).toContainEqual([
    'tile-by-guess',
    'tunable: BLOCK 8 → 16',
  ]);
});

test('a file of lessons is added, and added again changes nothing', async () => {
  const { root } = await lessonsProject();
  const file = join(root, 'from-elsewhere.yaml');
  await writeFile(file, OWN_LESSONS);
  const first = await addLessonsFrom({ config: root, file });
  expect(first.written.map(({ id, done }) => [id, done])).toEqual([
    ['wait-for-everything', 'added'],
    // Shipped under this id, in other words.
    ['tile-by-guess', 'corrected'],
  ]);
  const again = await addLessonsFrom({ config: root, file });
  expect(again.written.map(({ done }) => done)).toEqual(['unchanged', 'unchanged']);
});
