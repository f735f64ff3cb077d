import type { LoadedConfig } from '../../config/load-config.ts';
import { readLessons } from '../lessons/read-lessons.ts';
import { loadMethod } from './load-method.ts';
import type { Method } from '../../model/learn/gate.ts';
import type { Lesson } from '../../model/learn/lesson.ts';

/** What a project goes by: its method's phases and gates, and the lessons that it warns with. */
export interface MethodLibrary {
  method(): Promise<Method>;
  lessons(): Promise<readonly Lesson[]>;
}

/** Read again each time: a project's files change while a server runs. Without a project it is what Pawl ships. */
export function projectLibrary(project: LoadedConfig | undefined): MethodLibrary {
  return { method: () => loadMethod(project), lessons: () => readLessons(project) };
}

/** The library's lessons first; of what sessions taught, those that never got into it. */
export function mergeLessons(library: readonly Lesson[], learnt: readonly Lesson[]): Lesson[] {
  const byId = new Map<string, Lesson>();
  for (const lesson of [...library, ...learnt]) if (!byId.has(lesson.id)) byId.set(lesson.id, lesson);
  return [...byId.values()];
}
