import type { Trend } from '../model/history/history.ts';
import { median, quantile } from '../stats/quantile.ts';

const BLOCKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/** A range below this share of the level is drawn as if it were this: noise is not to look like mountains. */
const LEAST_RANGE = 0.02;
/** Cells beyond are drawn at the edge: one bad run is not to flatten the rest. The newest point is never cut. */
const CUT = 0.03;

/**
 * Levels over commits in so many cells, higher is slower, and a line for below it: `^` where a step is, `~` along a
 * creep, `|` where something else happened and `!` below a newest point that is off. A cell shows the median of its
 * commits, and the last one the newest of them.
 */
export function trendSparkline(
  { points, changes, marks: others = [], newest }: Pick<Trend, 'points' | 'changes' | 'marks' | 'newest'>,
  cells: number,
): { readonly line: string; readonly marks: string } {
  const cellOf = (index: number): number => Math.floor((index * cells) / points.length);
  const levels = Array.from({ length: cells }, (): number[] => []);
  points.forEach(({ level_ms }, index) => levels[cellOf(index)]!.push(level_ms));
  const last = points.at(-1)?.level_ms;
  if (last !== undefined) levels[cellOf(points.length - 1)] = [last];
  const heights = levels.flatMap((own) => (own.length === 0 ? [] : [median(own)]));
  const low = Math.min(quantile(heights, CUT), heights.at(-1)!);
  const range = Math.max(quantile(heights, 1 - CUT) - low, heights.at(-1)! - low, LEAST_RANGE * low);
  const line = levels.map((own) => {
    if (own.length === 0) return ' ';
    const share = (median(own) - low) / range;
    return BLOCKS[Math.max(0, Math.min(BLOCKS.length - 1, Math.floor(share * BLOCKS.length)))]!;
  });
  const marks = Array.from({ length: cells }, () => ' ');
  const places = new Map(points.map(({ commit }, index) => [commit, cellOf(index)]));
  for (const { kind, commit, previous_commit } of changes) {
    const end = places.get(commit);
    if (end === undefined) continue;
    const first = kind === 'step' ? end : (places.get(previous_commit) ?? 0);
    for (let cell = first; cell <= end; cell++) {
      if (kind === 'step') marks[cell] = '^';
      else if (marks[cell] === ' ') marks[cell] = '~';
    }
  }
  for (const { commit } of others) {
    const cell = places.get(commit);
    if (cell !== undefined && marks[cell] === ' ') marks[cell] = '|';
  }
  const off = newest && places.get(newest.commit);
  if (off !== undefined) marks[off] = '!';
  return { line: line.join(''), marks: marks.join('') };
}
