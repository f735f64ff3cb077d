interface Commit {
  readonly commit: string;
}

/**
 * Moves each commit behind its parent where both are there: commits of the same second, or of machines whose clocks
 * disagree, are not in the order of their times. Everything else stays where it is.
 */
export function inCommitOrder<Point extends Commit>(
  points: readonly Point[],
  parentOf: ReadonlyMap<string, string>,
): Point[] {
  const left = new Map(points.map((point) => [point.commit, point]));
  const ordered: Point[] = [];
  for (const { commit } of points) {
    const line: Point[] = [];
    for (let sha: string | undefined = commit; sha !== undefined; sha = parentOf.get(sha)) {
      const point = left.get(sha);
      if (point === undefined) break;
      left.delete(sha);
      line.push(point);
    }
    ordered.push(...line.reverse());
  }
  return ordered;
}
