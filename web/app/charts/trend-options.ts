import type UPlot from 'uplot';

import type { Trend } from '../../../src/model/history.ts';
import { timeUnit } from '../../../src/report/units.ts';
import { changeText, shortCommit, tickTexts } from '../common/format.ts';
import { colorNow } from '../common/theme.ts';
import { axisLook, CHART_FONT } from './axes.ts';

export const TREND_HEIGHT = 320;

export interface TrendPicks {
  readonly a: string | undefined;
  readonly b: string | undefined;
}

/**
 * Points stand at equal distances, as commits follow each other: by the clock, a busy week would be one thick stroke
 * and a quiet month a wide gap.
 */
export function trendOptions(
  trend: Trend,
  width: number,
  picks: () => TrendPicks,
  onCursor: (index: number) => void,
): UPlot.Options {
  const { points } = trend;
  const unit = timeUnit(points.map(({ level_ms }) => level_ms));
  const [line, band] = [colorNow('dot'), colorNow('band')];
  const dense = points.length > width / 6;
  return {
    width,
    height: TREND_HEIGHT,
    legend: { show: false },
    padding: [18, 12, 0, 0],
    scales: { x: { time: false, range: (_plot, low, high) => [low - 0.5, high + 0.5] } },
    cursor: { y: false, points: { size: 9, fill: line }, drag: { x: true, y: false, dist: 6 } },
    axes: [
      {
        ...axisLook(),
        size: 32,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
        space: 90,
        values: (_plot, ticks) => tickTexts(ticks.map((tick) => points[tick]?.time)),
      },
      {
        ...axisLook(),
        size: 70,
        label: `level, ${unit.name}`,
        labelFont: CHART_FONT,
        labelSize: 18,
        values: (_plot, ticks) => ticks.map((tick) => String(Number((tick / unit.divisor).toPrecision(6)))),
      },
    ],
    series: [
      {},
      { stroke: line, width: 1.5, points: { show: !dense, size: 5, fill: line } },
      { stroke: 'transparent', points: { show: false } },
      { stroke: 'transparent', points: { show: false } },
    ],
    bands: [{ series: [3, 2], fill: band }],
    hooks: {
      draw: [(plot) => drawChanges(plot, trend), (plot) => drawPicks(plot, trend, picks())],
      setCursor: [
        (plot) => {
          if (typeof plot.cursor.idx === 'number') onCursor(plot.cursor.idx);
        },
      ],
    },
  };
}

export function trendData({ points }: Trend): UPlot.AlignedData {
  return [
    points.map((_, index) => index),
    points.map(({ level_ms }) => level_ms),
    points.map(({ ci_ms: [low] }) => low),
    points.map(({ ci_ms: [, high] }) => high),
  ];
}

function pointIndex({ points }: Trend, commit: string | undefined): number {
  return commit === undefined ? -1 : points.findIndex((point) => point.commit === commit);
}

/** Of thinned points the changed one may be missing: then where its time would be. */
function changeIndex(trend: Trend, change: Trend['changes'][number]): number {
  const exact = pointIndex(trend, change.commit);
  return exact >= 0 ? exact : trend.points.findIndex(({ time }) => time >= change.time);
}

/** A line where the level changed, with the commit and by how much; of labels that would collide the larger change's stays. */
function drawChanges(plot: UPlot, trend: Trend): void {
  const { ctx } = plot;
  const ratio = devicePixelRatio;
  const { left, top, width, height } = plot.bbox;
  const [slower, faster] = [colorNow('bad'), colorNow('good')];
  const taken: (readonly [number, number])[] = [];
  ctx.save();
  ctx.font = CHART_FONT.replace('12px', `${11 * ratio}px`);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'bottom';
  const changes = trend.changes.toSorted(
    (one, other) => Math.abs(other.change_pct) - Math.abs(one.change_pct),
  );
  for (const change of changes) {
    const index = changeIndex(trend, change);
    if (index < 0) continue;
    const x = plot.valToPos(index - 0.5, 'x', true);
    if (x < left || x > left + width) continue;
    ctx.strokeStyle = change.change_pct < 0 ? slower : faster;
    ctx.fillStyle = ctx.strokeStyle;
    ctx.lineWidth = ratio;
    ctx.setLineDash(change.kind === 'step' ? [4 * ratio, 3 * ratio] : [ratio, 3 * ratio]);
    ctx.beginPath();
    ctx.moveTo(x, top);
    ctx.lineTo(x, top + height);
    ctx.stroke();
    const text = `${shortCommit(change.commit)} ${changeText(change.change_pct)}${change.kind === 'creep' ? ' creep' : ''}`;
    const size = ctx.measureText(text).width;
    const start = Math.min(left + width - size, Math.max(left, x - size / 2));
    const end = start + size + 8 * ratio;
    if (taken.some(([from, to]) => start < to && end > from)) continue;
    taken.push([start, end]);
    ctx.fillText(text, start, top - 2 * ratio);
  }
  ctx.restore();
}

function drawPicks(plot: UPlot, trend: Trend, picks: TrendPicks): void {
  const { ctx } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = CHART_FONT.replace('12px', `bold ${11 * ratio}px`);
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  for (const [name, commit] of [
    ['A', picks.a],
    ['B', picks.b],
  ] as const) {
    const index = pointIndex(trend, commit);
    const point = trend.points[index];
    if (point === undefined) continue;
    const [x, y] = [plot.valToPos(index, 'x', true), plot.valToPos(point.level_ms, 'y', true)];
    ctx.fillStyle = colorNow(name === 'A' ? 'side-a' : 'side-b');
    ctx.beginPath();
    ctx.arc(x, y, 9 * ratio, 0, 2 * Math.PI);
    ctx.fill();
    ctx.fillStyle = colorNow('panel');
    ctx.fillText(name, x, y + ratio);
  }
  ctx.restore();
}
