import { createHash } from 'node:crypto';
import { isMap, isSeq, parseDocument, type Document, type YAMLMap, type YAMLSeq } from 'yaml';

import { writeDurably } from '../../os/write-durably.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { holderText } from '../../model/device/wait-text.ts';
import { lockName } from '../../os/named-lock.ts';
import { lessonSchema, type Lesson } from '../../model/learn/lesson.ts';
import { LESSONS_SCHEMA } from '../../model/learn/lessons-schema-name.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { projectLessonsFile } from './lessons-files.ts';
import { mergeLesson } from './merge-lesson.ts';
import { checkLesson, parseLessons } from './parse-lessons.ts';
import { lessonsLabel, readLessonsText, readShippedLessons } from './read-lessons.ts';

const HEADING = `# What this project has learnt about its kernels (\`pawl lessons\`, docs/lessons.md). Commit it. Pawl adds to it when
# sessions end; edit it as you like, comments stay.
schema: ${LESSONS_SCHEMA}
lessons: []
`;
const LESSON_KEYS = Object.keys(lessonSchema.shape) as (keyof Lesson)[];
/** Many times what a write takes. */
const WAIT_MS = 10_000;

export interface WrittenLesson {
  readonly id: string;
  /** `unchanged`: everything that it says was there already. */
  readonly done: 'added' | 'evidence-added' | 'corrected' | 'unchanged';
  readonly file: string;
}

/**
 * Adds a lesson to the project's file. One with its id gets the evidence instead, and holds where either of them
 * does; an expert's words replace those that are there. A shipped one is taken over into the project's file for that.
 * Comments and order stay.
 */
export async function addLesson(config: LoadedConfig, lesson: Lesson): Promise<WrittenLesson> {
  const checked = checkLesson(lesson, `lesson ${lesson.id}`);
  return editLessons(config, async (lessons, edit) => {
    const index = lessons.findIndex(({ id }) => id === checked.id);
    const shipped = (await readShippedLessons()).find(({ id }) => id === checked.id);
    const known = lessons[index] ?? shipped;
    if (known === undefined) {
      edit.append(checked);
      return 'added';
    }
    const merged = mergeLesson(known, checked);
    if (merged === undefined) return 'unchanged';
    if (index < 0) edit.append(merged.lesson);
    else for (const key of LESSON_KEYS) edit.set(index, key, merged.lesson[key]);
    return merged.isCorrection ? 'corrected' : 'evidence-added';
  }).then(({ done, file }) => ({ id: checked.id, done, file }));
}

/** Keeps a lesson, with the reason why it is no longer preached. */
export async function withdrawLesson(
  config: LoadedConfig,
  id: string,
  reason: string,
): Promise<{ readonly lesson: Lesson; readonly file: string }> {
  if (reason.trim() === '') {
    throw new PawlError(
      'usage',
      'Withdrawing a lesson needs a reason.',
      `pawl lessons withdraw ${id} --reason …`,
    );
  }
  const { done, file } = await editLessons(config, async (lessons, edit) => {
    const index = lessons.findIndex((lesson) => lesson.id === id);
    const lesson = lessons[index] ?? (await readShippedLessons()).find((each) => each.id === id);
    if (lesson === undefined) {
      throw new PawlError('usage', `There is no lesson ${id}.`, '`pawl lessons` lists them.');
    }
    const withdrawn = { ...lesson, withdrawn: reason };
    if (index < 0) edit.append(withdrawn);
    else edit.set(index, 'withdrawn', reason);
    return withdrawn;
  });
  return { lesson: done, file };
}

/** Changes to the document of a lessons file. */
interface Edit {
  append(lesson: Lesson): void;
  set(index: number, key: keyof Lesson, value: unknown): void;
}

async function editLessons<Done>(
  config: LoadedConfig,
  change: (lessons: readonly Lesson[], edit: Edit) => Promise<Done>,
): Promise<{ readonly done: Done; readonly file: string }> {
  const file = projectLessonsFile(config);
  const id = `lessons-${createHash('sha256').update(file).digest('hex').slice(0, 32)}`;
  // Two sessions that end at once would each write the file without the other's lesson.
  const label = lessonsLabel(config);
  const lock = await lockName({ id, purpose: `writing ${label}`, wait_ms: WAIT_MS });
  if (lock.state === 'taken') {
    const text = `${label} is being written by ${holderText(lock.holder)}.`;
    throw new PawlError('try-again', text, 'Try again when it is done.');
  }
  try {
    const before = (await readLessonsText(file)) ?? HEADING;
    const lessons = parseLessons(before, lessonsLabel(config));
    const document = parseDocument(before);
    const list = lessonsNode(document);
    const done = await change(lessons, {
      append: (lesson) => {
        list.flow = false;
        list.items.push(document.createNode(lesson));
      },
      set: (index, key, value) => {
        const node: unknown = list.items[index];
        if (!isMap(node)) throw new Error(`lesson ${index} is not a mapping`);
        setIn(document, node, key, value);
      },
    });
    const after = document.toString({ lineWidth: 110 });
    // Nothing is written that could not be read again.
    parseLessons(after, lessonsLabel(config));
    if (after !== before) await writeDurably(file, after);
    return { done, file };
  } finally {
    await lock.release();
  }
}

function lessonsNode(document: Document): YAMLSeq {
  const list = document.get('lessons');
  if (!isSeq(list)) throw new Error('lessons is not a list');
  return list;
}

/** New items of a list are appended, so that comments on those that are there stay. */
function setIn(document: Document, node: YAMLMap, key: string, value: unknown): void {
  const old = node.get(key);
  if (isSeq(old) && Array.isArray(value) && value.length > old.items.length) {
    old.flow = false;
    for (const item of value.slice(old.items.length)) old.items.push(document.createNode(item));
  } else if (value === undefined) node.delete(key);
  else if (!isSame(node, key, value)) node.set(key, document.createNode(value));
}

function isSame(node: YAMLMap, key: string, value: unknown): boolean {
  const old: unknown = node.get(key);
  const plain: unknown = isMap(old) || isSeq(old) ? old.toJSON() : old;
  if (plain === undefined)
    return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return JSON.stringify(plain) === JSON.stringify(value);
}
