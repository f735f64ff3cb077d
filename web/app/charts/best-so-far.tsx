import type { Trial } from '../../../src/model/study.ts';
import { at, linearScale } from '../../../src/report/svg/scale.ts';
import { paddedRange, timeTicks } from '../../../src/report/svg/time-ticks.ts';
import { timeText } from '../format.ts';

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP] = [900, 240, 70, 14, 10];

/** Each measured trial as a dot, and the best so far as steps. */
export function BestSoFar({
  trials,
  default_ms,
}: {
  readonly trials: readonly Trial[];
  readonly default_ms?: number | undefined;
}) {
  const measured = trials.flatMap(({ number, outcome }) =>
    outcome?.status === 'measured' ? [{ number, time_ms: outcome.time_ms }] : [],
  );
  const first = measured[0];
  if (first === undefined) return <p class="quiet">No trial was measured yet.</p>;
  const best = Math.min(...measured.map(({ time_ms }) => time_ms));
  // Slow variants are many times slower than the best: they are shown at the upper edge.
  const most = Math.min(
    Math.max(...measured.map(({ time_ms }) => time_ms)),
    Math.max(best * 3, (default_ms ?? 0) * 1.1),
  );
  const [low, high] = paddedRange([best, most]);
  const x = linearScale([0.5, trials.length + 0.5], [LEFT, WIDTH - RIGHT]);
  const y = linearScale([low, high], [TOP + HEIGHT, TOP]);
  const { ticks, unit } = timeTicks(low, high, 5);
  let soFar = first.time_ms;
  const steps = measured.map(({ number, time_ms }) => {
    soFar = Math.min(soFar, time_ms);
    return `H${at(x(number))}V${at(Math.max(TOP, y(soFar)))}`;
  });
  return (
    <svg
      class="figure"
      viewBox={`0 0 ${WIDTH} ${TOP + HEIGHT + 34}`}
      role="img"
      aria-label={`Best so far over ${trials.length} trials: from ${timeText(first.time_ms)} to ${timeText(best)}`}
    >
      {ticks.map(({ time_ms, text }) => (
        <g key={text}>
          <line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={at(y(time_ms))} y2={at(y(time_ms))} />
          <text x={LEFT - 8} y={at(y(time_ms) + 4)} text-anchor="end">
            {text}
          </text>
        </g>
      ))}
      {default_ms === undefined || default_ms > high ? null : (
        <g>
          <line class="level" x1={LEFT} x2={WIDTH - RIGHT} y1={at(y(default_ms))} y2={at(y(default_ms))} />
          <text x={WIDTH - RIGHT} y={at(y(default_ms) - 5)} text-anchor="end">
            default {timeText(default_ms)}
          </text>
        </g>
      )}
      <g class="side-1">
        <path
          class="dots"
          d={measured
            .map(({ number, time_ms }) => `M${at(x(number))} ${at(Math.max(TOP, y(time_ms)))}h0`)
            .join('')}
        />
        <path
          class="ridge"
          d={`M${at(x(first.number))} ${at(Math.max(TOP, y(first.time_ms)))}${steps.join('')}H${WIDTH - RIGHT}`}
        />
      </g>
      <text x={(LEFT + WIDTH) / 2} y={TOP + HEIGHT + 26} text-anchor="middle">
        {`trials in order; time of one call, ${unit.name}`}
      </text>
    </svg>
  );
}
