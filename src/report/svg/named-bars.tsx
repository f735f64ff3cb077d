import { truncate } from '../text/plain-text.ts';
import type { Figure } from './figure.tsx';
import { svgText } from './figure.tsx';
import { at } from './scale.ts';

const WIDTH = 940;
const NAME_RIGHT = 240;
const BAR_RIGHT = 780;
const ROW = 24;
const NAME_LETTERS = 32;

export interface NamedBar {
  readonly name: string;
  readonly value: number;
  readonly text: string;
}

/** Bars with a name before and a value behind each. */
export function namedBars(bars: readonly NamedBar[], label: string): Figure | undefined {
  const most = Math.max(0, ...bars.map(({ value }) => value));
  if (bars.length === 0 || most === 0) return undefined;
  const rows = bars.map(({ name, value, text }, index) => {
    const middle = ROW * (index + 0.5) + 6;
    const width = ((BAR_RIGHT - NAME_RIGHT) * value) / most;
    return (
      <>
        {svgText(NAME_RIGHT - 10, middle + 4.5, truncate(name, NAME_LETTERS), 'name', 'end')}
        <g class="head">
          <rect
            class="point"
            x={NAME_RIGHT}
            y={at(middle - 7)}
            width={at(Math.max(1, width))}
            height="14"
            rx="2"
          />
        </g>
        {svgText(NAME_RIGHT + width + 8, middle + 4.5, text, 'strong')}
      </>
    );
  });
  return { width: WIDTH, height: ROW * bars.length + 12, label, body: rows };
}
