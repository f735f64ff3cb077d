import { useState } from 'preact/hooks';

import type { Trial } from '../../../src/model/study.ts';
import { at, linearScale } from '../../../src/report/svg/scale.ts';
import { timeText, variantText } from '../common/format.ts';
import { Scroll } from '../common/scroll.tsx';

const [WIDTH, HEIGHT, SIDE, TOP] = [900, 300, 60, 26];
/** The slowest beyond this many are left out: their lines would only hide the fast ones. */
const MOST_LINES = 400;

/** Each measured variant as a line through its tunables to its time; the fastest tenth stands out. */
export function ParallelCoordinates({ trials }: { readonly trials: readonly Trial[] }) {
  const [chosen, setChosen] = useState<number>();
  const measured = trials
    .flatMap(({ number, variant, outcome }) =>
      outcome?.status === 'measured' ? [{ number, variant, time_ms: outcome.time_ms }] : [],
    )
    .toSorted((one, other) => one.time_ms - other.time_ms)
    .slice(0, MOST_LINES);
  const names = [...new Set(measured.flatMap(({ variant }) => Object.keys(variant)))].filter(
    (name) => new Set(measured.map(({ variant }) => String(variant[name]))).size > 1,
  );
  const [fastest, slowest] = [measured[0], measured.at(-1)];
  if (fastest === undefined || slowest === undefined || names.length === 0)
    return <p class="quiet">There are not yet two measured variants that differ.</p>;
  const x = linearScale([0, names.length], [SIDE, WIDTH - SIDE]);
  const axes = names.map((name) =>
    axisOf(
      name,
      measured.map(({ variant }) => variant[name]),
    ),
  );
  const range = Math.log(slowest.time_ms / fastest.time_ms) || 1;
  const timeY = (time_ms: number): number =>
    TOP + HEIGHT - (HEIGHT * Math.log(time_ms / fastest.time_ms)) / range;
  const lines = measured.map(({ number, variant, time_ms }) => {
    const points = axes.map(
      ({ place }, index) => `${at(x(index))} ${at(place(variant[names[index] ?? '']))}`,
    );
    return {
      number,
      variant,
      time_ms,
      d: `M${points.join('L')}L${at(x(names.length))} ${at(timeY(time_ms))}`,
    };
  });
  const elite = Math.max(1, Math.round(lines.length / 10));
  const shown = lines.find(({ number }) => number === chosen) ?? lines[0];
  return (
    <>
      <Scroll label="Parallel coordinates">
        <svg
          class="figure parallel"
          viewBox={`0 0 ${WIDTH} ${TOP + HEIGHT + 30}`}
          role="img"
          aria-label={`Tunables and times of ${lines.length} variants; the fastest tenth stands out`}
        >
          {lines
            .map((line, index) => ({ line, index }))
            .toReversed()
            .map(({ line, index }) => (
              <path
                key={line.number}
                class={`strand ${index < elite ? 'elite' : ''} ${line.number === shown?.number ? 'chosen' : ''}`}
                d={line.d}
                onMouseEnter={() => setChosen(line.number)}
              />
            ))}
          {axes.map(({ texts }, index) => (
            <g key={names[index]}>
              <line class="axis" x1={at(x(index))} x2={at(x(index))} y1={TOP} y2={TOP + HEIGHT} />
              <text class="strong" x={at(x(index))} y={TOP - 12} text-anchor="middle">
                {names[index]}
              </text>
              {texts.map(({ text, y }) => (
                <text key={text} x={at(x(index) + 6)} y={at(y + 4)}>
                  {text}
                </text>
              ))}
            </g>
          ))}
          <line class="axis" x1={at(x(names.length))} x2={at(x(names.length))} y1={TOP} y2={TOP + HEIGHT} />
          <text class="strong" x={at(x(names.length))} y={TOP - 12} text-anchor="middle">
            time
          </text>
          <text x={at(x(names.length) + 4)} y={TOP + HEIGHT + 18} text-anchor="middle">
            {timeText(fastest.time_ms)}
          </text>
          <text x={at(x(names.length) - 6)} y={TOP + 4} text-anchor="end">
            {timeText(slowest.time_ms)}
          </text>
        </svg>
      </Scroll>
      {shown === undefined ? null : (
        <p class="readout">
          Trial {shown.number}: <b>{timeText(shown.time_ms)}</b> · <code>{variantText(shown.variant)}</code>
        </p>
      )}
    </>
  );
}

interface CoordinateAxis {
  readonly place: (value: unknown) => number;
  readonly texts: readonly { readonly text: string; readonly y: number }[];
}

/** Values at equal distances, numbers by size: tunables are mostly powers of two. */
function axisOf(_name: string, values: readonly unknown[]): CoordinateAxis {
  const distinct = [...new Set(values)].toSorted((one, other) =>
    typeof one === 'number' && typeof other === 'number' ? one - other : String(one) < String(other) ? -1 : 1,
  );
  const place = (value: unknown): number =>
    TOP + HEIGHT - (HEIGHT * (distinct.indexOf(value) + 0.5)) / distinct.length;
  const every = Math.ceil(distinct.length / 14);
  const texts = distinct.flatMap((value, index) =>
    index % every === 0 ? [{ text: String(value), y: place(value) }] : [],
  );
  return { place, texts };
}
