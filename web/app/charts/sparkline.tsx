import { at, linearScale } from '../../../src/report/svg/scale.ts';
import { paddedRange } from '../../../src/report/svg/time-ticks.ts';

const [WIDTH, HEIGHT] = [120, 30];

/** The shape of a trend. It never shows less than 4 % of the level, so that noise does not look like drama. */
export function Sparkline({
  levels_ms,
  label,
}: {
  readonly levels_ms: readonly number[];
  readonly label: string;
}) {
  const last = levels_ms.at(-1);
  if (last === undefined)
    return <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" />;
  const [low, high] = paddedRange([...levels_ms, last * 0.98, last * 1.02]);
  const x = linearScale([0, Math.max(1, levels_ms.length - 1)], [3, WIDTH - 4]);
  const y = linearScale([low, high], [HEIGHT - 3, 3]);
  const line = levels_ms.map((level, index) => `${at(x(index))} ${at(y(level))}`).join('L');
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <path d={`M${line}`} />
      <circle cx={at(x(levels_ms.length - 1))} cy={at(y(last))} r="2.6" />
    </svg>
  );
}
