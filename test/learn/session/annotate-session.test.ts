import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import type { Session } from '../../../src/model/learn/session.ts';
import {
  annotateSession,
  endSession,
  exportSession,
  noteInSession,
  sessionStatus,
  startSession,
} from '../../../src/workflows/session.ts';
import { SessionProject } from '../../workflows/session/session-project.ts';

let project: SessionProject;
let file: string;
let exported: Session;

const LESSON = {
  id: 'turns-are-not-latency',
  title: 'More turns do not hide latency',
  symptom: { tunables: { TURNS: 'up' } },
  cause: 'the loop is serial',
  fix: 'Fewer turns.',
};

beforeAll(async () => {
  project = await SessionProject.create();
  const { config } = project;
  const { id } = await startSession({ config, goal: '1.5x on small' });
  await noteInSession({ config, text: 'nothing done' });
  file = join(project.folder, 'session.json');
  ({ session: exported } = await exportSession({ config, session: id, out: file }));
  // It goes on while the expert reads.
  await noteInSession({ config, text: 'still nothing' });
  await endSession({ config, summary: 'nothing came of it' });
});

async function edit(change: (session: Record<string, unknown>) => void): Promise<string> {
  const session = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  change(session);
  const path = join(project.folder, 'annotated.json');
  await writeFile(path, JSON.stringify(session));
  return path;
}

const annotation = (more: object = {}) => ({
  about: 'gate:room',
  comment: 'look at the bytes first',
  ...more,
});

describe('an exported session', () => {
  it('is not written over what an expert may have annotated', async () => {
    await expect(exportSession({ config: project.config, session: exported.id, out: file })).rejects.toThrow(
      'already',
    );
  });

  it('comes back with annotations, once, and what the expert corrects becomes a lesson', async () => {
    const { config } = project;
    const path = await edit((session) => {
      session['annotations'] = [
        annotation(),
        annotation({ about: 'session', comment: 'profile', lesson: LESSON }),
      ];
    });
    const { session, lessons } = await annotateSession({ config, file: path, by: 'Dr. Ada' });
    expect(session.annotations).toMatchObject([
      { about: 'gate:room', by: 'Dr. Ada', comment: 'look at the bytes first' },
      { about: 'session', by: 'Dr. Ada' },
    ]);
    expect(lessons).toMatchObject([
      { id: LESSON.id, source: 'expert', by: 'Dr. Ada', evidence: [{ session: exported.id }] },
    ]);
    expect(await project.read('lessons.yaml')).toContain('source: expert');
    const again = await annotateSession({ config, file: path, by: 'Dr. Ada' });
    expect(again.lessons).toEqual([]);
    expect(again.session.annotations).toHaveLength(2);
    expect((await sessionStatus({ config, session: exported.id })).state).toBe('ended');
  });

  it.each<[string, (session: Record<string, unknown>) => void, string]>([
    [
      'a goal that was edited',
      (it) => ((it['goal'] as { speedup: number }).speedup = 1),
      'goal.speedup differs',
    ],
    [
      'a note that was edited',
      (it) => ((it['notes'] as { text: string }[])[0]!.text = 'much'),
      'notes.0.text differs',
    ],
    ['a field that was added', (it) => (it['grade'] = 'A'), 'grade differs'],
    ['a field that was removed', (it) => delete it['cost'], 'cost differs'],
    [
      'an annotation of nothing',
      (it) => (it['annotations'] = [annotation({ about: 'try:7' })]),
      'annotations.0.about',
    ],
    [
      'an annotation without words',
      (it) => (it['annotations'] = [annotation({ comment: '' })]),
      'annotations.0.comment',
    ],
    [
      'a lesson that is none',
      (it) => (it['annotations'] = [annotation({ lesson: { ...LESSON, id: 'Not An Id' } })]),
      'annotations.0.lesson.id',
    ],
    ['another format', (it) => (it['schema'] = 'pawl.session/2'), 'schema'],
  ])('is refused with %s, naming the place', async (_, change, place) => {
    const path = await edit(change);
    await expect(annotateSession({ config: project.config, file: path, by: 'Ada' })).rejects.toThrow(place);
    expect((await sessionStatus({ config: project.config, session: exported.id })).annotations).toHaveLength(
      2,
    );
  });
});
