import type { RooflineChart } from '../../model/profile-page.ts';
import { siNumber } from '../signal-text.ts';
import type { Figure } from './figure.ts';
import { svgLine, svgText } from './figure.ts';
import { PANEL_WIDTH } from './percent-bars.ts';
import { at, linearScale, type Scale } from './scale.ts';

const HEIGHT = 280;
const LEFT = 46;
const TOP = 14;
const BOTTOM = HEIGHT - 40;

type Point = RooflineChart['points'][number];

/** Ceilings on logarithmic axes, and the kernel below them. */
export function rooflinePlot(chart: RooflineChart | undefined): Figure {
  if (chart === undefined) {
    return {
      width: PANEL_WIDTH,
      height: 60,
      label: 'Roofline: not collected',
      body:
        svgText(0, 20, 'not collected: ncu --set full has operations, bytes and') +
        svgText(0, 38, 'peaks (on the raw page)'),
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
      svgText(PANEL_WIDTH, HEIGHT - 6, `${chart.unit} for each byte`, 'small', 'end'),
      svgText(LEFT + 6, TOP + 2, `${chart.unit}/s`, 'small'),
      roofs(chart, frame),
      ...moves(chart.points, x, y),
      ...chart.points.map((point) => mark(point, chart, x, y)),
      ...pointLabels(chart, frame),
    ].join('\n'),
  };
}

/** What the ceilings allow at an intensity. */
const attainable = ({ roofs: [own], memory }: RooflineChart, intensity: number): number =>
  Math.min(own?.perSecond ?? Infinity, memory.bytesPerSecond * intensity);

interface Axes {
  readonly x: Scale;
  readonly y: Scale;
  readonly xDomain: readonly [number, number];
  readonly yDomain: readonly [number, number];
}

