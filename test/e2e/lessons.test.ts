import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { lessonsProject, OWN_LESSONS } from '../learn/lessons/lessons-project.ts';
import { diffOf } from '../learn/lessons/session-of.ts';
import { pawl } from './pawl-cli.ts';

it('goes through the life of a lesson', { timeout: 120_000 }, async () => {
  const { root } = await lessonsProject();
  await writeFile(join(root, 'ours.yaml'), OWN_LESSONS);
  await writeFile(join(root, 'try.diff'), diffOf(['#define BLOCK 8'], ['#define BLOCK 16']));

  const added = await pawl(root, 'lessons', 'add', '--file', 'ours.yaml');
  expect(added).toMatchObject({ code: 0, stdout: 'wait-for-everything: added\ntile-by-guess: corrected\n' });

  const matched = await pawl(root, 'lessons', 'match', '--diff', 'try.diff', '--kernel', 'copied');
  expect(matched.stdout).toContain('Our own words about tiles: tried on 13 Oct 2025 on NVIDIA L4, 0.75×');
  expect(matched.stdout).toContain('tunable: BLOCK 8 → 16 (tile-by-guess)');

  const reason = 'the tile is not what matters';
  const withdrawn = await pawl(root, 'lessons', 'withdraw', 'tile-by-guess', '--reason', reason);
  expect(withdrawn).toMatchObject({ code: 0, stdout: 'tile-by-guess is withdrawn in lessons.yaml\n' });
  const silent = await pawl(root, 'lessons', 'match', '--diff', 'try.diff', '--json');
  expect(JSON.parse(silent.stdout)).toEqual({ warnings: [] });
  const shown = await pawl(root, 'lessons', 'show', 'tile-by-guess');
  expect(shown.stdout).toContain(`withdrawn ${reason}`);

  const found = await pawl(root, 'lessons', 'search', 'waiting', '--json');
  expect(JSON.parse(found.stdout)).toMatchObject({
    schema: 'pawl.lessons/1',
    lessons: [{ id: 'wait-for-everything' }],
  });
});

it(
  'lists what Pawl ships outside of any project, and refuses what it cannot understand',
  { timeout: 60_000 },
  async () => {
    const listed = await pawl('/', 'lessons', '--device', 'NVIDIA H200', '--kind', 'attention');
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(listed.stdout).toContain('hopper-polynomial-exponentials');

    expect(await pawl('/', 'lessons', 'match')).toMatchObject({ code: 64 });
    expect(await pawl('/', 'lessons', 'match', '--finding', 'nonsense')).toMatchObject({ code: 64 });
    expect(await pawl('/', 'lessons', 'match', '--diff', '/no/such/file')).toMatchObject({ code: 64 });
    expect(await pawl('/', 'lessons', 'show', 'nonsense')).toMatchObject({ code: 64 });

    const { root } = await lessonsProject(OWN_LESSONS.replace('source: expert', 'source: hearsay'));
    const broken = await pawl(root, 'lessons');
    expect(broken.code).toBe(78);
    expect(broken.stderr).toMatch(/lessons\.yaml:15:13: lessons\[0\]\.source: "hearsay" is not/);
  },
);
