import { defined } from '../../model/defined.ts';
import type { Lesson } from '../../model/learn/lesson.ts';

type Evidence = Lesson['evidence'][number];

/**
 * The known lesson with another's evidence, in force where either is; undefined where that says nothing new. Its words
 * stay, which may have been edited, unless an expert corrects them: then everything is as the expert says, and only
 * evidence is kept. The known evidence comes first and as it is.
 */
export function mergeLesson(
  known: Lesson,
  other: Lesson,
): { readonly lesson: Lesson; readonly isCorrection: boolean } | undefined {
  const fresh = other.evidence.filter((each) => !known.evidence.some((old) => isSame(old, each)));
  const evidence = [...known.evidence, ...fresh];
  if (other.source === 'expert' && wordsOf(known) !== wordsOf(other)) {
    return { lesson: { ...other, evidence }, isCorrection: true };
  }
  if (fresh.length === 0) return undefined;
  return { lesson: { ...known, evidence, scope: widen(known.scope, other.scope) }, isCorrection: false };
}

/** What an expert can correct; evidence is not among it. */
function wordsOf({ title, symptom, cause, fix }: Lesson): string {
  return JSON.stringify([title, sorted(symptom), cause, fix]);
}

/** The same session tells the same thing twice when a lesson is taken in again. */
function isSame(one: Evidence, other: Evidence): boolean {
  if (one.session !== undefined && other.session !== undefined) {
    return one.session === other.session && one.note === other.note;
  }
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(values: object): [string, unknown][] {
  return Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** What is left out holds everywhere, and stays so. */
function widen(known: Lesson['scope'], other: Lesson['scope']): Lesson['scope'] {
  const union = <Name extends string>(one: readonly Name[] | undefined, two: readonly Name[] | undefined) =>
    one === undefined || two === undefined ? one && [...one] : [...new Set([...one, ...two])];
  const devices = union(known.devices, other.devices);
  const kinds = union(known.kinds, other.kinds);
  const languages = union(known.languages, other.languages);
  return {
    ...defined({ devices, kinds, languages, hardware: union(known.hardware, other.hardware) }),
  };
}
