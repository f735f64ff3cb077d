import type { ComponentChildren, VNode } from 'preact';

import { svgLine, svgRect, svgText } from './figure.tsx';
import { linearScale, type Scale } from './scale.ts';

/** All panels of a profile are as wide: two beside each other make a page, one fills a telephone. */
export const PANEL_WIDTH = 400;

const LABEL_RIGHT = 112;
const BAR_LEFT = 122;
const BAR_RIGHT = 300;

export interface BarRow {
  readonly label: string;
  readonly before?: number | undefined;
  readonly after: number | undefined;
  /** This is what limits. */
  readonly isLimit: boolean;
}

interface BarOptions {
  readonly top: number;
  readonly rowHeight: number;
  /** The value at the end of the track. */
  readonly full: number;
  readonly isCompared: boolean;
  readonly format: (value: number) => string;
  readonly unit: string;
}

/** Rows of bars with their values; before above after where there are two. */
export function barRows(rows: readonly BarRow[], options: BarOptions): ComponentChildren {
  const x = linearScale([0, options.full], [BAR_LEFT, BAR_RIGHT]);
  return rows.map((row, index) => barRow(row, options.top + index * options.rowHeight, x, options));
}

function barRow(
  { label, before, after, isLimit }: BarRow,
  y: number,
  x: Scale,
  options: BarOptions,
): ComponentChildren {
  const { isCompared, full, rowHeight } = options;
  const middle = y + rowHeight / 2;
  const width = (value: number): number => x(Math.min(Math.max(value, 0), full)) - BAR_LEFT;
  const kind = isLimit ? 'bar-limit' : 'bar-after';
  const value = valueText({ before, after }, options);
  const [top, height] = isCompared ? [middle, 8] : [middle - 8, 16];
  return [
    svgText(
      LABEL_RIGHT,
      middle + 4.5,
      isLimit ? `▸ ${label}` : label,
      isLimit ? 'name limit' : 'name',
      'end',
    ),
    svgRect(BAR_LEFT, middle - 8, BAR_RIGHT - BAR_LEFT, 16, 'track'),
    isCompared &&
      before !== undefined &&
      svgRect(BAR_LEFT, middle - 7.5, Math.max(1, width(before)), 6, 'bar-before'),
    after !== undefined && svgRect(BAR_LEFT, top, width(after), height, kind),
    svgText(PANEL_WIDTH, middle + 4.5, value, after === undefined ? '' : 'value', 'end'),
  ];
}

function valueText(
  { before, after }: Pick<BarRow, 'before' | 'after'>,
  { isCompared, format, unit }: BarOptions,
): string {
  const one = (value: number | undefined): string => (value === undefined ? 'n/a' : format(value));
  const suffix = unit === '' ? '' : ` ${unit}`;
  if (isCompared) return `${one(before)} → ${one(after)}${suffix}`;
  return after === undefined ? 'not collected' : `${one(after)}${suffix}`;
}

/** One digit after the point; a full hundred needs none. */
export const percentText = (pct: number): string => pct.toFixed(pct >= 99.95 ? 0 : 1);

/** Lines at the quarters of 100 %, behind bars. */
export function percentGrid(top: number, bottom: number): VNode[] {
  const x = linearScale([0, 100], [BAR_LEFT, BAR_RIGHT]);
  return [0, 25, 50, 75, 100].flatMap((pct) => [
    svgLine(x(pct), top, x(pct), bottom, 'grid'),
    svgText(x(pct), bottom + 14, pct === 100 ? '100 %' : String(pct), 'small', 'middle'),
  ]);
}

/** Which mark is which side. */
export function sideLegend(y: number): VNode[] {
  return [
    svgRect(BAR_LEFT, y - 7, 18, 6, 'bar-before'),
    svgText(BAR_LEFT + 24, y, 'before', 'small'),
    svgRect(BAR_LEFT + 78, y - 8, 18, 8, 'bar-after'),
    svgText(BAR_LEFT + 102, y, 'after', 'small'),
  ];
}
