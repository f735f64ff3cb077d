import { didYouMean } from '../../model/text/did-you-mean.ts';
import type { Lesson } from '../../model/learn/lesson.ts';
import { ownHint, PawlError } from '../../model/pawl-error.ts';

export function unknownLesson(id: string, lessons: readonly Lesson[]): PawlError {
  const suggestion = didYouMean(
    id,
    lessons.map((lesson) => lesson.id),
  );
  return new PawlError(
    'usage',
    `There is no lesson ${JSON.stringify(id)}${suggestion}.`,
    ownHint('`pawl lessons` lists them.', 'lessons'),
  );
}
