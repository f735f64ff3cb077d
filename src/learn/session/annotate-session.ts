import { readFile } from 'node:fs/promises';

import { defined } from '../../model/defined.ts';
import { addLesson } from '../lessons/write-lesson.ts';
import { foldSession } from './fold-session.ts';
import { newAnnotations, parseAnnotated } from './read-annotations.ts';
import type { Lesson } from '../../model/learn/lesson.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Session } from '../../model/learn/session.ts';
import { changeSession } from './open-session.ts';
import type { Working } from './session-options.ts';
import { runContext } from '../../os/run-context.ts';

export interface AnnotateOptions extends Working {
  readonly config?: string;
  readonly file: string;
  readonly by?: string;
}

export interface Annotated {
  readonly session: Session;
  /** What the expert corrected, as lessons. */
  readonly lessons: Lesson[];
}

/**
 * Reads an exported session that an expert annotated back into the project. Corrections become lessons.
 *
 * @throws {PawlError} of kind `usage` if the file or the session does not exist; `bad-data` if it is not an export of
 * this session
 */
export async function annotateSession(options: AnnotateOptions): Promise<Annotated> {
  const { file: label, by, config } = options;
  const { now } = runContext(options);
  const file = parseAnnotated(await textOf(label), label);
  const target = { ...options, session: file.id, ...defined({ config }) };
  return changeSession(target, async (opened) => {
    if (file.revision > opened.records.length) {
      throw new PawlError(
        'bad-data',
        `${label} has a later state of the session (${file.revision} lines) than this machine (${opened.records.length}).`,
        'Import it where it was exported.',
      );
    }
    const exported = foldSession(opened.records.slice(0, file.revision));
    const annotations = newAnnotations(file, exported, { by, at: now(), label });
    // Taken in before, from the same file.
    const known = new Set(
      opened.session.annotations.map((each) => JSON.stringify([each.about, each.comment])),
    );
    const added = annotations.filter((each) => !known.has(JSON.stringify([each.about, each.comment])));
    const lessons = added.flatMap(({ lesson }) => lesson ?? []);
    // The lessons first: a file that cannot take them leaves the session as it was.
    for (const lesson of lessons) await addLesson(opened.loaded, lesson);
    if (added.length > 0) {
      await opened.add(...added.map((annotation) => ({ type: 'annotated' as const, annotation })));
    }
    return { session: opened.session, lessons };
  });
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EISDIR') throw error;
    throw new PawlError(
      'usage',
      `There is no file ${file}.`,
      'Give a file that `pawl session export` wrote.',
    );
  }
}
