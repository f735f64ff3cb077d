import type { VNode } from 'preact';

import type { Series } from '../../model/measure/samples.ts';
import { median, quantile } from '../../stats/quantile.ts';
import type { ComparedSeries } from '../comparison-samples.ts';
import { formatDuration } from '../text/units.ts';
import type { Figure } from './figure.tsx';
import { axisName, svgLine, svgText } from './figure.tsx';
import type { Scale } from './scale.ts';
import { at, linearScale, niceTicks } from './scale.ts';
import { paddedRange, timeTicks } from './time-ticks.ts';

const WIDTH = 900;
const LEFT = 110;
const RIGHT = 170;
const TOP = 14;
const HEIGHT = 170;
const CLOCK_GAP = 26;
const CLOCK_HEIGHT = 60;

interface Place {
  readonly side: 'base' | 'head';
  readonly median_ms: number;
  readonly middle_ms: readonly [p10: number, p90: number];
  readonly clock_mhz: number | undefined;
  readonly started_ms: number;
}

/**
 * The median of each process in the order in which they started, with the middle 80 % of its samples: drift of the
 * device shows as a slope of both sides, a change of the kernel as a gap between them. Below, the clock, where known.
 */
export function driftPlot(name: string, { base, head }: ComparedSeries): Figure {
  const all = [
    ...base.map((series) => placeOf(series, 'base')),
    ...head.map((series) => placeOf(series, 'head')),
  ];
  const timed = all.every(({ started_ms }) => Number.isFinite(started_ms));
  const places = timed ? all.toSorted((one, other) => one.started_ms - other.started_ms) : all;
  const x = linearScale([-0.5, places.length - 0.5], [LEFT, WIDTH - RIGHT]);
  const clocks = places.every(({ clock_mhz }) => clock_mhz !== undefined);
  const bottom = TOP + HEIGHT + (clocks ? CLOCK_GAP + CLOCK_HEIGHT : 0);
  const span = timed ? Math.max(...places.map(({ started_ms }) => started_ms)) - places[0]!.started_ms : 0;
  const axis = timed
    ? `processes in order of start, over ${formatDuration(span)}`
    : 'processes as listed: when they started is not recorded';
  const body = [
    timePanel(places, x),
    clocks && clockPanel(places, x, TOP + HEIGHT + CLOCK_GAP),
    svgText((LEFT + WIDTH - RIGHT) / 2, bottom + 22, axis, '', 'middle'),
  ];
  return {
    width: WIDTH,
    height: bottom + 34,
    label: `${name}: process medians in order of start`,
    body,
  };
}

function placeOf({ samples_ms, clock_mhz, started_at }: Series, side: Place['side']): Place {
  return {
    side,
    median_ms: median(samples_ms),
    middle_ms: [quantile(samples_ms, 0.1), quantile(samples_ms, 0.9)],
    clock_mhz: clock_mhz === undefined || clock_mhz.length === 0 ? undefined : median(clock_mhz),
    started_ms: started_at === undefined ? Number.NaN : Date.parse(started_at),
  };
}

function timePanel(places: readonly Place[], x: Scale): VNode {
  // Long tails of single processes must not flatten the medians: what reaches out of the picture is cut.
  const medians = places.map(({ median_ms }) => median_ms);
  const spread = Math.max(...medians) - Math.min(...medians);
  const reach = Math.max(spread, 0.02 * Math.max(...medians));
  const [low, high] = [Math.min(...medians) - reach, Math.max(...medians) + reach];
  const inside = (time: number): number => Math.min(high, Math.max(low, time));
  const [low_ms, high_ms] = paddedRange(
    places.flatMap(({ middle_ms, median_ms }) => [...middle_ms.map(inside), median_ms]),
  );
  const y = linearScale([low_ms, high_ms], [TOP + HEIGHT, TOP]);
  const { unit, ticks } = timeTicks(low_ms, high_ms, 5);
  const marks = places.map(({ side, middle_ms: [p10, p90], median_ms }, index) => {
    return (
      <g class={side}>
        {svgLine(x(index), y(inside(p10)), x(index), y(inside(p90)), 'range')}
        <circle class="point" cx={at(x(index))} cy={at(y(median_ms))} r="4" />
      </g>
    );
  });
  return (
    <>
      {ticks.map(({ time_ms, text }) => [
        svgLine(LEFT, y(time_ms), WIDTH - RIGHT, y(time_ms), 'grid'),
        svgText(LEFT - 10, y(time_ms) + 4, text, '', 'end'),
      ])}
      {axisName(`median, ${unit.name}`, TOP + HEIGHT / 2)}
      {svgLine(LEFT, TOP + HEIGHT, WIDTH - RIGHT, TOP + HEIGHT, 'axis')}
      {sidePaths(places, x, (one) => y(one.median_ms))}
      {marks}
      {sideLabels(places, y)}
    </>
  );
}

function clockPanel(places: readonly Place[], x: Scale, top: number): VNode {
  const [low, high] = paddedRange(places.map(({ clock_mhz }) => clock_mhz!));
  const y = linearScale([low, high], [top + CLOCK_HEIGHT, top]);
  const { ticks, decimals } = niceTicks(low, high, 2);
  return (
    <>
      {ticks.map((tick) => [
        svgLine(LEFT, y(tick), WIDTH - RIGHT, y(tick), 'grid'),
        svgText(LEFT - 10, y(tick) + 4, tick.toFixed(decimals), '', 'end'),
      ])}
      {svgText(WIDTH - RIGHT + 12, top + CLOCK_HEIGHT / 2 + 4, 'clock, MHz')}
      {svgLine(LEFT, top + CLOCK_HEIGHT, WIDTH - RIGHT, top + CLOCK_HEIGHT, 'axis')}
      {sidePaths(places, x, (one) => y(one.clock_mhz!))}
    </>
  );
}

function sidePaths(places: readonly Place[], x: Scale, y: (one: Place) => number) {
  return (['base', 'head'] as const).map((side) => {
    const points = places.flatMap((one, index) =>
      one.side === side ? [`${at(x(index))} ${at(y(one))}`] : [],
    );
    return (
      points.length > 0 && (
        <g class={side}>
          <path class="path" d={`M${points.join('L')}`} />
        </g>
      )
    );
  });
}

/** Beside the plot at the height of each side's median, apart from each other. */
function sideLabels(places: readonly Place[], y: Scale): VNode[] {
  const heightOf = (side: Place['side']): number =>
    y(median(places.filter((one) => one.side === side).map(({ median_ms }) => median_ms)));
  const [base, head] = [heightOf('base'), heightOf('head')];
  const apart = Math.max(0, 16 - Math.abs(base - head)) / 2;
  const way = base < head ? 1 : -1;
  const label = (side: Place['side'], height: number, text: string): VNode => (
    <g class={side}>{svgText(WIDTH - RIGHT + 12, height + 4, text, 'side')}</g>
  );
  return [label('base', base - way * apart, 'baseline'), label('head', head + way * apart, 'candidate')];
}
