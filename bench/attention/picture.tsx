import type { VNode } from 'preact';

import { figureFile } from '../../src/report/svg/figure-file.tsx';
import { svgLine, svgRect, svgText } from '../../src/report/svg/figure.tsx';

interface ShapeRow {
  readonly shape: Readonly<Record<string, number>>;
  readonly tflops: Readonly<Record<string, number | undefined>>;
}

const LEFT = 150;
const WIDTH = 760;
const BAR = 9;
const GAP = 12;
const TICK = 100;

/** TFLOP/s by shape, a group of bars each. */
export function attentionPicture(rows: readonly ShapeRow[]): string {
  const names = Object.keys(rows[0]?.tflops ?? {});
  const most = Math.max(...rows.flatMap(({ tflops }) => Object.values(tflops).map((one) => one ?? 0)));
  const full = Math.ceil(most / TICK) * TICK;
  const across = (value: number) => LEFT + ((WIDTH - LEFT - 20) * value) / full;
  const group = names.length * BAR + GAP;
  const bottom = 34 + rows.length * group;
  const ticks = Array.from({ length: full / TICK + 1 }, (_, index) => index * TICK);
  const body = [
    ...names.map((name, index) => legend(name, index)),
    ...ticks.flatMap((value) => [
      svgLine(across(value), 28, across(value), bottom, 'grid'),
      svgText(across(value), bottom + 14, String(value), 'tick', 'middle'),
    ]),
    ...rows.flatMap(({ shape, tflops }, row) => {
      const top = 34 + row * group;
      return [
        svgText(LEFT - 8, top + (names.length * BAR) / 2 + 4, shapeText(shape), '', 'end'),
        ...names.flatMap((name, index) => {
          const value = tflops[name];
          if (value === undefined) return [];
          return [
            <g fill={COLOURS[index]}>
              {svgRect(LEFT, top + index * BAR, across(value) - LEFT, BAR - 1, '')}
            </g>,
            ...(index === 0 ? [svgText(across(value) + 4, top + BAR - 1, value.toFixed(0), 'tick')] : []),
          ];
        }),
      ];
    }),
  ];
  return figureFile({
    width: WIDTH,
    height: bottom + 24,
    label: `TFLOP/s by shape of ${names.join(', ')}`,
    body,
  });
}

/** Told apart by lightness too. */
const COLOURS = ['#0b6e4f', '#6fb98f', '#b8860b', '#8a8f98'];

function legend(name: string, index: number): VNode {
  const x = LEFT + index * 140;
  return (
    <>
      <g fill={COLOURS[index]}>{svgRect(x, 8, 10, 10, '')}</g>
      {svgText(x + 15, 17, name)}
    </>
  );
}

function shapeText({ S, D, CAUSAL }: Readonly<Record<string, number>>): string {
  return `S ${S}, D ${D}${CAUSAL === 1 ? ', causal' : ''}`;
}
