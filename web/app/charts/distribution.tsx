import { at, linearScale } from '../../../src/report/svg/scale.ts';
import { timeTicks } from '../../../src/report/svg/time-ticks.ts';
import { countText } from '../common/format.ts';
import type { StoredSeries } from '../source/shapes.ts';
import { sharedBins } from './histogram.ts';

const [WIDTH, HILL, ROW, LEFT, RIGHT, TOP] = [760, 150, 26, 60, 12, 8];

export interface DistributionSide {
  readonly name: string;
  readonly series: readonly StoredSeries[];
}

/** All samples of one or two measurements as hills over one axis, and below each process's median as a mark. */
export function Distribution({ sides }: { readonly sides: readonly DistributionSide[] }) {
  const samples = sides.map(({ series }) => series.flatMap(({ samples_ms }) => samples_ms));
  const bins = sharedBins(samples);
  if (bins === undefined)
    return (
      <p class="quiet">
        {sides.every(({ series }) => series.length === 0)
          ? 'These measurements were not timed.'
          : 'Retention removed the samples of this measurement; its level and verdict are kept.'}
      </p>
    );
  const x = linearScale([bins.low, bins.high], [LEFT, WIDTH - RIGHT]);
  const { ticks, unit } = timeTicks(bins.low, bins.high, 6);
  const base = TOP + HILL;
  const bottom = base + ROW * sides.length;
  const label = sides
    .map(
      ({ name, series }, side) =>
        `${name}: ${countText(samples[side]?.length ?? 0, 'sample')} of ${countText(series.length, 'process', 'processes')}`,
    )
    .join('; ');
  return (
    <svg
      class="figure"
      viewBox={`0 0 ${WIDTH} ${bottom + 40}`}
      role="img"
      aria-label={`Distribution of sample times. ${label}`}
    >
      {ticks.map(({ time_ms, text }) => (
        <g key={text}>
          <line class="grid" x1={at(x(time_ms))} x2={at(x(time_ms))} y1={TOP} y2={bottom} />
          <text x={at(x(time_ms))} y={bottom + 16} text-anchor="middle">
            {text}
          </text>
        </g>
      ))}
      {sides.map(({ name, series }, side) => (
        <g key={name} class={`side-${side}`}>
          <path class="hill" d={hillPath(bins.shares[side] ?? [], bins.peak, base)} />
          <text class="side" x={LEFT - 8} y={base + ROW * (side + 0.5) + 4} text-anchor="end">
            {name}
          </text>
          {series.map(({ samples_ms }, process) => {
            const centre = medianOf(samples_ms);
            if (centre === undefined || centre < bins.low || centre > bins.high) return null;
            return (
              <line
                key={process}
                class="tick-mark"
                x1={at(x(centre))}
                x2={at(x(centre))}
                y1={base + ROW * side + 5}
                y2={base + ROW * (side + 1) - 3}
              />
            );
          })}
        </g>
      ))}
      <line class="axis" x1={LEFT} x2={WIDTH - RIGHT} y1={bottom} y2={bottom} />
      <text x={(LEFT + WIDTH - RIGHT) / 2} y={bottom + 34} text-anchor="middle">
        time of one sample, {unit.name}; marks: medians of processes
        {bins.outside.some((count) => count > 0)
          ? `; outside the picture: ${bins.outside.join(' and ')}`
          : ''}
      </text>
    </svg>
  );
}

function hillPath(shares: readonly number[], peak: number, base: number): string {
  const step = (WIDTH - LEFT - RIGHT) / shares.length;
  const steps = shares.map(
    (share, bin) => `V${at(base - (share / peak) * (HILL - 6))}H${at(LEFT + (bin + 1) * step)}`,
  );
  return `M${LEFT} ${base}${steps.join('')}V${base}z`;
}

export function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  const next = sorted[Math.ceil((sorted.length - 1) / 2)];
  return middle === undefined || next === undefined ? undefined : (middle + next) / 2;
}
