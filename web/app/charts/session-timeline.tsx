import { at, linearScale, niceTicks } from '../../../src/report/svg/scale.ts';
import { minutesText } from '../common/format.ts';
import { Scroll } from '../common/scroll.tsx';
import { LANES, type SessionEvent } from '../common/session-events.ts';
import { workTime } from './work-time.ts';

const [WIDTH, LEFT, RIGHT, TOP, ROW, MARK] = [900, 76, 24, 20, 22, 20];

interface Placed extends SessionEvent {
  readonly x0: number;
  readonly x1: number;
  readonly row: number;
}

/** Gates, profiles, tries and notes over the minutes of work. */
export function SessionTimeline({ events }: { readonly events: readonly SessionEvent[] }) {
  if (events.length === 0) return <p class="quiet">Nothing has happened yet.</p>;
  const { minutesAt, total_min, pauses } = workTime(events.map(({ from_ms, to_ms }) => [from_ms, to_ms]));
  const x = linearScale([0, Math.max(1, total_min)], [LEFT + 14, WIDTH - RIGHT]);
  const { ticks, decimals } = niceTicks(0, Math.max(1, total_min), 8);
  let bottom = TOP;
  const lanes = LANES.flatMap((lane) => {
    const own = events.filter((event) => event.lane === lane);
    if (own.length === 0) return [];
    const placed = inRows(own, (time_ms) => x(minutesAt(time_ms)));
    const top = bottom;
    bottom += 12 + ROW * (1 + Math.max(...placed.map(({ row }) => row)));
    return [{ lane, top, placed }];
  });
  return (
    <Scroll label="Timeline">
      <svg
        class="figure timeline"
        viewBox={`0 0 ${WIDTH} ${bottom + 40}`}
        role="img"
        aria-label={`Timeline of ${events.length} events over ${minutesText(total_min)} of work; the list below has the same as text`}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line class="grid" x1={at(x(tick))} x2={at(x(tick))} y1={TOP} y2={bottom} />
            <text x={at(x(tick))} y={bottom + 16} text-anchor="middle">
              {tick.toFixed(decimals)}
            </text>
          </g>
        ))}
        {pauses.map(({ at_min, length_min }) => (
          <g key={at_min}>
            <line class="level" x1={at(x(at_min))} x2={at(x(at_min))} y1={TOP - 4} y2={bottom} />
            <text x={at(x(at_min))} y={TOP - 8} text-anchor="middle">
              pause {minutesText(length_min)}
            </text>
          </g>
        ))}
        {lanes.map(({ lane, top, placed }) => (
          <g key={lane}>
            <line class="grid" x1={LEFT - 70} x2={WIDTH - RIGHT + 12} y1={top} y2={top} />
            <text class="name" x={LEFT - 70} y={top + 21}>
              {lane}
            </text>
            {placed.map((event, index) => (
              <Mark key={index} event={event} y={top + 6 + ROW * (event.row + 0.5)} />
            ))}
          </g>
        ))}
        <line class="axis" x1={LEFT - 70} x2={WIDTH - RIGHT + 12} y1={bottom} y2={bottom} />
        <text x={(LEFT + WIDTH - RIGHT) / 2} y={bottom + 34} text-anchor="middle">
          minutes of work
        </text>
      </svg>
    </Scroll>
  );
}

function Mark({ event, y }: { readonly event: Placed; readonly y: number }) {
  const { x0, x1, mark, tone, text } = event;
  return (
    <g class={`event ${tone}`}>
      <title>{text}</title>
      {x1 - x0 < 2 ? null : <rect class="span" x={at(x0)} y={y - 4} width={at(x1 - x0)} height="8" rx="4" />}
      <circle cx={at(x1)} cy={y} r="9" />
      <text x={at(x1)} y={y + 4} text-anchor="middle">
        {mark}
      </text>
    </g>
  );
}

/** Each at its time; where marks would lie on each other, a row lower. */
function inRows(events: readonly SessionEvent[], xOf: (time_ms: number) => number): Placed[] {
  const ends: number[] = [];
  return events.map((event) => {
    const [x0, x1] = [xOf(event.from_ms), xOf(event.to_ms)];
    const start = Math.min(x0, x1 - MARK / 2);
    const free = ends.findIndex((end) => end <= start);
    const row = free === -1 ? ends.length : free;
    ends[row] = x1 + MARK / 2;
    return { ...event, x0, x1, row };
  });
}
