import type { Study } from '../../model/study-report.ts';
import { measuredTrials } from '../../model/study.ts';
import { truncate } from '../plain-text.ts';
import { timeText } from '../units.ts';
import type { Figure } from './figure.tsx';
import { svgLine, svgText } from './figure.tsx';
import { at } from './scale.ts';

const WIDTH = 940;
const LEFT = 56;
const RIGHT = 96;
const TOP = 46;
const FLOOR = 300;
const HEIGHT = 340;
/** More lines than this are a carpet; the slow ones go first. */
const MOST_LINES = 300;
/** Drawn strongly. */
const BEST_SHARE = 0.1;

/** One axis for each tunable, one line for each measured trial, the fastest tenth set off. */
export function parallelCoordinatesPlot(study: Study): Figure | undefined {
  const axes = study.space.parameters.filter(({ values }) => values.length > 1);
  const lines = measuredTrials(study.trials).slice(0, MOST_LINES);
  if (axes.length === 0 || lines.length < 2) return undefined;
  const step = (WIDTH - LEFT - RIGHT) / axes.length;
  const x = (axis: number): number => LEFT + axis * step;
  const place = (index: number, count: number): number =>
    count === 1 ? (TOP + FLOOR) / 2 : FLOOR - (index / (count - 1)) * (FLOOR - TOP);
  const rank = (index: number): number => TOP + (index / Math.max(1, lines.length - 1)) * (FLOOR - TOP);
  const strong = Math.max(1, Math.round(BEST_SHARE * lines.length));
  const timeAxis = LEFT + axes.length * step;
  const paths = lines.map(({ trial }, index) => {
    const points = axes.map(({ name, values }, axis) => {
      const value = values.indexOf(trial.variant[name]!);
      return `${at(x(axis))} ${at(place(Math.max(0, value), values.length))}`;
    });
    const d = `M${[...points, `${at(timeAxis)} ${at(rank(index))}`].join('L')}`;
    return (
      <g class={index < strong ? 'head' : 'base'} opacity={index < strong ? undefined : 0.25}>
        <path class="path" d={d} />
      </g>
    );
  });
  const letters = Math.max(4, Math.floor(step / 7));
  const body = [
    // The best on top.
    paths.toReversed(),
    axes.map(({ name, values }, axis) => [
      svgLine(x(axis), TOP, x(axis), FLOOR, 'axis'),
      svgText(x(axis), TOP - 16, truncate(name, letters), 'strong', 'middle'),
      values.map((value, index) =>
        svgText(x(axis) + 5, place(index, values.length) + 4, truncate(String(value), letters), 'name'),
      ),
    ]),
    svgLine(timeAxis, TOP, timeAxis, FLOOR, 'axis'),
    svgText(timeAxis, TOP - 16, 'rank by time', 'strong', 'middle'),
    svgText(timeAxis + 8, TOP + 4, timeText(lines[0]!.outcome.time_ms), 'name'),
    svgText(timeAxis + 8, FLOOR + 4, timeText(lines.at(-1)!.outcome.time_ms), 'name'),
    svgText(LEFT, FLOOR + 28, `${lines.length} measured trials; the fastest ${strong} in colour`),
  ];
  return {
    width: WIDTH,
    height: HEIGHT,
    label: `Values of ${axes.length} tunables in ${lines.length} trials, the fastest set off`,
    body,
  };
}
