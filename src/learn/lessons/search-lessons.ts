import type { Lesson } from '../../model/learn/lesson.ts';
import { includes, type Where } from './nearness.ts';

/** Lessons in which every word occurs, in whatever case; those with the words in their title first. */
export function searchLessons(lessons: readonly Lesson[], text: string): Lesson[] {
  const words = text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
  const inAll = (haystack: string) => words.every((word) => haystack.includes(word));
  return lessons
    .filter((lesson) => inAll(textOf(lesson)))
    .toSorted((one, other) => Number(inAll(headOf(other))) - Number(inAll(headOf(one))));
}

/** Lessons that hold for a device, a kind and a language, and are not withdrawn unless that is asked for. */
export function lessonsFor(
  lessons: readonly Lesson[],
  where: Where & {
    readonly language?: string | undefined;
    /** Those of any of these. */
    readonly hardware?: readonly string[] | undefined;
    readonly withdrawn?: boolean | undefined;
  },
): Lesson[] {
  const holds = (patterns: readonly string[] | undefined, name: string | undefined) =>
    patterns === undefined || name === undefined || includes(patterns, name);
  return lessons.filter(
    ({ scope, withdrawn }) =>
      (withdrawn === undefined || where.withdrawn === true) &&
      holds(scope.devices, where.device) &&
      holds(scope.kinds, where.kind) &&
      holds(scope.languages, where.language) &&
      (where.hardware === undefined ||
        scope.hardware === undefined ||
        scope.hardware.some((one) => where.hardware?.includes(one) === true)),
  );
}

function headOf({ id, title }: Lesson): string {
  return `${id} ${title}`.toLowerCase();
}

function textOf(lesson: Lesson): string {
  const { id, title, cause, fix, symptom, evidence, by = '' } = lesson;
  return [id, title, cause, fix, by, JSON.stringify(symptom), JSON.stringify(evidence)]
    .join(' ')
    .toLowerCase();
}
