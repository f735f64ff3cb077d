import type { Value } from '../../config/expression-tree.ts';
import type { Random } from '../../stats/random.ts';
import type { Diagram } from './diagram.ts';
import { drawRank } from './draw-rank.ts';
import type { ReadRules } from './read-rules.ts';
import type { Part } from './rule.ts';
import type { Point } from './space.ts';

/** Nodes looked at before a search gives up: about a second. */
const MAX_NODES = 500_000;

/**
 * A feasible point found by descending through a diagram, values in random order, weighted by what lies below them, and
 * turning back as soon as an open condition fails. Not uniform: points whose neighbours are infeasible are favoured.
 */
export function diveForPoint(
  diagram: Diagram,
  { order, parameters }: Pick<ReadRules, 'order' | 'parameters'>,
  open: readonly Part[],
  random: Random,
): Point | undefined {
  // Each open condition is asked once its last parameter is bound.
  const asked = order.map((parameter, level) =>
    open.filter(
      ({ scope }) => scope.includes(parameter) && scope.every((name) => order.indexOf(name) <= level),
    ),
  );
  const point = new Array<number>(order.length).fill(0);
  const row: Value[] = parameters.map(({ values: [first] }) => first!);
  let nodes = 0;

  const descend = (level: number, node: number): boolean => {
    if (level === order.length) return true;
    const parameter = order[level]!;
    const edges = diagram.edgesOf(level, node);
    while (edges.length > 0) {
      if (++nodes > MAX_NODES) return false;
      const [edge] = edges.splice(drawWeighted(edges, random), 1);
      point[parameter] = edge!.value;
      row[parameter] = parameters[parameter]!.values[edge!.value]!;
      if (asked[level]!.every(({ holds }) => holds(row)) && descend(level + 1, edge!.child)) return true;
    }
    return false;
  };
  return diagram.count > 0 && descend(0, 0) ? point : undefined;
}

function drawWeighted(edges: readonly { readonly count: number }[], random: Random): number {
  let left = drawRank(
    random,
    edges.reduce((sum, { count }) => sum + count, 0),
  );
  for (const [index, { count }] of edges.entries()) {
    if (left < count) return index;
    left -= count;
  }
  return edges.length - 1;
}
