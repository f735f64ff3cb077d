import type { VNode } from 'preact';

import type { MeasuredBench } from '../../model/reports/bench-report.ts';
import type { Series } from '../../model/measure/samples.ts';
import type { Unit } from '../text/units.ts';
import { decimalsFor, formatIn, timeUnit } from '../text/units.ts';
import { svgLine, svgRect, svgText } from './figure.tsx';
import type { Scale } from './scale.ts';
import { at, linearScale, niceTicks } from './scale.ts';

const WIDTH = 860;
const LEFT = 88;
const RIGHT = 176;
const HILL_HEIGHT = 54;
const AXIS_HEIGHT = 40;
const HILL_BINS = 80;
/** A row shows its drift in fewer dots than this; more only make the file heavy. */
const MOST_DOTS = 400;

interface Frame {
  readonly x: Scale;
  readonly low_ms: number;
  readonly high_ms: number;
  readonly rowHeight: number;
  readonly bottom: number;
  readonly format: (time_ms: number) => string;
  readonly unit: Unit;
}

/**
 * Every sample of a measurement, a row a process, first sample at the top of its row: how processes differ, how
 * each drifts, and where the median and its interval lie among them. Above, the distribution of all samples.
 */
export function stripPlot(measurement: MeasuredBench, series: readonly Series[]): VNode {
  const frame = frameOf(measurement, series);
  const { bottom } = frame;
  const title = `${measurement.case}: samples of ${series.length} ${series.length === 1 ? 'process' : 'processes'}`;
  return (
    <svg class="strip" viewBox={`0 0 ${WIDTH} ${at(bottom + AXIS_HEIGHT)}`} role="img" aria-label={title}>
      {stripes(series.length, frame)}
      {gridAndAxis(frame)}
      {intervalBand(measurement, frame)}
      <path class="hill" d={hill(series, frame)} />
      {series.map((one, index) => processRow(measurement, one, index, frame))}
    </svg>
  );
}

function frameOf(measurement: MeasuredBench, series: readonly Series[]): Frame {
  const { histogram, median_ms, by_process, ci_ms } = measurement;
  const inside = [histogram.low_ms, histogram.high_ms, ...ci_ms, ...by_process.map((one) => one.median_ms)];
  const least = Math.min(...inside);
  const most = Math.max(...inside);
  // Equal samples still need a width to be drawn in.
  const margin = most > least ? (most - least) * 0.03 : median_ms * 0.01;
  const [low_ms, high_ms] = [least - margin, most + margin];
  const unit = timeUnit([median_ms]);
  const decimals = decimalsFor([median_ms], unit, 4);
  const rowHeight = Math.max(16, Math.min(34, 340 / series.length));
  return {
    x: linearScale([low_ms, high_ms], [LEFT, WIDTH - RIGHT]),
    low_ms,
    high_ms,
    rowHeight,
    bottom: HILL_HEIGHT + rowHeight * series.length + 6,
    format: (time_ms) => formatIn(time_ms, unit, decimals),
    unit,
  };
}

/** Every other row on a tinted ground: the eye keeps to its row. */
function stripes(rows: number, { rowHeight }: Frame): VNode[] {
  return Array.from({ length: Math.ceil(rows / 2) }, (_, index) =>
    svgRect(LEFT, HILL_HEIGHT + 2 * index * rowHeight, WIDTH - RIGHT - LEFT, rowHeight, 'row'),
  );
}

function gridAndAxis({ x, low_ms, high_ms, bottom, unit }: Frame): VNode[] {
  const { name, divisor } = unit;
  const { ticks, decimals } = niceTicks(low_ms / divisor, high_ms / divisor, 7);
  const lines = ticks.flatMap((tick) => {
    const place = x(tick * divisor);
    return [
      svgLine(place, 8, place, bottom, 'grid'),
      svgText(place, bottom + 15, tick.toFixed(decimals), 'tick', 'middle'),
    ];
  });
  const middle = (LEFT + WIDTH - RIGHT) / 2;
  return [
    ...lines,
    svgLine(LEFT, bottom, WIDTH - RIGHT, bottom, 'axis'),
    svgText(middle, bottom + 32, `time of one sample, ${name}`, 'tick', 'middle'),
    svgText(WIDTH - RIGHT + 12, HILL_HEIGHT - 6, `median, ${name}`, 'tick'),
  ];
}

function intervalBand({ ci_ms: [low, high], median_ms }: MeasuredBench, { x, bottom }: Frame): VNode[] {
  const width = Math.max(1, x(high) - x(low));
  return [
    svgRect(x(low), 8, width, bottom - 8, 'band'),
    svgLine(x(median_ms), 8, x(median_ms), bottom, 'centre'),
  ];
}

/** The distribution of all samples as a stepped area. */
function hill(series: readonly Series[], { x, low_ms, high_ms }: Frame): string {
  const counts = Array.from({ length: HILL_BINS }, () => 0);
  for (const { samples_ms } of series) {
    for (const sample of samples_ms) {
      const bin = Math.floor(((sample - low_ms) / (high_ms - low_ms)) * HILL_BINS);
      if (bin >= 0 && bin < HILL_BINS) counts[bin]! += 1;
    }
  }
  const highest = Math.max(1, ...counts);
  const base = HILL_HEIGHT - 4;
  const step = (x(high_ms) - x(low_ms)) / HILL_BINS;
  const path = counts.map((count) => `V${at(base - (count / highest) * (HILL_HEIGHT - 14))}h${at(step)}`);
  return `M${LEFT} ${base}${path.join('')}V${base}z`;
}

function processRow(measurement: MeasuredBench, series: Series, index: number, frame: Frame): VNode {
  const { x, rowHeight, format, low_ms, high_ms } = frame;
  const { process, median_ms } = measurement.by_process[index]!;
  const top = HILL_HEIGHT + rowHeight * index;
  const samples = series.samples_ms;
  const every = Math.ceil(samples.length / MOST_DOTS);
  const dots = samples.flatMap((sample, order) => {
    if (order % every !== 0 || sample < low_ms || sample > high_ms) return [];
    const place = top + 4 + ((order + 0.5) / samples.length) * (rowHeight - 8);
    return `M${at(x(sample))} ${at(place)}h0`;
  });
  const above = samples.filter((sample) => sample > high_ms);
  const below = samples.filter((sample) => sample < low_ms);
  const outside = [
    below.length === 0 ? '' : `◂ ${below.length} from ${format(Math.min(...below))}`,
    above.length === 0 ? '' : `▸ ${above.length} up to ${format(Math.max(...above))}`,
  ].filter((text) => text !== '');
  const baseline = top + rowHeight / 2 + 4;
  const middle = x(median_ms);
  const thinned = every === 1 ? '' : `, one in ${every} drawn`;
  return (
    <g>
      <title>{`process ${process}: ${samples.length} samples${thinned}, median ${format(median_ms)} ${frame.unit.name}`}</title>
      {svgText(LEFT - 10, baseline, `process ${process}`, 'name', 'end')}
      <path class="dots" d={dots.join('')} />
      {svgLine(middle, top + 2, middle, top + rowHeight - 2, 'median')}
      {svgText(WIDTH - RIGHT + 12, baseline, format(median_ms), 'value')}
      {outside.length > 0 && svgText(WIDTH - 2, baseline, outside.join(' '), 'outside', 'end')}
    </g>
  );
}
