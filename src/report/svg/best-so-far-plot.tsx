import type { Study } from '../../model/study-report.ts';
import type { Figure } from './figure.tsx';
import { svgLine, svgText } from './figure.tsx';
import { at, linearScale, niceTicks } from './scale.ts';
import { paddedRange, timeTicks } from './time-ticks.ts';

const WIDTH = 940;
const HEIGHT = 340;
const LEFT = 76;
const RIGHT = 24;
const TOP = 34;
const BOTTOM = 52;

/** Times beyond this multiple of the best are drawn at the edge: the best ones need the room. */
const SHOWN = 3;

/** Every trial by number, and the best time so far. */
export function bestSoFarPlot({
  trials,
  default_ms,
}: Pick<Study, 'trials' | 'default_ms'>): Figure | undefined {
  const measured = trials.flatMap(({ number, outcome }) =>
    outcome?.status === 'measured' ? [{ number, ...outcome }] : [],
  );
  if (measured.length === 0) return undefined;
  const best = Math.min(...measured.map(({ time_ms }) => time_ms));
  const shown = (time_ms: number): number => Math.min(time_ms, SHOWN * best);
  const [low, high] = paddedRange([
    ...measured.map(({ time_ms }) => shown(time_ms)),
    shown(default_ms ?? best),
  ]);
  const x = linearScale([0, trials.length + 1], [LEFT, WIDTH - RIGHT]);
  const y = linearScale([low, high], [HEIGHT - BOTTOM, TOP]);
  const { unit, ticks } = timeTicks(low, high, 6);
  const numbers = niceTicks(0, trials.length, 8);
  const floor = HEIGHT - BOTTOM;
  const body = [
    ticks.map(({ time_ms, text }) => [
      svgLine(LEFT, y(time_ms), WIDTH - RIGHT, y(time_ms), 'grid'),
      svgText(LEFT - 8, y(time_ms) + 4, text, '', 'end'),
    ]),
    numbers.ticks
      .filter((tick) => Number.isInteger(tick))
      .map((tick) => svgText(x(tick), floor + 18, String(tick), '', 'middle')),
    svgLine(LEFT, floor, WIDTH - RIGHT, floor, 'axis'),
    svgText((LEFT + WIDTH - RIGHT) / 2, floor + 38, 'trial', '', 'middle'),
    svgText(LEFT - 8, TOP - 14, `time, ${unit.name}`, '', 'end'),
    default_ms === undefined
      ? undefined
      : [
          svgLine(LEFT, y(shown(default_ms)), WIDTH - RIGHT, y(shown(default_ms)), 'threshold zero'),
          svgText(WIDTH - RIGHT, y(shown(default_ms)) - 6, 'default', 'name', 'end'),
        ],
    measured.map(({ number, time_ms, stopped_early }) => (
      <g class={stopped_early ? 'base' : 'head'}>
        <circle class="point" cx={at(x(number))} cy={at(y(shown(time_ms)))} r={stopped_early ? 2 : 3} />
      </g>
    )),
    trials
      .filter(({ outcome }) => outcome?.status === 'rejected')
      .map(({ number }) => svgText(x(number), floor - 3, '×', 'slow', 'middle')),
    <g class="tone-good">
      <path class="interval" d={stairs(measured, x, (time) => y(shown(time)), x(trials.length))} />
    </g>,
    svgText(LEFT + 8, TOP - 14, 'line: best so far · small grey: stopped early · × at the bottom: rejected'),
  ];
  return {
    width: WIDTH,
    height: HEIGHT,
    label: `Times of ${measured.length} trials in order, and the best so far`,
    body,
  };
}

function stairs(
  measured: readonly { readonly number: number; readonly time_ms: number }[],
  x: (number: number) => number,
  y: (time_ms: number) => number,
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
