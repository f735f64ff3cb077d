import type { VNode } from 'preact';

import type { Series } from '../../model/measure/samples.ts';
import type { ComparedSeries, PairedHistogram } from '../comparison-samples.ts';
import { pairedHistogram } from '../comparison-samples.ts';
import { counted } from '../text/comparison-text.ts';
import { median } from '../../stats/quantile.ts';
import type { Unit } from '../text/units.ts';
import { decimalsFor, formatIn } from '../text/units.ts';
import type { Figure } from './figure.tsx';
import { svgLine, svgRect, svgText } from './figure.tsx';
import type { Scale } from './scale.ts';
import { at, linearScale } from './scale.ts';
import { paddedRange, timeTicks } from './time-ticks.ts';

const WIDTH = 900;
const LEFT = 110;
const RIGHT = 170;
const TOP = 26;
const HILL = 84;
const SIDE_GAP = 10;
const AXIS_HEIGHT = 46;
const BINS = 90;
/** A row shows its shape in fewer dots than this; more only make the file heavy. */
const MOST_DOTS = 120;

interface Frame {
  readonly x: Scale;
  readonly low_ms: number;
  readonly high_ms: number;
  readonly unit: Unit;
  readonly rowHeight: number;
}

type Side = 'base' | 'head';
const SIDE_NAMES: Readonly<Record<Side, string>> = { base: 'baseline', head: 'candidate' };

/**
 * The samples of both sides of a case over one axis: above, the two distributions; below, a row a process with its
 * median, so that how far processes differ is seen beside how far the sides do. `levels_ms` are what the verdict
 * compares.
 */
export function distributionPlot(
  name: string,
  series: ComparedSeries,
  levels_ms: readonly [base: number, head: number],
): Figure {
  const bins = pairedHistogram(series, BINS);
  const medians = [...series.base, ...series.head].map(({ samples_ms }) => median(samples_ms));
  const [low_ms, high_ms] = paddedRange([bins.low_ms, bins.high_ms, ...levels_ms, ...medians]);
  const processes = medians.length;
  const rowHeight = Math.max(9, Math.min(22, 360 / processes));
  const rows = { base: TOP + HILL + 12, head: TOP + HILL + 12 + rowHeight * series.base.length + SIDE_GAP };
  const bottom = rows.head + rowHeight * series.head.length + 4;
  const { unit, ticks } = timeTicks(low_ms, high_ms, 7);
  const x = linearScale([low_ms, high_ms], [LEFT, WIDTH - RIGHT]);
  const frame = { x, low_ms, high_ms, unit, rowHeight };
  const sides = ['base', 'head'] as const;
  const body = [
    ticks.map(({ time_ms, text }) => [
      svgLine(x(time_ms), TOP, x(time_ms), bottom, 'grid'),
      svgText(x(time_ms), bottom + 16, text, '', 'middle'),
    ]),
    sides.map((side) =>
      svgRect(LEFT, rows[side], WIDTH - RIGHT - LEFT, rowHeight * series[side].length, 'stripe'),
    ),
    svgLine(LEFT, bottom, WIDTH - RIGHT, bottom, 'axis'),
    sides.map((side) => hill(bins, side, frame)),
    sides.map((side) => series[side].map((one, index) => processRow(one, index, rows[side], side, frame))),
    sides.map((side, index) => {
      const place = x(levels_ms[index]!);
      return <g class={side}>{svgLine(place, TOP, place, bottom, 'level')}</g>;
    }),
    sides.map((side, index) => sideName(side, series[side].length, levels_ms[index]!, rows[side], frame)),
    svgText((LEFT + WIDTH - RIGHT) / 2, bottom + 34, `time of one sample, ${unit.name}`, '', 'middle'),
  ];
  return {
    width: WIDTH,
    height: bottom + AXIS_HEIGHT,
    label: `${name}: samples of ${counted(processes, 'process', 'processes')} on two sides`,
    body,
  };
}

/** As shares of the side's samples, so that sides of unequal size compare. */
function hill(bins: PairedHistogram, side: Side, { x }: Frame): VNode {
  const total = (counts: readonly number[]): number =>
    Math.max(
      1,
      counts.reduce((sum, count) => sum + count, 0),
    );
  const peak = Math.max(
    ...(['base', 'head'] as const).map((one) => Math.max(...bins[one]) / total(bins[one])),
  );
  const counts = bins[side];
  const base = TOP + HILL;
  const [from, to] = [x(bins.low_ms), x(bins.high_ms)];
  const path = counts.map((count, bin) => {
    const height = (count / total(counts) / peak) * (HILL - 8);
    return `V${at(base - height)}H${at(from + ((bin + 1) / counts.length) * (to - from))}`;
  });
  const outline = `M${at(from)} ${base}${path.join('')}V${base}`;
  return (
    <g class={side}>
      <path class="hill" d={`${outline}z`} />
      <path class="ridge" d={outline} />
    </g>
  );
}

function processRow(
  { samples_ms, process }: Series,
  index: number,
  top: number,
  side: Side,
  frame: Frame,
): VNode {
  const { x, rowHeight, low_ms, high_ms, unit } = frame;
  const y = top + rowHeight * index;
  const every = Math.ceil(samples_ms.length / MOST_DOTS);
  const inset = Math.min(4, rowHeight / 4);
  const dots = samples_ms.flatMap((sample, order) => {
    if (order % every !== 0 || sample < low_ms || sample > high_ms) return [];
    const place = y + inset + ((order + 0.5) / samples_ms.length) * (rowHeight - 2 * inset);
    return `M${at(x(sample))} ${at(place)}h0`;
  });
  const outside = samples_ms.filter((sample) => sample < low_ms || sample > high_ms).length;
  const centre = median(samples_ms);
  const text = `${formatIn(centre, unit, decimalsFor([centre], unit, 4))} ${unit.name}`;
  const thinned = every === 1 ? '' : `, one in ${every} drawn`;
  return (
    <g class={side}>
      <title>{`${SIDE_NAMES[side]}, process ${process ?? index + 1}: ${samples_ms.length} samples${thinned}, median ${text}`}</title>
      <path class="dots" d={dots.join('')} />
      {svgLine(x(centre), y + 1.5, x(centre), y + rowHeight - 1.5, 'tick-mark')}
      {outside > 0 && svgText(WIDTH - RIGHT + 10, y + rowHeight / 2 + 4, `${outside} outside`, 'outside')}
    </g>
  );
}

function sideName(
  side: Side,
  processes: number,
  level_ms: number,
  top: number,
  { unit, rowHeight }: Frame,
): VNode {
  const y = top + (rowHeight * processes) / 2;
  const level = `${formatIn(level_ms, unit, decimalsFor([level_ms], unit, 4))} ${unit.name}`;
  return (
    <g class={side}>
      {svgText(LEFT - 12, y - 2, SIDE_NAMES[side], 'side', 'end')}
      {svgText(LEFT - 12, y + 14, counted(processes, 'process', 'processes'), '', 'end')}
      {svgText(WIDTH - 10, y - 2, level, 'side', 'end')}
    </g>
  );
}
