import type { VNode } from 'preact';

import { Style } from '../../src/report/markup.tsx';
import { figureFile } from '../../src/report/svg/figure-file.tsx';
import { svgLine, svgText } from '../../src/report/svg/figure.tsx';
import { at, linearScale } from '../../src/report/svg/scale.ts';
import type { SessionScore } from './run-year.ts';
import { estimate, type ContenderYears, type Scored } from './score.ts';

const WIDTH = 940;
const HEIGHT = 340;
const PANEL = 380;
const LEFT = 56;
const GAP = 90;
const TOP = 44;
const BOTTOM = 52;
const STYLE = `
.figure .line { fill: none; stroke-width: 2; stroke: var(--side-ink, var(--own)); }
.figure text.line-name { fill: var(--side-ink, var(--own)); font-weight: 600; }
`;
/** Sessions a point. */
const STEP = 10;

interface Line {
  readonly name: string;
  readonly classes: string;
  readonly years: ContenderYears;
  readonly value: (session: SessionScore) => number;
  /** Its name stands under it. */
  readonly isLower: boolean;
  /** Of the estimate that is drawn. */
  readonly shown?: (mean: number) => number;
}

/** Hit rate over sessions on the left, prediction error on the right. */
export function drawYear({ contenders }: Scored): string {
  const [rules, learner] = [contenders[0]!, contenders[1]!];
  const hits = (name: string, classes: string, years: ContenderYears, isLower: boolean): Line => ({
    name,
    classes,
    years,
    isLower,
    value: ({ hit }) => (hit ? 100 : 0),
  });
  const shown = Math.exp;
  const left = panel(LEFT, 'the fix ranked first is the best one, % of sessions', [40, 100], 20, [
    hits('learning', 'head', learner, false),
    hits('rules alone', 'base', rules, true),
  ]);
  const right = panel(LEFT + PANEL + GAP, 'predictions are off by a factor of', [1, 2], 0.25, [
    {
      name: 'minutes',
      isLower: true,
      classes: 'head',
      years: learner,
      value: ({ minutesOff }) => Math.abs(minutesOff),
      shown,
    },
    {
      name: 'speed-up',
      isLower: false,
      classes: 'tone-good',
      years: learner,
      value: ({ speedupOff }) => Math.abs(speedupOff),
      shown,
    },
  ]);
  return figureFile({
    width: WIDTH,
    height: HEIGHT,
    label: 'A simulated year: hit rate and prediction error over sessions',
    body: [<Style css={STYLE} />, left, right],
  });
}

function panel(
  left: number,
  title: string,
  [low, high]: readonly [number, number],
  step: number,
  lines: readonly Line[],
): VNode[] {
  const sessions = lines[0]!.years.years[0]!.length;
  const x = linearScale([0, sessions], [left, left + PANEL]);
  const y = linearScale([low, high], [HEIGHT - BOTTOM, TOP]);
  const parts = [svgText(left, TOP - 20, title, 'name')];
  for (let tick = low; tick <= high + 1e-9; tick += step) {
    parts.push(svgLine(left, y(tick), left + PANEL, y(tick), 'grid'));
    parts.push(svgText(left - 8, y(tick) + 4, String(Number(tick.toFixed(2))), '', 'end'));
  }
  for (let tick = 0; tick <= sessions; tick += sessions / 4) {
    parts.push(svgText(x(tick), HEIGHT - BOTTOM + 18, String(tick), '', 'middle'));
  }
  parts.push(svgText(left + PANEL / 2, HEIGHT - BOTTOM + 38, 'sessions recorded', '', 'middle'));
  for (const { name, classes, years, value, isLower, shown = (mean: number) => mean } of lines) {
    const points = Array.from({ length: Math.floor(sessions / STEP) }, (_, block) => {
      const { mean } = estimate(years, value, (_session, n) => Math.floor(n / STEP) === block);
      return [x((block + 0.5) * STEP), y(Math.min(high, Math.max(low, shown(mean))))] as const;
    });
    const path = points.map(([px, py], n) => `${n === 0 ? 'M' : 'L'}${at(px)} ${at(py)}`).join('');
    const [lastX, lastY] = points.at(-1)!;
    parts.push(
      <g class={classes}>
        <path class="line" d={path} />
        {svgText(lastX, lastY + (isLower ? 20 : -10), name, 'line-name', 'end')}
      </g>,
    );
  }
  return parts;
}
