import type { Value } from '../../config/expression/expression-tree.ts';
import type { Random } from '../../stats/random.ts';
import type { Diagram } from './diagram.ts';
import { drawRank } from './draw-rank.ts';
import type { ReadRules } from './read-rules.ts';
import { residualOf } from './residual.ts';
import type { Part } from './rule.ts';
import type { Parameter, Point } from './space.ts';

/** Nodes looked at before a search gives up: about a second. */
const MAX_NODES = 100_000;

/**
 * A feasible point found by descending through a diagram, values in random order, weighted by what lies below them, and
 * turning back as soon as an open condition cannot hold any more. Not uniform: points with few feasible neighbours are
 * favoured.
 */
export function diveForPoint(
  diagram: Diagram,
  { order, parameters }: Pick<ReadRules, 'order' | 'parameters'>,
  open: readonly Part[],
  random: Random,
): Point | undefined {
  const asked = order.map((parameter, level) =>
    open
      .filter(({ scope }) => scope.includes(parameter))
      .map((part) => questionOf(part, order, level, parameters)),
  );
  const point = order.map(() => 0);
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
      if (asked[level]!.every((mayHold) => mayHold(row)) && descend(level + 1, edge!.child)) return true;
    }
    return false;
  };
  return diagram.count > 0 && descend(0, 0) ? point : undefined;
}

/** Whether a condition can still hold once the parameters up to a level are bound. */
function questionOf(
  part: Part,
  order: readonly number[],
  level: number,
  parameters: readonly Parameter[],
): (row: readonly Value[]) => boolean {
  const scope = order.filter((parameter) => part.scope.includes(parameter));
  const bound = scope.filter((parameter) => order.indexOf(parameter) <= level).length;
  if (bound === scope.length) return part.holds;
  const residual = residualOf(part, scope, parameters);
  return (row) => residual(row, bound) !== false;
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
