import { at, linearScale, niceTicks } from '../../../src/report/svg/scale.ts';
import { intervalPath } from './interval-path.ts';
import { changeInterval, changeText } from '../format.ts';
import type { StoredVerdict } from '../source/shapes.ts';
import { Scroll } from '../parts/scroll.tsx';

const [WIDTH, LEFT, RIGHT, TOP, ROW] = [900, 230, 230, 14, 26];
/** More rows than this are no picture any more; the table has them all. */
const MOST_ROWS = 60;
/** Changes beyond this are drawn at the edge: one case at −300 % would leave the others no room. */
const MOST_PCT = 40;

/** The change of each case with its interval beside no change; slower to the left. */
export function ForestPlot({ verdicts }: { readonly verdicts: readonly StoredVerdict[] }) {
  const rows = verdicts.flatMap((one) =>
    one.change_pct === undefined
      ? []
      : [
          {
            ...one,
            change_pct: one.change_pct,
            ci_pct: one.ci_pct ?? ([one.change_pct, one.change_pct] as const),
          },
        ],
  );
  if (rows.length === 0) return null;
  const shown = rows.slice(0, MOST_ROWS);
  const reach = Math.min(MOST_PCT, Math.max(2, ...shown.flatMap(({ ci_pct }) => ci_pct.map(Math.abs))) * 1.1);
  const x = linearScale([-reach, reach], [LEFT, WIDTH - RIGHT]);
  const { ticks, decimals } = niceTicks(-reach, reach, 6);
  const bottom = TOP + ROW * shown.length;
  return (
    <Scroll label="Forest plot">
      <svg
        class="figure forest"
        viewBox={`0 0 ${WIDTH} ${bottom + 42}`}
        role="img"
        aria-label={`Changes of ${rows.length} cases with 95 % intervals; positive is faster`}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line
              class={tick === 0 ? 'zero' : 'grid'}
              x1={at(x(tick))}
              x2={at(x(tick))}
              y1={TOP}
              y2={bottom}
            />
            <text x={at(x(tick))} y={bottom + 16} text-anchor="middle">
              {`${tick > 0 ? '+' : ''}${tick.toFixed(decimals).replace('-', '−')}`}
            </text>
          </g>
        ))}
        {shown.map(({ key, verdict, change_pct, ci_pct }, index) => {
          const y = TOP + ROW * (index + 0.5);
          return (
            <g key={key.id} class={`verdict-${verdict}`}>
              <text class="name" x={LEFT - 12} y={y + 4} text-anchor="end">
                {clipped(`${key.kernel} / ${key.case}`)}
              </text>
              <path class="interval" d={intervalPath(ci_pct, reach, x, y)} />
              {Math.abs(change_pct) > reach ? null : (
                <circle class="estimate" cx={at(x(change_pct))} cy={y} r="5" />
              )}
              <text class="strong" x={WIDTH - RIGHT + 74} y={y + 4} text-anchor="end">
                {changeText(change_pct)}
              </text>
              <text x={WIDTH - RIGHT + 86} y={y + 4}>
                {changeInterval(ci_pct)}
              </text>
            </g>
          );
        })}
        <text class="slow" x={LEFT} y={bottom + 34}>
          ← slower
        </text>
        <text class="fast" x={WIDTH - RIGHT} y={bottom + 34} text-anchor="end">
          faster →
        </text>
        <text x={(LEFT + WIDTH - RIGHT) / 2} y={bottom + 34} text-anchor="middle">
          change, %
        </text>
        {rows.length > shown.length ? (
          <text
            x={WIDTH - 4}
            y={bottom + 34}
            text-anchor="end"
          >{`and ${rows.length - shown.length} more in the table`}</text>
        ) : null}
      </svg>
    </Scroll>
  );
}

function clipped(name: string): string {
  return name.length > 32 ? `${name.slice(0, 31)}…` : name;
}
