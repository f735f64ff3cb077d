import type { Confirmation, Study } from '../../model/tune/study-report.ts';
import { speedupText } from '../../model/text/number-text.ts';
import type { Figure } from './figure.tsx';
import { svgLine, svgRect, svgText } from './figure.tsx';
import { at, linearScale, niceTicks, type Scale } from './scale.ts';
import { shownRange } from './shown-range.ts';
import { paddedRange, timeTicks } from './time-ticks.ts';

const WIDTH = 940;
const HEIGHT = 340;
const LEFT = 76;
const RIGHT = 24;
const TOP = 34;
const BOTTOM = 52;
const FLOOR = HEIGHT - BOTTOM;

interface Searched extends Pick<Study, 'trials' | 'default_ms'> {
  /** The winner of the study, where one was confirmed. */
  readonly confirmed?:
    | (Pick<Confirmation, 'trial' | 'speedup'> & {
        readonly speedup_ci?: readonly [number, number] | undefined;
      })
    | undefined;
}

/**
 * Every trial by number, the fastest so far, and what was confirmed. The confirmed speed-up is drawn from the default,
 * which it was measured against; what no confirmation stands behind is grey.
 */
export function bestSoFarPlot({ trials, default_ms, confirmed }: Searched): Figure | undefined {
  const measured = trials.flatMap(({ number, outcome }) =>
    outcome?.status === 'measured' ? [{ number, ...outcome }] : [],
  );
  if (measured.length === 0) return undefined;
  const times = measured.map(({ time_ms }) => time_ms);
  const won = wonTimes(default_ms, confirmed);
  const marks = [
    ...(default_ms === undefined ? [] : [default_ms]),
    ...(won === undefined ? [] : [won.time_ms]),
  ];
  const [low, high] = paddedRange(shownRange(times, marks));
  const x = linearScale([0, trials.length + 1], [LEFT, WIDTH - RIGHT]);
  const y = linearScale([low, high], [FLOOR, TOP]);
  const shown: Scale = (time_ms) => y(Math.min(high, Math.max(low, time_ms)));
  const beyond = times.filter((time_ms) => time_ms < low || time_ms > high).length;
  const body = [
    axes(low, high, trials.length, x, y),
    won === undefined || confirmed === undefined ? undefined : winner(won, confirmed, x, shown),
    default_ms === undefined
      ? undefined
      : [
          svgLine(LEFT, y(default_ms), WIDTH - RIGHT, y(default_ms), 'threshold zero'),
          svgText(WIDTH - RIGHT, y(default_ms) - 6, 'default', 'name', 'end'),
        ],
    <g class="base">
      <path class="path" d={stairs(measured, x, shown, x(trials.length))} />
    </g>,
    measured.map(({ number, time_ms, stopped_early }) => {
      if (time_ms > high) return svgText(x(number), TOP + 6, '▴', 'outside', 'middle');
      if (time_ms < low) return svgText(x(number), FLOOR - 2, '▾', 'outside', 'middle');
      const isWinner = number === confirmed?.trial;
      return (
        <g class={stopped_early ? 'base' : 'head'}>
          <circle
            class="point"
            cx={at(x(number))}
            cy={at(y(time_ms))}
            r={isWinner ? 5 : stopped_early ? 2 : 3}
          />
        </g>
      );
    }),
    trials
      .filter(({ outcome }) => outcome?.status === 'rejected')
      .map(({ number }) => svgText(x(number), FLOOR - 3, '×', 'slow', 'middle')),
    svgText(LEFT + 8, TOP - 14, legend(beyond)),
  ];
  const told =
    confirmed?.speedup === undefined
      ? 'nothing was confirmed'
      : `confirmed ${speedupText(confirmed.speedup)} at trial ${confirmed.trial}`;
  return {
    width: WIDTH,
    height: HEIGHT,
    label: `Times of ${measured.length} trials in order; ${told}`,
    body,
  };
}

function legend(beyond: number): string {
  const outside = beyond === 0 ? '' : ` · ▴▾ beyond the axis: ${beyond}`;
  return `grey line: fastest trial so far, unconfirmed · small: stopped early · ×: rejected${outside}`;
}

interface WonTimes {
  readonly time_ms: number;
  readonly interval_ms: readonly [low: number, high: number] | undefined;
}

/** The winner's time beside this study's default: what the confirmation says of it, not what its lucky trial did. */
function wonTimes(default_ms: number | undefined, confirmed: Searched['confirmed']): WonTimes | undefined {
  if (default_ms === undefined || confirmed?.speedup === undefined) return undefined;
  const { speedup, speedup_ci } = confirmed;
  return {
    time_ms: default_ms / speedup,
    interval_ms:
      speedup_ci === undefined ? undefined : [default_ms / speedup_ci[1], default_ms / speedup_ci[0]],
  };
}

function winner(
  { time_ms, interval_ms }: WonTimes,
  { trial, speedup }: NonNullable<Searched['confirmed']>,
  x: Scale,
  y: Scale,
) {
  const right = WIDTH - RIGHT;
  const [top, bottom] = (interval_ms ?? [time_ms, time_ms]).toReversed().map(y) as [number, number];
  const text = `confirmed: ${speedupText(speedup ?? 1)} (trial ${trial})`;
  return (
    <g class="tone-good">
      {svgRect(x(trial), top, right - x(trial), Math.max(0, bottom - top), 'zone fast')}
      {svgLine(x(trial), y(time_ms), right, y(time_ms), 'interval')}
      {svgText(right, y(time_ms) - 8, text, 'verdict', 'end')}
    </g>
  );
}

function axes(low: number, high: number, trials: number, x: Scale, y: Scale) {
  const { unit, ticks } = timeTicks(low, high, 6);
  return [
    ticks.map(({ time_ms, text }) => [
      svgLine(LEFT, y(time_ms), WIDTH - RIGHT, y(time_ms), 'grid'),
      svgText(LEFT - 8, y(time_ms) + 4, text, '', 'end'),
    ]),
    niceTicks(0, trials, 8)
      .ticks.filter((tick) => Number.isInteger(tick))
      .map((tick) => svgText(x(tick), FLOOR + 18, String(tick), '', 'middle')),
    svgLine(LEFT, FLOOR, WIDTH - RIGHT, FLOOR, 'axis'),
    svgText((LEFT + WIDTH - RIGHT) / 2, FLOOR + 38, 'trial', '', 'middle'),
    svgText(LEFT - 8, TOP - 14, `time, ${unit.name}`, '', 'end'),
  ];
}

function stairs(
  measured: readonly { readonly number: number; readonly time_ms: number }[],
  x: Scale,
  y: Scale,
  end: number,
): string {
  let best = Infinity;
  let path = '';
  for (const { number, time_ms } of measured) {
    if (time_ms >= best) continue;
    path += path === '' ? `M${at(x(number))} ${at(y(time_ms))}` : `H${at(x(number))}V${at(y(time_ms))}`;
    best = time_ms;
  }
  return `${path}H${at(end)}`;
}
