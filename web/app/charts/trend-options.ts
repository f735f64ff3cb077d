import type UPlot from 'uplot';

import type { Trend } from '../../../src/model/history/history.ts';
import { paddedRange } from '../../../src/report/svg/time-ticks.ts';
import { markText, otherMarks, settingText } from '../../../src/report/text/trend-text.ts';
import { timeUnit } from '../../../src/report/text/units.ts';
import { changeText, shortCommit, tickTexts } from '../common/format.ts';
import { colorNow } from '../common/theme.ts';
import { axisLook, CHART_FONT } from './axes.ts';

export const TREND_HEIGHT = 340;
const LABEL_ROWS = 2;
const LABEL_HEIGHT = 15;
/** Of the range of levels, below them: where marks have their words. */
const FOOT = 0.1;

export interface TrendPicks {
  readonly a: string | undefined;
  readonly b: string | undefined;
}

/** The stretch that is shown, by its first and last commit; none: all of it. */
export interface TrendZoom {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export interface TrendDoors {
  readonly picks: () => TrendPicks;
  readonly onCursor: (index: number) => void;
  readonly onZoom: (zoom: TrendZoom) => void;
}

function levelRange(trend: Trend, low: number, high: number): [low: number, high: number] {
  const [least, most] = paddedRange([low, high, ...heldAgainst(trend).map(([, level]) => level)]);
  return [otherMarks(trend).length === 0 ? least : least - FOOT * (most - least), most];
}

/** By places of points. A commit that is not among them, as of another window, limits nothing. */
export function zoomRange(
  trend: Trend,
  { from, to }: TrendZoom,
): { readonly min: number; readonly max: number } {
  const last = Math.max(0, trend.points.length - 1);
  const [first, end] = [pointIndex(trend, from), pointIndex(trend, to)];
  const range = { min: Math.max(0, first), max: end < 0 ? last : end };
  return range.max > range.min ? range : { min: 0, max: last };
}

/** Baseline, floor and reference, where they are near enough not to flatten the line; a page says the others in words. */
function heldAgainst({ points, lines = {} }: Trend): readonly (readonly [name: string, level_ms: number])[] {
  const level = points.at(-1)?.level_ms ?? 0;
  const { baseline_ms, floor_ms, reference } = lines;
  return [
    ['baseline', baseline_ms] as const,
    ['floor', floor_ms] as const,
    [reference?.kernel ?? '', reference?.level_ms] as const,
  ].filter(
    (one): one is readonly [string, number] =>
      one[1] !== undefined && one[1] < 1.5 * level && one[1] > level / 1.5,
  );
}

/**
 * Points stand at equal distances, as commits follow each other: by the clock, a busy week would be one thick stroke
 * and a quiet month a wide gap.
 */
export function trendOptions(
  trend: Trend,
  width: number,
  { picks, onCursor, onZoom }: TrendDoors,
): UPlot.Options {
  const { points } = trend;
  const unit = timeUnit(points.map(({ level_ms }) => level_ms));
  const [line, band] = [colorNow('dot'), colorNow('band')];
  const dense = points.length > width / 6;
  return {
    width,
    height: TREND_HEIGHT,
    legend: { show: false },
    padding: [LABEL_ROWS * LABEL_HEIGHT + 4, 12, 0, 0],
    scales: {
      x: { time: false, range: (_plot, low, high) => [low - 0.5, high + 0.5] },
      y: { range: (_plot, low, high) => levelRange(trend, low, high) },
    },
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
      draw: [
        (plot) => drawLines(plot, trend),
        (plot) => drawMarks(plot, trend),
        (plot) => drawChanges(plot, trend),
        (plot) => drawNewest(plot, trend),
        (plot) => drawPicks(plot, trend, picks()),
      ],
      setSelect: [
        (plot) => {
          const { left, width: chosen } = plot.select;
          if (chosen === 0) return;
          const [first, last] = [plot.posToVal(left, 'x'), plot.posToVal(left + chosen, 'x')];
          const [from, to] = [
            points[Math.max(0, Math.ceil(first))],
            points[Math.floor(last)] ?? points.at(-1),
          ];
          onZoom({ from: from?.commit, to: to?.commit });
        },
      ],
      ready: [
        (plot) => plot.over.addEventListener('dblclick', () => onZoom({ from: undefined, to: undefined })),
      ],
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
function changeIndex(trend: Trend, change: { readonly commit: string; readonly time: string }): number {
  const exact = pointIndex(trend, change.commit);
  return exact >= 0 ? exact : trend.points.findIndex(({ time }) => time >= change.time);
}

function drawLines(plot: UPlot, trend: Trend): void {
  const { ctx } = plot;
  const ratio = devicePixelRatio;
  const { left, width } = plot.bbox;
  ctx.save();
  ctx.font = CHART_FONT.replace('12px', `${11 * ratio}px`);
  ctx.textAlign = 'right';
  ctx.textBaseline = 'bottom';
  ctx.strokeStyle = colorNow('quiet');
  ctx.fillStyle = colorNow('quiet');
  ctx.lineWidth = ratio;
  ctx.setLineDash([2 * ratio, 4 * ratio]);
  for (const [name, level_ms] of heldAgainst(trend)) {
    const y = plot.valToPos(level_ms, 'y', true);
    ctx.beginPath();
    ctx.moveTo(left, y);
    ctx.lineTo(left + width, y);
    ctx.stroke();
    ctx.fillText(name, left + width - 4 * ratio, y - ratio);
  }
  ctx.restore();
}

/** A mark at the bottom for an event that is not a change, with its text where it fits. */
function drawMarks(plot: UPlot, trend: Trend): void {
  const { ctx } = plot;
  const ratio = devicePixelRatio;
  const { left, top, width, height } = plot.bbox;
  const foot = top + height;
  ctx.save();
  ctx.font = CHART_FONT.replace('12px', `${11 * ratio}px`);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'bottom';
  ctx.strokeStyle = colorNow('quiet');
  ctx.fillStyle = colorNow('quiet');
  ctx.lineWidth = 2 * ratio;
  let free = -Infinity;
  for (const mark of otherMarks(trend)) {
    const index = changeIndex(trend, mark);
    if (index < 0) continue;
    const x = plot.valToPos(index - (mark.kind === 'setting' ? 0.5 : 0), 'x', true);
    if (x < left || x > left + width) continue;
    ctx.beginPath();
    ctx.moveTo(x, foot - 12 * ratio);
    ctx.lineTo(x, foot);
    ctx.stroke();
    const text = markText(mark);
    const size = ctx.measureText(text).width;
    const start = Math.min(x + 4 * ratio, left + width - size);
    if (start < Math.max(free, left)) continue;
    free = start + size + 8 * ratio;
    ctx.fillText(text, start, foot - 2 * ratio);
  }
  ctx.restore();
}

/** A ring about a newest point that is off the level before it. */
function drawNewest(plot: UPlot, trend: Trend): void {
  const { newest } = trend;
  const index = pointIndex(trend, newest?.commit);
  const point = trend.points[index];
  if (newest === undefined || point === undefined) return;
  const { ctx } = plot;
  const ratio = devicePixelRatio;
  const [x, y] = [plot.valToPos(index, 'x', true), plot.valToPos(point.level_ms, 'y', true)];
  ctx.save();
  ctx.strokeStyle = colorNow(newest.change_pct < 0 ? 'bad' : 'good');
  ctx.fillStyle = ctx.strokeStyle;
  ctx.lineWidth = 2 * ratio;
  ctx.beginPath();
  ctx.arc(x, y, 7 * ratio, 0, 2 * Math.PI);
  ctx.stroke();
  ctx.font = CHART_FONT.replace('12px', `${11 * ratio}px`);
  ctx.textAlign = 'right';
  ctx.textBaseline = 'middle';
  ctx.fillText(`newest ${changeText(newest.change_pct)}`, x - 12 * ratio, y);
  ctx.restore();
}

/** A line where the level changed, with the commit and by how much; of labels that would collide the larger change's stays. */
function drawChanges(plot: UPlot, trend: Trend): void {
  const { ctx } = plot;
  const ratio = devicePixelRatio;
  const { left, top, width, height } = plot.bbox;
  const [slower, faster] = [colorNow('bad'), colorNow('good')];
  const rows = Array.from({ length: LABEL_ROWS }, (): (readonly [number, number])[] => []);
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
    const plain = `${shortCommit(change.commit)} ${changeText(change.change_pct)}${change.kind === 'creep' ? ' creep' : ''}`;
    const whole = `${plain}${why(change)}`;
    // On a telephone the reason is in the table only.
    const text = ctx.measureText(whole).width < width / 2 ? whole : plain;
    const size = ctx.measureText(text).width;
    const start = Math.min(left + width - size, Math.max(left, x - size / 2));
    const end = start + size + 8 * ratio;
    const row = rows.findIndex((taken) => taken.every(([from, to]) => start >= to || end <= from));
    if (row < 0) continue;
    rows[row]!.push([start, end]);
    ctx.fillText(text, start, top - (2 + row * LABEL_HEIGHT) * ratio);
  }
  ctx.restore();
}

function why({ settings = [] }: Trend['changes'][number]): string {
  return settings.length === 0 ? '' : `, ${settings.map(settingText).join('; ')}`;
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
