import type { ComponentChildren, VNode } from 'preact';

import { intervalText, signedPercent } from '../../model/text/change-text.ts';
import type { Comparison } from '../../model/judge/comparison.ts';
import { truncate } from '../text/plain-text.ts';
import type { Figure } from './figure.tsx';
import { svgLine, svgRect, svgText } from './figure.tsx';
import type { Scale } from './scale.ts';
import { at, linearScale, niceTicks } from './scale.ts';
import { type Verdict, VERDICT } from '../../model/judge/verdict.ts';

const WIDTH = 1020;
const LEFT = 300;
const RIGHT = 290;
const TOP = 40;
const ROW = 26;
const AXIS_HEIGHT = 46;
/** What fits beside the plot at 13 px. */
const NAME_LETTERS = 40;
/** A plot with more rows than this is too tall to read. The table has all of them. */
const MOST_ROWS = 60;

/** Changes beyond this make the axis denser outwards: at −300 % an even one would leave the other cases no room. */
const EVEN_PCT = 40;
/** Where an axis that is denser outwards begins to be. */
const BEND_PCT = 5;
const BENT_TICKS = [0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10_000];

/** One case; without an estimate it has its name and verdict alone. */
export interface ForestRow {
  readonly name: string;
  readonly verdict: Verdict;
  readonly reason?: string | undefined;
  readonly change_pct?: number | undefined;
  readonly ci_pct?: readonly [number, number] | undefined;
  /** Where the case has a regression threshold of its own. */
  readonly threshold_pct?: number | undefined;
}

type Thresholds = Comparison['thresholds'];

/** The change of each case with its interval, beside no change and the thresholds, where they are known. */
export function forestPlot(cases: readonly ForestRow[], thresholds?: Thresholds): Figure {
  const rows = cases.slice(0, MOST_ROWS);
  const left = cases.length - rows.length;
  const { low, high } = changeDomain(cases, thresholds);
  const isBent = Math.max(-low, high) > EVEN_PCT;
  const bend = (pct: number): number => (isBent ? Math.asinh(pct / BEND_PCT) : pct);
  const line = linearScale([bend(low), bend(high)], [LEFT, WIDTH - RIGHT]);
  const x: Scale = (pct) => line(bend(pct));
  const bottom = TOP + ROW * rows.length + 4;
  const body = [
    rows.map((_, index) => index % 2 === 0 && svgRect(0, TOP + ROW * index, WIDTH, ROW, 'stripe')),
    frame(thresholds, x, { low, high, isBent }, bottom),
    rows.map((one, index) => row(one, TOP + ROW * (index + 0.5), x, [low, high])),
    left > 0 && svgText(LEFT - 12, bottom + 34, `and ${left} more in the table`, '', 'end'),
  ];
  return {
    width: WIDTH,
    height: bottom + AXIS_HEIGHT,
    label: `Change of ${cases.length} cases with intervals; positive is faster`,
    body,
  };
}

/** Wide enough for both thresholds and every estimate; intervals that reach farther are cut and marked. */
function changeDomain(
  cases: readonly ForestRow[],
  thresholds: Thresholds = { regression_pct: 1, improvement_pct: 1.25 },
): { low: number; high: number } {
  const changes = cases.flatMap(({ change_pct }) => change_pct ?? []);
  const reach = (pct: number): number => 1.2 * pct;
  return {
    low: -Math.max(
      2 * thresholds.regression_pct,
      ...cases.flatMap(({ threshold_pct = 0 }) => reach(threshold_pct)),
      ...changes.map((change) => reach(-change)),
    ),
    high: Math.max(1.6 * thresholds.improvement_pct, ...changes.map(reach)),
  };
}

