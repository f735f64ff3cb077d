import type { Part } from './rule.ts';

/**
 * An order in which to bind parameters so that few conditions are open at a time: greedily, next is the one that
 * leaves the fewest bound parameters in open conditions, then the one that closes most of them. Parameters that no
 * condition joins come one group after the other, so that a diagram narrows to one node between them.
 */
export function parameterOrder(count: number, parts: readonly Pick<Part, 'scope'>[]): number[] {
  const bound = new Set<number>();
  const order: number[] = [];
  while (order.length < count) {
    let best: { readonly parameter: number; readonly frontier: number; readonly closed: number } | undefined;
    for (let parameter = 0; parameter < count; parameter++) {
      if (bound.has(parameter)) continue;
      bound.add(parameter);
      const open = parts.filter(
        ({ scope }) => scope.some((name) => bound.has(name)) && !scope.every((name) => bound.has(name)),
      );
      const frontier = new Set(open.flatMap(({ scope }) => scope.filter((name) => bound.has(name)))).size;
      const closed = parts.filter(
        ({ scope }) => scope.includes(parameter) && scope.every((name) => bound.has(name)),
      ).length;
      bound.delete(parameter);
      if (
        best === undefined ||
        frontier < best.frontier ||
        (frontier === best.frontier && closed > best.closed)
      ) {
        best = { parameter, frontier, closed };
      }
    }
    if (best === undefined) break;
    bound.add(best.parameter);
    order.push(best.parameter);
  }
  return order;
}
