import { PAUSE_MIN } from '../../../src/model/learn/session-progress.ts';

export interface WorkTime {
  /** Minutes of work before a moment. */
  readonly minutesAt: (time_ms: number) => number;
  readonly total_min: number;
  /** Where the work was left, and for how long. */
  readonly pauses: readonly { readonly at_min: number; readonly length_min: number }[];
}

/** A session of three days is mostly nights: time without its pauses. */
export function workTime(spans: readonly (readonly [from_ms: number, to_ms: number])[]): WorkTime {
  const sorted = spans.toSorted(([one], [other]) => one - other);
  const pauses: { at_ms: number; at_min: number; length_min: number }[] = [];
  const first = sorted[0]?.[0] ?? 0;
  let [end, left] = [first, 0];
  for (const [from, to] of sorted) {
    if (from - end > 60_000 * PAUSE_MIN) {
      pauses.push({
        at_ms: end,
        at_min: (end - first) / 60_000 - left,
        length_min: (from - end) / 60_000,
      });
      left += (from - end) / 60_000;
    }
    end = Math.max(end, to);
  }
  const minutesAt = (time_ms: number): number => {
    let minutes = (time_ms - first) / 60_000;
    for (const { at_ms, length_min } of pauses)
      if (time_ms > at_ms) minutes -= Math.min(length_min, (time_ms - at_ms) / 60_000);
    return minutes;
  };
  return { minutesAt, total_min: (end - first) / 60_000 - left, pauses };
}
