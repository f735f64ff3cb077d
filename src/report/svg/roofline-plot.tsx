import type { VNode } from 'preact';

import type { RooflineChart } from '../../model/profile/profile-page.ts';
import { siNumber } from '../text/signal-text.ts';
import type { Figure } from './figure.tsx';
import { svgLine, svgText } from './figure.tsx';
import { PANEL_WIDTH } from './percent-bars.ts';
import { attainable, axes, BOTTOM, HEIGHT, LEFT, TOP, type Axes, type Point } from './roofline-frame.ts';
import { pointLabels, slopeLabel } from './roofline-labels.tsx';
import { at, type Scale } from './scale.ts';

/** Ceilings on logarithmic axes, and the kernel below them. */
export function rooflinePlot(chart: RooflineChart | undefined): Figure {
  if (chart === undefined) {
    return {
      width: PANEL_WIDTH,
      height: 60,
      label: 'Roofline: not collected',
      body: [
        svgText(0, 20, 'not collected: ncu --set full has operations, bytes and'),
        svgText(0, 38, 'peaks (on the raw page)'),
      ],
    };
  }
  const frame = axes(chart);
  const { x, y } = frame;
  return {
    width: PANEL_WIDTH,
    height: HEIGHT,
    label: labelOf(chart),
    body: [
      grid(frame),
      svgText(PANEL_WIDTH, HEIGHT - 6, `${chart.unit} per byte`, 'small', 'end'),
      svgText(LEFT + 6, TOP + 2, `${chart.unit}/s`, 'small'),
      roofs(chart, frame),
      moves(chart.points, x, y),
      earlier(chart, x, y),
      chart.points.map((point) => mark(point, chart, x, y)),
      pointLabels(chart, frame),
    ],
  };
}

/** At most seven powers of ten within a domain; in a small one also their double and fivefold. */
function logTicks([low, high]: readonly [number, number]): readonly number[] {
  const all: number[] = [];
  const step = Math.max(1, Math.ceil((high - low) / 7));
  const factors = high - low < 2.2 ? [1, 2, 5] : [1];
  for (let power = Math.floor(low); power <= high; power++) {
    if (power % step !== 0) continue;
    all.push(...factors.map((factor) => factor * 10 ** power));
  }
  return all.filter((tick) => tick >= 10 ** low && tick <= 10 ** high);
}

function grid({ x, y, xDomain, yDomain }: Axes): VNode[] {
  const upright = logTicks(xDomain).flatMap((tick) => [
    svgLine(x(tick), TOP, x(tick), BOTTOM, 'grid'),
    svgText(x(tick), BOTTOM + 15, tickText(tick), 'small', 'middle'),
  ]);
  const level = logTicks(yDomain).flatMap((tick) => [
    svgLine(LEFT, y(tick), PANEL_WIDTH, y(tick), 'grid'),
    svgText(LEFT - 6, y(tick) + 4, tickText(tick), 'small', 'end'),
  ]);
  return [...upright, ...level, svgLine(LEFT, BOTTOM, PANEL_WIDTH, BOTTOM, 'axis')];
}

/** 989 TFLOP/s, but 1.04 T inst/s: a prefix before a small letter reads as part of the word. */
const rateText = (perSecond: number, unit: string): string =>
  unit === 'inst' ? `${siNumber(perSecond)} inst/s` : siNumber(perSecond, `${unit}/s`);

const tickText = (tick: number): string => (tick >= 1 ? siNumber(tick) : String(Number(tick.toPrecision(1))));

