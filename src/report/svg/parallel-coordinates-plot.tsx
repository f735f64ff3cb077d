import type { VNode } from 'preact';

import { confirmedBest } from '../../model/judge/confirmed-best.ts';
import type { Study } from '../../model/tune/study-report.ts';
import { truncate } from '../text/plain-text.ts';
import { timeText } from '../text/units.ts';
import type { Figure } from './figure.tsx';
import { svgLine, svgText } from './figure.tsx';
import { PARALLEL, parallelLayout, type ParallelLayout, type ParallelLine } from './parallel-layout.ts';

/** One axis for each tunable, one line for each measured trial, the fastest tenth set off. */
export function parallelCoordinatesPlot(study: Study): Figure | undefined {
  const layout = parallelLayout(study.trials, study.space.parameters);
  if (layout === undefined) return undefined;
  const { axes, lines } = layout;
  return {
    width: PARALLEL.width,
    height: PARALLEL.height,
    label: `Values of ${axes.length} tunables in ${lines.length} trials, the fastest set off`,
    body: parallelBody(layout, { confirmed: confirmedBest(study)?.trial }),
  };
}

export interface ParallelLook {
  /** The trial that was confirmed. */
  readonly confirmed?: number | undefined;
  /** Undefined: nothing is chosen, and the fastest stand out. */
  readonly isChosen?: ((line: ParallelLine) => boolean) | undefined;
  /** The trial under the pointer. */
  readonly pointed?: number | undefined;
  readonly onPoint?: (number: number) => void;
}

export function parallelBody(layout: ParallelLayout, look: ParallelLook = {}) {
  const { axes, lines, timeX, step, strong } = layout;
  const { top, floor, left } = PARALLEL;
  const letters = Math.max(4, Math.floor(step / 7));
  const chosen = look.isChosen === undefined ? undefined : lines.filter(look.isChosen);
  const won = lines.find(({ number }) => number === look.confirmed);
  const told =
    chosen === undefined
      ? `${lines.length} measured trials; the fastest ${strong} in colour`
      : `${chosen.length} of ${lines.length} measured trials match the selection`;
  return [
    // The best on top, and above all what was confirmed.
    [...lines.toReversed().filter((line) => line !== won), ...(won === undefined ? [] : [won])].map((line) =>
      strand(line, layout, look),
    ),
    axes.map(({ name, x, values }) => [
      svgLine(x, top, x, floor, 'axis'),
      svgText(x, top - 16, truncate(name, letters), 'strong', 'middle'),
      values.map(({ value, y }) => svgText(x + 5, y + 4, truncate(String(value), letters), 'name')),
    ]),
    svgLine(timeX, top, timeX, floor, 'axis'),
    svgText(timeX, top - 16, 'rank by time', 'strong', 'middle'),
    svgText(timeX + 8, top + 4, timeText(lines[0]!.time_ms), 'name'),
    svgText(timeX + 8, floor + 4, timeText(lines.at(-1)!.time_ms), 'name'),
    svgText(left, floor + 28, `${told}${won === undefined ? '' : `; green: trial ${won.number}, confirmed`}`),
  ];
}

/** What is not chosen stays faintly there: it is what the chosen ones are compared with. */
function strand(line: ParallelLine, { strong }: ParallelLayout, look: ParallelLook): VNode {
  const isChosen = look.isChosen?.(line);
  const isStrong = isChosen ?? line.rank < strong;
  const isSeen = isStrong || (isChosen === undefined && line.number === look.confirmed);
  const opacity = isSeen ? undefined : isChosen === undefined ? 0.25 : 0.08;
  const point = look.onPoint;
  return (
    <g
      key={line.number}
      class={isStrong ? 'head' : 'base'}
      opacity={opacity}
      onMouseEnter={point === undefined ? undefined : () => point(line.number)}
    >
      {line.number === look.confirmed ? (
        <g class="tone-good">
          <path class="interval strand" d={line.d} />
        </g>
      ) : (
        <path class={`path strand ${line.number === look.pointed ? 'pointed' : ''}`.trim()} d={line.d} />
      )}
    </g>
  );
}
