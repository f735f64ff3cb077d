import type { Lesson, Warning } from '../../model/learn/lesson.ts';
import { speedupText } from '../../model/text/number-text.ts';
import { includes, type Where } from './nearness.ts';
import { dayText, sentence } from './when-text.ts';

type Evidence = Lesson['evidence'][number];

/** "Smaller tiles by guess: tried on 12 Oct 2025 on NVIDIA L4, 0.75×, because …". */
export function lessonText(
  lesson: Lesson,
  here: Where & { readonly now?: Date | undefined },
  nearness: Warning['nearness'],
): string {
  const { title, cause } = lesson;
  const shown = telling(lesson.evidence, here.device);
  const seen = shown === undefined ? undefined : experience(shown, here.now);
  const text = sentence(`${title}: ${seen === undefined ? '' : `${seen}, because `}${cause}`);
  const elsewhere = elsewhereText(lesson, here, nearness);
  return elsewhere === undefined ? text : `${text} ${elsewhere}`;
}

/** The evidence from this device, else one with a figure; of equal ones the last that was written down. */
function telling(evidence: readonly Evidence[], device: string | undefined): Evidence | undefined {
  const weight = (each: Evidence): number =>
    (device !== undefined && each.device === device ? 4 : 0) +
    (each.speedup === undefined ? 0 : 2) +
    (each.date === undefined ? 0 : 1);
  return evidence.toReversed().toSorted((one, other) => weight(other) - weight(one))[0];
}

function experience({ date, device, speedup }: Evidence, now: Date | undefined): string | undefined {
  if (date === undefined && device === undefined) return undefined;
  const verb = speedup === undefined ? 'seen' : speedup < 1 ? 'tried' : 'it helped';
  const on = date === undefined ? '' : ` on ${dayText(date, now)}`;
  const where = device === undefined ? '' : ` on ${device}`;
  return `${verb}${on}${where}${speedup === undefined ? '' : `, ${speedupText(speedup)}`}`;
}

/** What is true on one device isn't preached on another: a match from elsewhere says so. */
function elsewhereText(
  { scope, evidence }: Lesson,
  { device, kind }: Where,
  nearness: Warning['nearness'],
): string | undefined {
  if (nearness === 'same-device') return undefined;
  if (scope.kinds !== undefined && kind !== undefined && !includes(scope.kinds, kind)) {
    return `Known of ${names(scope.kinds)}, not of ${kind}.`;
  }
  const here = device === undefined ? 'this device is unknown' : `this is ${device}`;
  if (scope.devices !== undefined) {
    return `Known on ${names(scope.devices)}; ${here}, where it may not hold.`;
  }
  const homes = [...new Set(evidence.flatMap((each) => each.device ?? []))];
  return `Seen on ${homes.join(', ')} so far; ${here}.`;
}

/** Patterns as names: people read `NVIDIA H200`, not `NVIDIA H200*`. */
function names(patterns: readonly string[]): string {
  return patterns.map((pattern) => pattern.replaceAll('*', '')).join(', ');
}
