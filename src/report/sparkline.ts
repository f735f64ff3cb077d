const BLOCKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** A histogram in one line. An empty bin is blank, and a bin that holds anything shows at least a line. */
export function sparkline(counts: readonly number[]): string {
  const highest = Math.max(1, ...counts);
  return counts
    .map((count) => (count === 0 ? ' ' : BLOCKS[Math.ceil((count / highest) * BLOCKS.length) - 1]!))
    .join('');
}