function frame(
  thresholds: Thresholds | undefined,
  x: Scale,
  { low, high, isBent }: { readonly low: number; readonly high: number; readonly isBent: boolean },
  bottom: number,
): ComponentChildren[] {
  const [slow, fast] = [x(-(thresholds?.regression_pct ?? 0)), x(thresholds?.improvement_pct ?? 0)];
  const { ticks, decimals } = isBent ? bentTicks(low, high) : niceTicks(low, high, 8);
  const threshold = (place: number, pct: number, kind: string): VNode[] => [
    svgLine(place, TOP - 4, place, bottom, `threshold ${kind}`),
    svgText(place, TOP - 10, `${pct < 0 ? '−' : '+'}${Math.abs(pct)} %`, kind, 'middle'),
  ];
  const middle = (LEFT + WIDTH - RIGHT) / 2;
  return [
    svgRect(LEFT, TOP, slow - LEFT, bottom - TOP, 'zone slow'),
    svgRect(fast, TOP, WIDTH - RIGHT - fast, bottom - TOP, 'zone fast'),
    ...ticks.flatMap((tick) => {
      const sign = tick > 0 ? '+' : '−';
      const size = Math.abs(tick).toFixed(decimals);
      const text = Number(size) === 0 ? '0' : `${sign}${size}`;
      return [
        svgLine(x(tick), TOP, x(tick), bottom, 'grid'),
        svgText(x(tick), bottom + 16, text, '', 'middle'),
      ];
    }),
    thresholds && [
      threshold(slow, -thresholds.regression_pct, 'slow'),
      threshold(fast, thresholds.improvement_pct, 'fast'),
    ],
    svgLine(x(0), TOP - 4, x(0), bottom, 'zero'),
    svgLine(LEFT, bottom, WIDTH - RIGHT, bottom, 'axis'),
    svgText(LEFT, bottom + 34, '← slower', 'slow'),
    svgText(middle, bottom + 34, 'change, %', '', 'middle'),
    svgText(WIDTH - RIGHT, bottom + 34, 'faster →', 'fast', 'end'),
    svgText(WIDTH - RIGHT + 64, TOP - 10, 'change', '', 'end'),
    svgText(WIDTH - RIGHT + 76, TOP - 10, 'interval, %'),
  ];
}

function bentTicks(
  low: number,
  high: number,
): { readonly ticks: readonly number[]; readonly decimals: number } {
  const all = BENT_TICKS.flatMap((tick) => (tick === 0 ? [0] : [-tick, tick]));
  return { ticks: all.filter((tick) => tick >= low && tick <= high), decimals: 0 };
}

function row(
  { name, verdict, reason, change_pct, ci_pct, threshold_pct }: ForestRow,
  y: number,
  x: Scale,
  domain: readonly [number, number],
): VNode {
  const { mark, tone } = VERDICT[verdict];
  const right = WIDTH - RIGHT;
  return (
    <g class={`tone-${tone} ${verdict}`}>
      <title>{`${name}: ${reason ?? verdict}`}</title>
      {svgText(LEFT - 12, y + 4, truncate(name, NAME_LETTERS), 'name', 'end')}
      {threshold_pct !== undefined &&
        threshold_pct <= -domain[0] &&
        svgLine(x(-threshold_pct), y - ROW / 2, x(-threshold_pct), y + ROW / 2, 'threshold slow')}
      {change_pct !== undefined && [
        whisker(ci_pct ?? [change_pct, change_pct], change_pct, y, x, domain),
        svgText(right + 64, y + 4, signedPercent(change_pct), 'strong', 'end'),
        ci_pct && svgText(right + 76, y + 4, intervalText(ci_pct)),
      ]}
      {svgText(WIDTH - 10, y + 4, `${verdict} ${mark}`, 'verdict', 'end')}
    </g>
  );
}

/** An end outside the picture is an arrow at its edge, an end inside it a stroke; an interval outside is an arrow. */
function whisker(
  [low, high]: readonly [number, number],
  change: number,
  y: number,
  x: Scale,
  [least, most]: readonly [number, number],
): VNode {
  const clamped = (value: number): number => x(Math.min(most, Math.max(least, value)));
  const [from, to] = [clamped(low), clamped(high)];
  const end = (place: number, outside: boolean, way: 1 | -1): string =>
    outside
      ? `M${at(place - way * 5)} ${at(y - 4.5)}l${5 * way} 4.5l${-5 * way} 4.5`
      : `M${at(place)} ${at(y - 4.5)}v9`;
  const ends = [low > most ? '' : end(from, low < least, -1), high < least ? '' : end(to, high > most, 1)];
  const path = `M${at(from)} ${at(y)}H${at(to)}${ends.join('')}`;
  const centre = clamped(change);
  return (
    <>
      <path class="interval" d={path} />
      {change >= least && change <= most && (
        <path class="estimate" d={`M${at(centre - 5)} ${at(y)}l5 -5l5 5l-5 5z`} />
      )}
    </>
  );
}
