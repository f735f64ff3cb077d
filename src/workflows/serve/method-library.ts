import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parse } from 'yaml';

import { packageRoot } from '../../build/package-root.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { METHOD_SCHEMA, methodSchema, type Method } from '../../model/gate.ts';
import { LESSONS_SCHEMA, lessonsSchema, type Lesson, type Lessons } from '../../model/lesson.ts';

/** What a project goes by: its method's phases and gates, and the lessons that it warns with. */
export interface MethodLibrary {
  method(): Promise<Method>;
  lessons(): Promise<readonly Lesson[]>;
}

/** The library's lessons first; of what sessions taught, those that never got into it. */
export function mergeLessons(library: readonly Lesson[], learnt: readonly Lesson[]): Lesson[] {
  const byId = new Map<string, Lesson>();
  for (const lesson of [...library, ...learnt]) if (!byId.has(lesson.id)) byId.set(lesson.id, lesson);
  return [...byId.values()];
}

/** Read anew each time: a project's files change while a server runs. */
export function projectLibrary(_project: LoadedConfig | undefined): MethodLibrary {
  return {
    method: async () => methodSchema.parse(await readYaml('gates.yaml', EMPTY_METHOD)),
    lessons: async () => lessonsSchema.parse(await readYaml('lessons.yaml', EMPTY_LESSONS)).lessons,
  };
}

const EMPTY_METHOD: Method = { schema: METHOD_SCHEMA, settings: {}, phases: [], gates: [] };
const EMPTY_LESSONS: Lessons = { schema: LESSONS_SCHEMA, lessons: [] };

async function readYaml(name: string, empty: unknown): Promise<unknown> {
  const file = join(packageRoot(), 'method', name);
  return existsSync(file) ? parse(await readFile(file, 'utf8')) : empty;
}
