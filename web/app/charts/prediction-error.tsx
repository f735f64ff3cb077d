import { at, linearScale } from '../../../src/report/svg/scale.ts';

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP] = [380, 150, 60, 12, 12];
/** Further off than this is drawn at the edge. */
const MOST_FACTOR = 8;

/** What came, over what was predicted, and the 80 % interval in the same measure. */
export interface Prediction {
  readonly id: string;
  readonly name: string;
  readonly factor: number;
  readonly interval: readonly [number, number];
}

/** How far predictions were off, session by session: on the line is as predicted. */
export function PredictionError({
  title,
  predictions,
}: {
  readonly title: string;
  readonly predictions: readonly Prediction[];
}) {
  const reach = Math.min(
    MOST_FACTOR,
    Math.max(
      2,
      ...predictions.flatMap(({ factor, interval: [low, high] }) => [factor, 1 / factor, 1 / low, high]),
    ),
  );
  const y = linearScale([-Math.log(reach), Math.log(reach)], [TOP + HEIGHT, TOP]);
  const place = (factor: number): number => y(Math.log(Math.min(reach, Math.max(1 / reach, factor))));
  const x = linearScale([-0.5, predictions.length - 0.5], [LEFT, WIDTH - RIGHT]);
  const ticks = [0.125, 0.25, 0.5, 1, 2, 4, 8].filter((tick) => tick <= reach && tick >= 1 / reach);
  return (
    <figure class="panel">
      <figcaption>
        <b>{title}</b> <span class="quiet">{summaryOf(predictions)}</span>
      </figcaption>
      <svg
        class="figure small"
        viewBox={`0 0 ${WIDTH} ${TOP + HEIGHT + 28}`}
        role="img"
        aria-label={`${title}: ${summaryOf(predictions)}`}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line
              class={tick === 1 ? 'zero' : 'grid'}
              x1={LEFT}
              x2={WIDTH - RIGHT}
              y1={at(place(tick))}
              y2={at(place(tick))}
            />
            <text x={LEFT - 8} y={at(place(tick) + 4)} text-anchor="end">
              {tick === 1 ? '1' : `×${tick}`}
            </text>
          </g>
        ))}
        {predictions.map(({ id, name, factor, interval: [low, high] }, index) => {
          const isInside = factor >= low && factor <= high;
          return (
            <g key={id} class={isInside ? 'tone-good' : 'tone-warn'}>
              <title>{`${name}: ×${factor.toFixed(2)} of the prediction, ${isInside ? 'inside' : 'outside'} the interval`}</title>
              <line
                class="interval"
                x1={at(x(index))}
                x2={at(x(index))}
                y1={at(place(low))}
                y2={at(place(high))}
              />
              {isInside ? (
                <circle class="estimate" cx={at(x(index))} cy={at(place(factor))} r="5" />
              ) : (
                <path class="estimate" d={`M${at(x(index))} ${at(place(factor) - 7)}l7 7l-7 7l-7 -7z`} />
              )}
            </g>
          );
        })}
        <text x={(LEFT + WIDTH) / 2} y={TOP + HEIGHT + 22} text-anchor="middle">
          sessions in order; ◆ outside the interval
        </text>
      </svg>
    </figure>
  );
}

/** The mean is that of factors: half and twice as long are equally far off. */
function summaryOf(predictions: readonly Prediction[]): string {
  const off = (some: readonly Prediction[]): string =>
    Math.exp(
      some.reduce((sum, { factor }) => sum + Math.abs(Math.log(factor)), 0) / Math.max(1, some.length),
    ).toFixed(2);
  const inside = predictions.filter(
    ({ factor, interval: [low, high] }) => factor >= low && factor <= high,
  ).length;
  const last = predictions.length > 10 ? `, of the last ten by ${off(predictions.slice(-10))}` : '';
  return `off by a factor of ${off(predictions)}${last}; ${inside} of ${predictions.length} inside the 80 % interval`;
}
