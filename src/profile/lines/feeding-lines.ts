import type { CapturedLines } from './code-lines.ts';
import { Flow } from './flow.ts';
import type { Place } from './code-lines.ts';
import { placesOf } from './places-of.ts';

/** Instructions that are looked at on the way back; further away everything hangs on everything. */
const MOST_INSTRUCTIONS = 2000;

/**
 * Lines whose results the instructions of some line compute with, directly first and then through others, and the calls
 * that they were inlined through.
 */
export function feedingLines({ table, lines }: CapturedLines, isMeant: (place: Place) => boolean): Place[] {
  if (lines === undefined) return [];
  const located = placesOf(table, lines);
  const flow = new Flow(table);
  const open = located.flatMap((one, index) => (one !== undefined && isMeant(one.place) ? [index] : []));
  const seen = new Set(open);
  const found: Place[] = [];
  for (let next = 0; next < open.length && next < MOST_INSTRUCTIONS; next += 1) {
    const at = open[next]!;
    const one = located[at];
    if (one !== undefined) found.push(one.place, ...one.callers);
    for (const source of flow.writersFor(at)) {
      if (seen.has(source)) continue;
      seen.add(source);
      open.push(source);
    }
  }
  return found;
}
