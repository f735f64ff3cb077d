/** The words in the picture of a roofline, where they cover nothing. */
import type { VNode } from 'preact';

import type { RooflineChart } from '../../model/profile/profile-page.ts';
import { svgText } from './figure.tsx';
import { PANEL_WIDTH } from './percent-bars.ts';
import { attainable, BOTTOM, LEFT, type Axes } from './roofline-frame.ts';
import { at } from './scale.ts';

/** As wide as the widest of the usual fonts makes a letter at this size. */
const LETTER = 7.2;
const LINE = 16;

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** What each point reached, written where it covers neither the roof nor another point or label. */
export function pointLabels(chart: RooflineChart, { x, y }: Axes): readonly VNode[] {
  const taken: Box[] = chart.points.map(({ intensity, perSecond }) =>
    around(x(intensity), y(perSecond), 9, 9),
  );
  return chart.points.toReversed().map((point) => {
    const [px, py] = [x(point.intensity), y(point.perSecond)];
    const pct = ((100 * point.perSecond) / attainable(chart, point.intensity)).toFixed(0);
    const text = chart.points.length > 1 ? `${point.side}: ${pct} % of roof` : `${pct} % of the roof`;
    const half = (text.length * LETTER) / 2;
    const places = [0, 22, 40, 58, 76, -20].flatMap((down) => {
      const aside = down === 0 ? 14 : 0;
      return [
        around(px + aside + half, py + down, half, LINE / 2),
        around(px - aside - half, py + down, half, LINE / 2),
      ];
    });
    // The axis is logarithmic: as far as a decade is wide.
    const roofAt = (place: number): number =>
      y(attainable(chart, point.intensity * 10 ** ((place - px) / (x(10) - x(1)))));
    const isFree = (box: Box): boolean =>
      box.left >= LEFT &&
      box.right <= PANEL_WIDTH &&
      box.bottom <= BOTTOM &&
      box.top > roofAt(box.left) &&
      !taken.some((other) => overlaps(box, other));
    const box = places.find(isFree) ?? places.find(({ left, right }) => left >= LEFT && right <= PANEL_WIDTH);
    const { left, top } = box ?? around(px + half, py + 22, half, LINE / 2);
    taken.push(...(box === undefined ? [] : [box]));
    return svgText(left, top + 12, text, 'value halo');
  });
}

const around = (x: number, y: number, halfWidth: number, halfHeight: number): Box => ({
  left: x - halfWidth,
  right: x + halfWidth,
  top: y - halfHeight,
  bottom: y + halfHeight,
});

const overlaps = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

type Place = readonly [x: number, y: number];

/** Along the slope where it is long enough, else beside it. */
export function slopeLabel(text: string, [x1, y1]: Place, [x2, y2]: Place, points: readonly number[]): VNode {
  const isLong = Math.hypot(x2 - x1, y2 - y1) > text.length * LETTER + 10 && x2 - x1 > 60;
  const along = isLong ? slopeLabelPlace(points) : 0.5;
  const [x, y] = [x1 + along * (x2 - x1), y1 + along * (y2 - y1)];
  if (!isLong) return svgText(x + 10, y + 4, text, 'small ink halo');
  const angle = (-180 / Math.PI) * Math.atan2(y1 - y2, x2 - x1);
  return (
    <g transform={`translate(${at(x)} ${at(y)}) rotate(${at(angle)})`}>
      {svgText(0, -7, text, 'small ink halo', 'middle')}
    </g>
  );
}

/** Where on the slope its label is farthest from the points, as a share of its length. */
function slopeLabelPlace(points: readonly number[]): number {
  const distance = (place: number): number => Math.min(...points.map((point) => Math.abs(point - place)));
  return [0.5, 0.68, 0.34].reduce((best, place) => (distance(place) > distance(best) + 0.1 ? place : best));
}
