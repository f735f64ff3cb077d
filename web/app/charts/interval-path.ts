import { at, type Scale } from '../../../src/report/svg/scale.ts';

/** An interval that goes on outside the picture ends in an arrow at its edge; one that lies outside is an arrow. */
export function intervalPath(
  [low, high]: readonly [number, number],
  reach: number,
  x: Scale,
  y: number,
): string {
  const place = (value: number): number => x(Math.min(reach, Math.max(-reach, value)));
  const arrow = (edge: number, way: 1 | -1): string =>
    `M${at(x(edge) - way * 14)} ${at(y)}h${way * 14}m${-way * 6} -5l${way * 6} 5l${-way * 6} 5`;
  return [
    `M${at(place(low))} ${at(y)}H${at(place(high))}`,
    low < -reach ? arrow(-reach, -1) : '',
    high > reach ? arrow(reach, 1) : '',
  ].join('');
}
