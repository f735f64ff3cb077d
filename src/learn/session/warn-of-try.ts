import { isAgainstChange, matchLessons } from '../lessons/match-lessons.ts';
import { matchTries } from '../lessons/match-tries.ts';
import { readLessons } from '../lessons/read-lessons.ts';
import type { RuleId } from '../../model/profile/diagnosis-words.ts';
import type { Fact } from '../../model/learn/gate.ts';
import type { Warning } from '../../model/learn/lesson.ts';
import type { OnProgress } from '../../model/measure/progress.ts';
import type { Session, Try } from '../../model/learn/session.ts';
import { earlierSessions } from './earlier-sessions.ts';
import type { OpenSession } from './open-session.ts';
import type { Working } from './session-options.ts';
import { runContext } from '../../os/run-context.ts';

interface Warned {
  readonly warnings: Warning[];
  /** Whether a lesson speaks of the change itself, and not only of where the session stands. */
  readonly isAgainstLesson: boolean;
  /** Earlier tries by the ids that warnings name them with. */
  readonly earlier: ReadonlyMap<string, Try>;
}

/** What lessons and earlier tries say of what is about to be tried. */
export async function warnOfTry(
  opened: OpenSession,
  { change, rule, idea }: { change: Try['change']; rule: RuleId | undefined; idea?: string },
  { now, onProgress, tries }: { now: Date; onProgress: OnProgress | undefined; tries: readonly Try[] },
): Promise<Warned> {
  const { session, loaded } = opened;
  const { variables } = change;
  const others = (await earlierSessions(loaded, onProgress)).filter(({ id }) => id !== session.id);
  const own: Session = { ...session, tries: [...tries] };
  const lessons = await readLessons(loaded);
  // Asked once for the change and the situation together: some lessons speak of one only in the other.
  const ofLessons = matchLessons({
    lessons,
    ...placeOf(opened),
    now,
    change,
    variables,
    facts: factsOf(session),
    gates: session.gates,
    rules: rule === undefined ? [] : [rule],
  });
  const asked = { change, variables, kind: session.kind, device: session.device, now };
  const earlierTries = [
    ...matchTries({ ...asked, sessions: others, idea }),
    // In one session an idea is worth several tries; the same change is worth one.
    ...matchTries({ ...asked, sessions: [own] }),
  ];
  const earlier = new Map(
    [...others, own].flatMap(({ id, tries }) => tries.map((one) => [`${id}/try-${one.number}`, one])),
  );
  return {
    warnings: [...earlierTries, ...ofLessons],
    isAgainstLesson: ofLessons.some((warning) => isAgainstChange(warning, lessons)),
    earlier,
  };
}

/** Lessons that know what a build or a run says when it fails. */
export async function warnOfErrors(
  opened: OpenSession,
  one: Try,
  error: string,
  options: Working,
): Promise<Warning[]> {
  const known = new Set(one.warnings.map(({ id }) => id));
  return matchLessons({
    lessons: await readLessons(opened.loaded),
    ...placeOf(opened),
    errors: [error],
    now: runContext(options).now(),
  }).filter(({ id }) => !known.has(id));
}

function placeOf({ session: { kind, device, kernel }, loaded }: OpenSession) {
  const { language, device: hardware } = loaded.config.kernels[kernel] ?? {};
  return { kind, device, language, hardware };
}

/** Of all gates so far; the later ones know better. */
function factsOf({ gates }: Session): Record<string, Fact> {
  return Object.assign({}, ...gates.map(({ evidence }) => evidence?.facts ?? {})) as Record<string, Fact>;
}
