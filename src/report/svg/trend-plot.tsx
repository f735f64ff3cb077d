import type { ComponentChildren, VNode } from 'preact';

import { changeText } from '../../model/text/change-text.ts';
import type { Trend, TrendChange, TrendPoint } from '../../model/history/history.ts';
import { median, quantile } from '../../stats/quantile.ts';
import { keyDetails, keyName, markText, newestText, otherMarks, shortSha } from '../text/trend-text.ts';
import { decimalsFor, formatIn, type Unit } from '../text/units.ts';
import { axisName, svgLine, svgText, type Figure } from './figure.tsx';
import { at, linearScale, type Scale } from './scale.ts';
import { paddedRange, timeTicks } from './time-ticks.ts';

const WIDTH = 900;
const LEFT = 90;
const RIGHT = 20;
const TOP = 56;
const HEIGHT = 180;
const BOTTOM = TOP + HEIGHT;
const LABEL_ROWS = 2;
const LABEL_HEIGHT = 14;
/** What fits between two labels of a row. */
const LABEL_WIDTH = 150;
/** Single bad runs beyond this share of the points are cut off rather than flattening the rest; never the newest. */
const CUT = 0.01;
/** A range below this share of the level is drawn as if it were this: noise is not to look like mountains. */
const LEAST_RANGE = 0.02;
const DATES = 5;

/**
 * The levels of a key over its commits with their intervals, the level of each stretch, and its changes by commit.
 * `titled`: with the key's name, where nothing beside it says that.
 */
export function trendPlot(trend: Trend, { titled }: { readonly titled: boolean }): Figure {
  const { points, changes, key } = trend;
  const levels = points.map(({ level_ms }) => level_ms);
  const [low, high] = levelRange(levels, Object.values(heldAgainst(trend)));
  const inside = (time_ms: number): number => Math.min(high, Math.max(low, time_ms));
  const x = linearScale([-0.5, points.length - 0.5], [LEFT, WIDTH - RIGHT]);
  const scale = linearScale([low, high], [BOTTOM, TOP]);
  const y: Scale = (time_ms) => scale(inside(time_ms));
  const { unit, ticks } = timeTicks(low, high, 5);
  const places = new Map(points.map(({ commit }, index) => [commit, index]));
  const body = [
    titled && [
      svgText(LEFT, 16, keyName(key), 'strong'),
      svgText(WIDTH - RIGHT, 16, keyDetails(key), '', 'end'),
    ],
    ticks.map(({ time_ms, text }) => [
      svgLine(LEFT, y(time_ms), WIDTH - RIGHT, y(time_ms), 'grid'),
      svgText(LEFT - 10, y(time_ms) + 4, text, '', 'end'),
    ]),
    svgLine(LEFT, BOTTOM, WIDTH - RIGHT, BOTTOM, 'axis'),
    axisName(`level, ${unit.name}`, TOP + HEIGHT / 2),
    <g class="head">
      <path class="hill" d={band(points, x, y)} />
      {dots(points, x, y, unit)}
    </g>,
    <g class="base">{stretches(points, changes, places, x, y)}</g>,
    Object.entries(heldAgainst(trend)).map(([name, time_ms]) => [
      svgLine(LEFT, y(time_ms), WIDTH - RIGHT, y(time_ms), 'threshold'),
      svgText(LEFT + 4, y(time_ms) - 3, name),
    ]),
    otherMarkLines(trend, places, x),
    changeMarks(changes, places, x),
    newestMark(trend, places, x, y),
    dates(points, x),
  ];
  return {
    width: WIDTH,
    height: BOTTOM + 30,
    label: `${keyName(key)}: level over ${points.length} commits, ${changes.length === 1 ? '1 change' : `${changes.length} changes`}`,
    body,
  };
}

/** What of the lines is near enough not to flatten the trend; the others are told in words. */
function heldAgainst({ points, lines = {} }: Trend): Record<string, number> {
  const level = points.at(-1)?.level_ms ?? 0;
  const { baseline_ms, floor_ms, reference } = lines;
  const all = { baseline: baseline_ms, floor: floor_ms, [reference?.kernel ?? '']: reference?.level_ms };
  return Object.fromEntries(
    Object.entries(all).filter(
      (one): one is [string, number] => one[1] !== undefined && one[1] < 1.5 * level && one[1] > level / 1.5,
    ),
  );
}

function levelRange(levels: readonly number[], held: readonly number[]): [low: number, high: number] {
  const shown = [...held, ...levels.slice(-1)];
  const least = Math.min(quantile(levels, CUT), ...shown);
  const most = Math.max(quantile(levels, 1 - CUT), ...shown);
  const more = Math.max(0, LEAST_RANGE * least - (most - least)) / 2;
  return paddedRange([least - more, most + more]);
}

function band(points: readonly TrendPoint[], x: Scale, y: Scale): string {
  const upper = points.map(({ ci_ms }, index) => `${at(x(index))} ${at(y(ci_ms[1]))}`);
  const lower = points.map(({ ci_ms }, index) => `${at(x(index))} ${at(y(ci_ms[0]))}`).reverse();
  return `M${[...upper, ...lower].join('L')}z`;
}

