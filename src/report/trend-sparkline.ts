import type { Trend } from '../model/history.ts';
import { median } from '../stats/quantile.ts';

const BLOCKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/** A range below this share of the level is drawn as if it were this: noise is not to look like mountains. */
const LEAST_RANGE = 0.02;

/**
 * Levels over commits in so many cells, higher is slower, and a line for below it: `^` where a step is, `~` along a
 * creep. A cell shows the median of its commits, so that a single bad run does not flatten the rest.
 */
export function trendSparkline(
  { points, changes }: Pick<Trend, 'points' | 'changes'>,
  cells: number,
): { readonly line: string; readonly marks: string } {
  const cellOf = (index: number): number => Math.floor((index * cells) / points.length);
  const levels = Array.from({ length: cells }, (): number[] => []);
  points.forEach(({ level_ms }, index) => levels[cellOf(index)]!.push(level_ms));
  const heights = levels.flatMap((own) => (own.length === 0 ? [] : [median(own)]));
  const low = Math.min(...heights);
  const range = Math.max(Math.max(...heights) - low, LEAST_RANGE * low);
  const line = levels.map((own) => {
    if (own.length === 0) return ' ';
    const share = (median(own) - low) / range;
    return BLOCKS[Math.min(BLOCKS.length - 1, Math.floor(share * BLOCKS.length))]!;
  });
  const marks = Array.from({ length: cells }, () => ' ');
  const places = new Map(points.map(({ commit }, index) => [commit, cellOf(index)]));
  for (const { kind, commit, previous_commit } of changes) {
    const last = places.get(commit);
    if (last === undefined) continue;
    const first = kind === 'step' ? last : (places.get(previous_commit) ?? 0);
    for (let cell = first; cell <= last; cell++) {
      if (kind === 'step') marks[cell] = '^';
      else if (marks[cell] === ' ') marks[cell] = '~';
    }
  }
  return { line: line.join(''), marks: marks.join('') };
}
