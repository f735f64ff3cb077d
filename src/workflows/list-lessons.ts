/** `pawl lessons` and `pawl lessons show`: what is known to go wrong. Apart from what matches and writes them, to be quick. */
import { trySettings } from '../config/try-settings.ts';
import { readLessons, readProjectLessons } from '../learn/lessons/read-lessons.ts';
import { lessonsFor, searchLessons } from '../learn/lessons/search-lessons.ts';
import { LESSONS_SCHEMA } from '../model/learn/lessons-schema-name.ts';
import type { Lesson, Lessons } from '../model/learn/lesson.ts';
import { unknownLesson } from './lessons/unknown-lesson.ts';

/** Which lessons to return. */
export interface LessonFilter {
  readonly config?: string;
  readonly device?: string;
  readonly kind?: string;
  readonly language?: string;
  /** Only lessons that have all of these words. */
  readonly text?: string;
  /** Only lessons for the devices that the project's kernels run on. */
  readonly ofProject?: boolean;
  /** Also those that were withdrawn. */
  readonly withdrawn?: boolean;
}

/** Lessons, and which of them are the project's own. */
export interface ListedLessons extends Lessons {
  /** The ids of the lessons in the project's file. */
  readonly project: readonly string[];
}

/**
 * Returns Pawl's lessons and the project's, as far as the filter matches. Without a project, only Pawl's.
 *
 * @throws {PawlError} of kind `configuration` if pawl.yaml or a file of lessons is wrong
 */
export async function listLessons(options: LessonFilter = {}): Promise<ListedLessons> {
  const keys = options.ofProject === true ? (['method', 'kernels'] as const) : (['method'] as const);
  const project = await trySettings<'method' | 'kernels'>(options.config, keys);
  const known = await readLessons(project);
  const kernels = options.ofProject === true ? Object.values(project?.config.kernels ?? {}) : [];
  const hardware = kernels.length === 0 ? undefined : kernels.map(({ device }) => device);
  const holding = lessonsFor(known, { ...options, hardware });
  const lessons = options.text === undefined ? holding : searchLessons(holding, options.text);
  const own = project === undefined ? [] : await readProjectLessons(project);
  return { schema: LESSONS_SCHEMA, lessons, project: own.map(({ id }) => id) };
}

/**
 * Returns one lesson by its id.
 *
 * @throws {PawlError} of kind `usage` if there is no such lesson
 */
export async function showLesson(options: {
  readonly config?: string;
  readonly id: string;
}): Promise<Lesson> {
  const lessons = await readLessons(await trySettings(options.config, ['method']));
  const found = lessons.find(({ id }) => id === options.id);
  if (found !== undefined) return found;
  throw unknownLesson(options.id, lessons);
}