function roofs(chart: RooflineChart, { x, y, xDomain, yDomain }: Axes): VNode | undefined {
  const { memory, unit } = chart;
  const [own, ...others] = chart.roofs;
  if (own === undefined) return undefined;
  const ridge = own.perSecond / memory.bytesPerSecond;
  // The slope enters the picture at its left or at its lower edge.
  const start = Math.max(10 ** xDomain[0], 10 ** yDomain[0] / memory.bytesPerSecond);
  const [startX, startY] = [x(start), y(start * memory.bytesPerSecond)];
  const [ridgeX, ridgeY] = [x(ridge), y(own.perSecond)];
  const path = `M${at(startX)} ${at(startY)}L${at(ridgeX)} ${at(ridgeY)}H${at(PANEL_WIDTH)}`;
  const pointsAlong = chart.points.map(({ intensity }) => (x(intensity) - startX) / (ridgeX - startX));
  const label = `${memory.label} ${siNumber(memory.bytesPerSecond, 'B/s')}`;
  const name = `${own.label} ${rateText(own.perSecond, unit)}`;
  return (
    <>
      <path class="under-roof" d={`${path}V${BOTTOM}H${at(startX)}z`} />
      {others
        .filter(({ perSecond }) => perSecond > 10 ** yDomain[0])
        .map(({ label: other, perSecond }) => [
          svgLine(
            Math.max(LEFT, x(perSecond / memory.bytesPerSecond)),
            y(perSecond),
            PANEL_WIDTH,
            y(perSecond),
            'other-roof',
          ),
          svgText(
            PANEL_WIDTH - 2,
            y(perSecond) - 5,
            `${other} ${rateText(perSecond, unit)}`,
            'small halo',
            'end',
          ),
        ])}
      <path class="roof" d={path} />
      {slopeLabel(label, [startX, startY], [ridgeX, ridgeY], pointsAlong)}
      {svgText(PANEL_WIDTH - 2, y(own.perSecond) - 7, name, 'small ink halo', 'end')}
    </>
  );
}

/** An arrow from before to after, as far as they are apart. */
function moves(points: readonly Point[], x: Scale, y: Scale): readonly VNode[] {
  const [before, after] = (['before', 'after'] as const).map((side) =>
    points.find((point) => point.side === side),
  );
  if (before === undefined || after === undefined) return [];
  const [x1, y1, x2, y2] = [x(before.intensity), y(before.perSecond), x(after.intensity), y(after.perSecond)];
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < 26) return [];
  const [stepX, stepY] = [(x2 - x1) / length, (y2 - y1) / length];
  const [endX, endY] = [x2 - stepX * 10, y2 - stepY * 10];
  const [backX, backY] = [endX - stepX * 8, endY - stepY * 8];
  const head = `M${at(endX)} ${at(endY)}L${at(backX - stepY * 4)} ${at(backY + stepX * 4)}L${at(backX + stepY * 4)} ${at(backY - stepX * 4)}z`;
  return [svgLine(x1 + stepX * 8, y1 + stepY * 8, backX, backY, 'move'), <path class="move-head" d={head} />];
}

const [FAINTEST, PLAINEST] = [0.15, 0.8];

/** Between neighbours of the trail, at most. */
const TRAIL_STEP = 3.5;

/**
 * A trail to the left of the newest, since all have the same intensity and would cover each other. Not reached by the
 * tab key: a table beside the picture has the same links.
 */
function earlier({ history = [] }: RooflineChart, x: Scale, y: Scale): readonly VNode[] {
  return history.map(({ intensity, perSecond, href, label }, index) => {
    const step = Math.min(TRAIL_STEP, (x(intensity) - LEFT - 16) / history.length);
    const back = 8 + step * (history.length - index);
    const opacity = FAINTEST + ((PLAINEST - FAINTEST) * (index + 1)) / history.length;
    return (
      <a href={href} tabIndex={-1} aria-label={label}>
        <title>{label}</title>
        <circle
          class="point-earlier"
          cx={at(x(intensity) - back)}
          cy={at(y(perSecond))}
          r="3"
          opacity={opacity.toFixed(2)}
        />
      </a>
    );
  });
}

function mark(point: Point, chart: RooflineChart, x: Scale, y: Scale): VNode {
  const [px, py] = [x(point.intensity), y(point.perSecond)];
  const roof = attainable(chart, point.intensity);
  return point.side === 'before' ? (
    <circle class="point-before" cx={at(px)} cy={at(py)} r="6" />
  ) : (
    <>
      {py - y(roof) > 12 && svgLine(px, py - 9, px, y(roof), 'gap')}
      <path class="point-after" d={`M${at(px - 8)} ${at(py)}l8 -8l8 8l-8 8z`} />
    </>
  );
}

function labelOf(chart: RooflineChart): string {
  const said = chart.points.map((point) => {
    const share = (100 * point.perSecond) / attainable(chart, point.intensity);
    return `${chart.points.length > 1 ? `${point.side} ` : ''}${rateText(point.perSecond, chart.unit)}, ${share.toFixed(0)} % of the roof at ${siNumber(point.intensity)} ${chart.unit} per byte`;
  });
  return `Roofline of ${chart.counted}: ${said.join('; ')}`;
}