function dots(points: readonly TrendPoint[], x: Scale, y: Scale, unit: Unit): VNode[] {
  const radius = points.length > 200 ? 1.4 : 2.6;
  return points.map(({ commit, level_ms, time }, index) => {
    const level = formatIn(level_ms, unit, decimalsFor([level_ms], unit, 4));
    return (
      <circle class="point" cx={at(x(index))} cy={at(y(level_ms))} r={radius}>
        <title>{`${shortSha(commit)}, ${time.slice(0, 10)}: ${level} ${unit.name}`}</title>
      </circle>
    );
  });
}

/** Between steps the median level; along a creep a line from its first tenth to its last. */
function stretches(
  points: readonly TrendPoint[],
  changes: readonly TrendChange[],
  places: ReadonlyMap<string, number>,
  x: Scale,
  y: Scale,
): ComponentChildren {
  const edges = new Set([0, points.length]);
  const creeping = new Set<number>();
  for (const { kind, commit, previous_commit } of changes) {
    const last = places.get(commit);
    if (last === undefined) continue;
    if (kind === 'step') edges.add(last);
    else {
      const first = places.get(previous_commit) ?? 0;
      edges.add(first);
      edges.add(last + 1);
      creeping.add(first);
    }
  }
  const sorted = [...edges].sort((a, b) => a - b);
  return sorted.slice(0, -1).map((start, k) => {
    const own = points.slice(start, sorted[k + 1]).map(({ level_ms }) => level_ms);
    if (own.length === 0) return undefined;
    const end = start + own.length - 1;
    if (!creeping.has(start)) {
      const level = y(median(own));
      return svgLine(x(start - 0.4), level, x(end + 0.4), level, 'tick-mark');
    }
    const few = Math.ceil(own.length / 10);
    const inset = (few - 1) / 2;
    const [from, to] = [median(own.slice(0, few)), median(own.slice(-few))];
    return svgLine(x(start + inset), y(from), x(end - inset), y(to), 'tick-mark');
  });
}

/** A short stroke at the foot, with what happened as its title. */
function otherMarkLines(trend: Trend, places: ReadonlyMap<string, number>, x: Scale): ComponentChildren {
  return otherMarks(trend).map((mark) => {
    const index = places.get(mark.commit);
    if (index === undefined) return undefined;
    return (
      <g>
        <title>{`${markText(mark)} at ${shortSha(mark.commit)}, ${mark.time.slice(0, 10)}`}</title>
        {svgLine(x(index - 0.5), BOTTOM - 22, x(index - 0.5), BOTTOM, 'axis')}
        {svgText(x(index - 0.5) + 4, BOTTOM - 12, shortMark(markText(mark)))}
      </g>
    );
  });
}

const MARK_LETTERS = 28;

function shortMark(text: string): string {
  return text.length > MARK_LETTERS ? `${text.slice(0, MARK_LETTERS - 1)}…` : text;
}

/** A ring about a newest point that is off. */
function newestMark(
  { points, newest }: Trend,
  places: ReadonlyMap<string, number>,
  x: Scale,
  y: Scale,
): ComponentChildren {
  const index = newest && places.get(newest.commit);
  const point = points[index ?? -1];
  if (newest === undefined || index === undefined || point === undefined) return undefined;
  const tone = newest.change_pct < 0 ? 'slow' : 'fast';
  return (
    <g>
      <title>{`newest ${changeText(newest)} at ${shortSha(newest.commit)}: ${newestText(newest)}`}</title>
      {svgLine(x(index) - 8, y(point.level_ms), x(index) + 8, y(point.level_ms), `threshold ${tone}`)}
      {svgText(
        x(index) - 12,
        y(point.level_ms) + 4,
        `newest ${changeText({ change_pct: newest.change_pct })}`,
        tone,
        'end',
      )}
    </g>
  );
}

/** A line at the commit and its label above, in rows so that neighbours do not overlap. */
function changeMarks(
  changes: readonly TrendChange[],
  places: ReadonlyMap<string, number>,
  x: Scale,
): ComponentChildren {
  const ends = Array.from({ length: LABEL_ROWS }, () => -Infinity);
  return changes.map((change) => {
    const index = places.get(change.commit);
    if (index === undefined) return undefined;
    const where = x(index - (change.kind === 'step' ? 0.5 : 0));
    const row = ends.findIndex((end) => end < where);
    const tone = change.change_pct < 0 ? 'slow' : 'fast';
    const mark = svgLine(where, TOP - 4, where, BOTTOM, `threshold ${tone}`);
    if (row >= 0) ends[row] = where + LABEL_WIDTH;
    const anchor = where > WIDTH - RIGHT - LABEL_WIDTH ? 'end' : 'start';
    const kind = change.kind === 'creep' ? 'creep ' : '';
    const text = `${kind}${changeText({ change_pct: change.change_pct })} ${shortSha(change.commit)}`;
    return (
      <g>
        <title>{`${change.kind} ${changeText(change)} at ${shortSha(change.commit)}`}</title>
        {mark}
        {row >= 0 && svgText(where, TOP - 8 - (LABEL_ROWS - 1 - row) * LABEL_HEIGHT, text, tone, anchor)}
      </g>
    );
  });
}

function dates(points: readonly TrendPoint[], x: Scale): VNode[] {
  const count = Math.min(DATES, points.length);
  return Array.from({ length: count }, (_, k) => {
    const index = count === 1 ? 0 : Math.round((k * (points.length - 1)) / (count - 1));
    const anchor = k === 0 ? 'start' : k === count - 1 ? 'end' : 'middle';
    return svgText(x(index), BOTTOM + 18, points[index]!.time.slice(0, 10), '', anchor);
  });
}
