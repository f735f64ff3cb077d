import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';

import type { Lesson } from '../../model/learn/lesson.ts';
import { PawlError } from '../../model/pawl-error.ts';
import {
  compiledLessonsFile,
  projectLessonsFile,
  shippedLessonsFile,
  type LessonsProject,
} from './lessons-files.ts';

/** Far above any file that people read. */
const MAX_BYTES = 4_000_000;

/**
 * Pawl's own lessons and the project's; one of the project's replaces the shipped one of the same id, in its place.
 *
 * @throws {PawlError} of kind `configuration` naming file, line and column where a file is wrong
 */
export async function readLessons(config: LessonsProject | undefined): Promise<readonly Lesson[]> {
  const byId = new Map((await readShippedLessons()).map((lesson) => [lesson.id, lesson]));
  for (const lesson of config === undefined ? [] : await readProjectLessons(config)) {
    byId.set(lesson.id, lesson);
  }
  return [...byId.values()];
}

export async function readShippedLessons(): Promise<readonly Lesson[]> {
  const text = await readLessonsText(shippedLessonsFile());
  if (text === undefined) {
    throw new PawlError(
      'internal',
      `Pawl's own method/lessons.yaml is missing.`,
      'The installation is incomplete: install Pawl again.',
    );
  }
  return (await compiledLessons(text)) ?? parse(text, 'method/lessons.yaml');
}

/** What a build made of this very text, so that listing lessons needs no YAML and no schema; undefined where none did. */
async function compiledLessons(text: string): Promise<readonly Lesson[] | undefined> {
  const compiled = await readLessonsText(compiledLessonsFile());
  if (compiled === undefined) return undefined;
  const { of, lessons } = JSON.parse(compiled) as { readonly of: string; readonly lessons: Lesson[] };
  return of === createHash('sha256').update(text).digest('hex') ? lessons : undefined;
}

async function parse(text: string, label: string): Promise<readonly Lesson[]> {
  const { parseLessons } = await import('./parse-lessons.ts');
  return parseLessons(text, label);
}

/** Empty where the project has no file yet: it begins with the first lesson. */
export async function readProjectLessons(config: LessonsProject): Promise<readonly Lesson[]> {
  const file = projectLessonsFile(config);
  const text = await readLessonsText(file);
  return text === undefined ? [] : parse(text, lessonsLabel(config));
}

/** How the project's file is called in messages. */
export function lessonsLabel(config: LessonsProject): string {
  const file = projectLessonsFile(config);
  const label = relative(config.root, file);
  return label.startsWith('..') ? file : label;
}

/** The text of a lessons file; undefined where there is none. */
export async function readLessonsText(file: string): Promise<string | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'EACCES') throw new PawlError('permission', `${file} cannot be read: permission denied.`);
    if (code === 'EISDIR')
      throw new PawlError('configuration', `${file} is a folder, not a file of lessons.`);
    throw error;
  }
  if (bytes.length > MAX_BYTES) {
    throw new PawlError('configuration', `${file} has ${bytes.length} bytes; at most ${MAX_BYTES} are read.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new PawlError('configuration', `${file} is not UTF-8 text.`, 'Save it as UTF-8.');
  }
}