/** Room for the ridge and every point, in whole powers of ten below and above. */
function axes(chart: RooflineChart): Axes {
  const top = Math.max(...chart.roofs.map(({ perSecond }) => perSecond));
  const ridge = (chart.roofs[0]?.perSecond ?? top) / chart.memory.bytesPerSecond;
  const intensities = [ridge, ...chart.points.map(({ intensity }) => intensity)];
  const rates = chart.points.map(({ perSecond }) => perSecond);
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

function grid({ x, y, xDomain, yDomain }: Axes): string {
  const upright = logTicks(xDomain).map(
    (tick) =>
      svgLine(x(tick), TOP, x(tick), BOTTOM, 'grid') +
      svgText(x(tick), BOTTOM + 15, tickText(tick), 'small', 'middle'),
  );
  const level = logTicks(yDomain).map(
    (tick) =>
      svgLine(LEFT, y(tick), PANEL_WIDTH, y(tick), 'grid') +
      svgText(LEFT - 6, y(tick) + 4, tickText(tick), 'small', 'end'),
  );
  return [...upright, ...level, svgLine(LEFT, BOTTOM, PANEL_WIDTH, BOTTOM, 'axis')].join('');
}

/** 989 TFLOP/s, but 1.04 T inst/s: a prefix before a small letter reads as part of the word. */
const rateText = (perSecond: number, unit: string): string =>
  unit === 'inst' ? `${siNumber(perSecond)} inst/s` : siNumber(perSecond, `${unit}/s`);

const tickText = (tick: number): string => (tick >= 1 ? siNumber(tick) : String(Number(tick.toPrecision(1))));

function roofs(chart: RooflineChart, { x, y, xDomain, yDomain }: Axes): string {
  const { memory, unit } = chart;
  const [own, ...others] = chart.roofs;
  if (own === undefined) return '';
  const ridge = own.perSecond / memory.bytesPerSecond;
  // The slope enters the picture at its left or at its lower edge.
  const start = Math.max(10 ** xDomain[0], 10 ** yDomain[0] / memory.bytesPerSecond);
  const [startX, startY] = [x(start), y(start * memory.bytesPerSecond)];
  const [ridgeX, ridgeY] = [x(ridge), y(own.perSecond)];
  const path = `M${at(startX)} ${at(startY)}L${at(ridgeX)} ${at(ridgeY)}H${at(PANEL_WIDTH)}`;
  const pointsAlong = chart.points.map(({ intensity }) => (x(intensity) - startX) / (ridgeX - startX));
  const label = `${memory.label} ${siNumber(memory.bytesPerSecond, 'B/s')}`;
  return [
    `<path class="under-roof" d="${path}V${BOTTOM}H${at(startX)}z"/>`,
    ...others
      .filter(({ perSecond }) => perSecond > 10 ** yDomain[0])
      .map(({ label: name, perSecond }) => {
        const from = Math.max(LEFT, x(perSecond / memory.bytesPerSecond));
        const text = `${name} ${rateText(perSecond, unit)}`;
        return (
          svgLine(from, y(perSecond), PANEL_WIDTH, y(perSecond), 'other-roof') +
          svgText(PANEL_WIDTH - 2, y(perSecond) - 5, text, 'small halo', 'end')
        );
      }),
    `<path class="roof" d="${path}"/>`,
    slopeLabel(label, [startX, startY], [ridgeX, ridgeY], pointsAlong),
    svgText(
      PANEL_WIDTH - 2,
      y(own.perSecond) - 7,
      `${own.label} ${rateText(own.perSecond, unit)}`,
      'small ink halo',
      'end',
    ),
  ].join('\n');
}

type Place = readonly [x: number, y: number];

/** Along the slope where it is long enough, else beside it. */
function slopeLabel(text: string, [x1, y1]: Place, [x2, y2]: Place, points: readonly number[]): string {
  const isLong = Math.hypot(x2 - x1, y2 - y1) > text.length * LETTER + 10 && x2 - x1 > 60;
  const along = isLong ? slopeLabelPlace(points) : 0.5;
  const [x, y] = [x1 + along * (x2 - x1), y1 + along * (y2 - y1)];
  if (!isLong) return svgText(x + 10, y + 4, text, 'small ink halo');
  const angle = (-180 / Math.PI) * Math.atan2(y1 - y2, x2 - x1);
  return `<g transform="translate(${at(x)} ${at(y)}) rotate(${at(angle)})">${svgText(0, -7, text, 'small ink halo', 'middle')}</g>`;
}

/** Where on the slope its label is farthest from the points, as a share of its length. */
function slopeLabelPlace(points: readonly number[]): number {
  const distance = (place: number): number => Math.min(...points.map((point) => Math.abs(point - place)));
  return [0.5, 0.68, 0.34].reduce((best, place) => (distance(place) > distance(best) + 0.1 ? place : best));
}

/** An arrow from before to after, as far as they are apart. */
function moves(points: readonly Point[], x: Scale, y: Scale): readonly string[] {
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
  return [
    svgLine(x1 + stepX * 8, y1 + stepY * 8, backX, backY, 'move'),
    `<path class="move-head" d="${head}"/>`,
  ];
}

function mark(point: Point, chart: RooflineChart, x: Scale, y: Scale): string {
  const [px, py] = [x(point.intensity), y(point.perSecond)];
  const roof = attainable(chart, point.intensity);
  const shape =
    point.side === 'before'
      ? `<circle class="point-before" cx="${at(px)}" cy="${at(py)}" r="6"/>`
      : `<path class="point-after" d="M${at(px - 8)} ${at(py)}l8 -8l8 8l-8 8z"/>`;
  const gap = py - y(roof) > 12 && point.side === 'after' ? svgLine(px, py - 9, px, y(roof), 'gap') : '';
  return gap + shape;
}

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
function pointLabels(chart: RooflineChart, { x, y }: Axes): readonly string[] {
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

function labelOf(chart: RooflineChart): string {
  const said = chart.points.map((point) => {
    const share = (100 * point.perSecond) / attainable(chart, point.intensity);
    return `${chart.points.length > 1 ? `${point.side} ` : ''}${rateText(point.perSecond, chart.unit)}, ${share.toFixed(0)} % of the roof at ${siNumber(point.intensity)} ${chart.unit} a byte`;
  });
  return `Roofline of ${chart.counted}: ${said.join('; ')}`;
}
