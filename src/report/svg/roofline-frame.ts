/** Where things are in the picture of a roofline. */
import type { RooflineChart } from '../../model/profile/profile-page.ts';
import { PANEL_WIDTH } from './percent-bars.ts';
import { linearScale, type Scale } from './scale.ts';

export const HEIGHT = 280;
export const LEFT = 46;
export const TOP = 14;
export const BOTTOM = HEIGHT - 40;

export type Point = RooflineChart['points'][number];

/** What the ceilings allow at an intensity. */
export const attainable = ({ roofs: [own], memory }: RooflineChart, intensity: number): number =>
  Math.min(own?.perSecond ?? Infinity, memory.bytesPerSecond * intensity);

export interface Axes {
  readonly x: Scale;
  readonly y: Scale;
  readonly xDomain: readonly [number, number];
  readonly yDomain: readonly [number, number];
}

/** Room for the ridge and every point, in whole powers of ten below and above. */
export function axes(chart: RooflineChart): Axes {
  const top = Math.max(...chart.roofs.map(({ perSecond }) => perSecond));
  const ridge = (chart.roofs[0]?.perSecond ?? top) / chart.memory.bytesPerSecond;
  const all = [...chart.points, ...(chart.history ?? [])];
  const intensities = [ridge, ...all.map(({ intensity }) => intensity)];
  const rates = all.map(({ perSecond }) => perSecond);
  const xDomain = [
    Math.log10(Math.min(...intensities)) - 0.8,
    Math.log10(Math.max(...intensities)) + 0.8,
  ] as const;
  const lowest = Math.min(...rates, attainable(chart, 10 ** xDomain[0]) * 3);
  const yDomain = [Math.log10(lowest) - 0.5, Math.log10(Math.max(top, ...rates)) + 0.45] as const;
  const linearX = linearScale(xDomain, [LEFT, PANEL_WIDTH]);
  const linearY = linearScale(yDomain, [BOTTOM, TOP]);
  return {
    x: (value) => linearX(Math.log10(value)),
    y: (value) => linearY(Math.log10(value)),
    xDomain,
    yDomain,
  };
}
