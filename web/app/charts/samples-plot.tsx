import { at, linearScale } from '../../../src/report/svg/scale.ts';
import { paddedRange, timeTicks } from '../../../src/report/svg/time-ticks.ts';
import { countText, timeText } from '../common/format.ts';
import type { StoredSeries } from '../source/shapes.ts';
import { medianOf } from './distribution.tsx';

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP] = [900, 220, 70, 10, 8];
/** Enough to see the shape; the file has them all. */
const MOST_DOTS = 3000;

/** Every sample in the order in which it was taken, process after process: drift and modes show that a histogram hides. */
export function SamplesPlot({ series }: { readonly series: readonly StoredSeries[] }) {
  const all = series.flatMap(({ samples_ms }) => samples_ms);
  if (series.length === 0) return <p class="quiet">This measurement was not timed.</p>;
  if (all.length === 0)
    return (
      <p class="quiet">Retention removed the samples of this measurement; its level and verdict are kept.</p>
    );
  const every = Math.ceil(all.length / MOST_DOTS);
  const sorted = all.toSorted((one, other) => one - other);
  const highest = sorted[Math.floor((sorted.length - 1) * 0.995)] ?? 1;
  const [low, high] = paddedRange([sorted[0] ?? 0, highest]);
  const outside = all.filter((value) => value > high).length;
  const x = linearScale([0, all.length], [LEFT, WIDTH - RIGHT]);
  const y = linearScale([low, high], [TOP + HEIGHT, TOP]);
  const { ticks, unit } = timeTicks(low, high, 5);
  let start = 0;
  return (
    <svg
      class="figure"
      viewBox={`0 0 ${WIDTH} ${TOP + HEIGHT + 30}`}
      role="img"
      aria-label={`${countText(all.length, 'sample')} of ${countText(series.length, 'process', 'processes')} in order; from ${timeText(sorted[0] ?? 0)} to ${timeText(sorted.at(-1) ?? 0)}`}
    >
      {ticks.map(({ time_ms, text }) => (
        <g key={text}>
          <line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={at(y(time_ms))} y2={at(y(time_ms))} />
          <text x={LEFT - 8} y={at(y(time_ms) + 4)} text-anchor="end">
            {text}
          </text>
        </g>
      ))}
      {series.map(({ samples_ms, process }, index) => {
        const from = start;
        start += samples_ms.length;
        const centre = medianOf(samples_ms);
        const dots = samples_ms.flatMap((value, order) =>
          order % every === 0 && value <= high ? [`M${at(x(from + order + 0.5))} ${at(y(value))}h0`] : [],
        );
        return (
          <g key={process ?? index} class={index % 2 === 0 ? 'side-1' : 'side-0'}>
            <path class="dots" d={dots.join('')} />
            {centre === undefined ? null : (
              <line
                class="tick-mark"
                x1={at(x(from))}
                x2={at(x(from + samples_ms.length))}
                y1={at(y(centre))}
                y2={at(y(centre))}
              />
            )}
          </g>
        );
      })}
      <text x={(LEFT + WIDTH) / 2} y={TOP + HEIGHT + 22} text-anchor="middle">
        {`samples in order, ${unit.name}; a line is a process's median`}
        {every === 1 ? '' : `; one in ${every} is drawn`}
        {outside === 0 ? '' : `; ${countText(outside, 'slower one')} above the picture`}
      </text>
    </svg>
  );
}
