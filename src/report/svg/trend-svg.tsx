import type { TrendReport } from '../../model/history/history.ts';
import { figureFile } from './figure-file.tsx';
import { svgText } from './figure.tsx';
import { at } from './scale.ts';
import { trendPlot } from './trend-plot.tsx';

const GAP = 16;
const MARGIN = 12;
const EMPTY = { width: 900, height: 60 };

/** The trends below each other in one picture. */
export function renderTrendSvg({ trends, store }: TrendReport): string {
  const figures = trends.map((trend) => trendPlot(trend, { titled: true }));
  if (figures.length === 0) {
    const text = `${store} has no measurement to show.`;
    return figureFile({ ...EMPTY, label: text, body: svgText(20, 34, text) });
  }
  let top = MARGIN;
  const body = figures.map((figure) => {
    const placed = <g transform={`translate(0 ${at(top)})`}>{figure.body}</g>;
    top += figure.height + GAP;
    return placed;
  });
  return figureFile({
    width: Math.max(...figures.map(({ width }) => width)),
    height: top,
    label: figures.map(({ label }) => label).join('; '),
    body,
  });
}
