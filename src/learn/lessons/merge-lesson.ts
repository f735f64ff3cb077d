import type { Lesson } from '../../model/lesson.ts';

type Evidence = Lesson['evidence'][number];

/**
 * The known lesson with another's evidence, in force where either is; undefined where that says nothing new. Its words
 * stay: they may have been edited. The known evidence comes first and as it is.
 */
export function mergeLesson(known: Lesson, other: Lesson): Lesson | undefined {
  const fresh = other.evidence.filter((each) => !known.evidence.some((old) => isSame(old, each)));
  if (fresh.length === 0) return undefined;
  const evidence = [...known.evidence, ...fresh];
  return { ...known, evidence, scope: widen(known.scope, other.scope) };
}

/** The same session tells the same thing twice when a lesson is taken in again. */
function isSame(one: Evidence, other: Evidence): boolean {
  if (one.session !== undefined && other.session !== undefined) {
    return one.session === other.session && one.note === other.note;
  }
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(evidence: Evidence): [string, unknown][] {
  return Object.entries(evidence).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** What is left out holds everywhere, and stays so. */
function widen(known: Lesson['scope'], other: Lesson['scope']): Lesson['scope'] {
  const union = (one: readonly string[] | undefined, two: readonly string[] | undefined) =>
    one === undefined || two === undefined ? one && [...one] : [...new Set([...one, ...two])];
  const devices = union(known.devices, other.devices);
  const kinds = union(known.kinds, other.kinds);
  const languages = union(known.languages, other.languages);
  return {
    ...(devices === undefined ? {} : { devices }),
    ...(kinds === undefined ? {} : { kinds }),
    ...(languages === undefined ? {} : { languages }),
  };
}
