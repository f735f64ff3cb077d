import type { Point } from '../../space/space.ts';
import { distance } from './column.ts';
import type { Encoding } from './encoding.ts';

/** What any difference in a tunable adds to the squared distance. */
const MISMATCH = 0.15;

/** Of the points drawn, the one farthest from the nearest of those tried (Johnson, Moore & Ylvisaker, 1990). */
export function farthest(
  encoding: Encoding,
  drawn: readonly Point[],
  tried: readonly Uint16Array[],
): Point | undefined {
  let best: Point | undefined;
  let farthestYet = -1;
  for (const point of drawn) {
    const encoded = encoding.encode(point);
    const nearest = tried.reduce(
      (least, other) => Math.min(least, squared(encoding, encoded, other)),
      Infinity,
    );
    if (nearest > farthestYet) {
      best = point;
      farthestYet = nearest;
    }
  }
  return best;
}

function squared({ columns, tunables }: Encoding, one: Uint16Array, other: Uint16Array): number {
  let sum = 0;
  for (let j = 0; j < tunables; j++) {
    if (one[j] !== other[j]) sum += MISMATCH + distance(columns[j]!, one[j]!, other[j]!) ** 2;
  }
  return sum;
}
