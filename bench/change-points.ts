/**
 * Finds changes in series whose truth is known, ours beside Apache Otava's: `change-points [--draws 200] [--seed 1]
 * [--delays 40] [--json]`. Prints Markdown for docs/results/change-points.md, or JSON.
 */
import { parseArgs } from 'node:util';

import { median } from '../src/stats/quantile.ts';
import { levelShifts } from '../src/stats/level-shifts.ts';
import { otavaChangePoints } from './change-points/otava.ts';
import { score, type Detector, type Score } from './change-points/score.ts';
import { SCENARIOS } from './change-points/series.ts';
import { table } from './gate-quality/markdown.ts';

const { values } = parseArgs({
  options: {
    draws: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    delays: { type: 'string', default: '40' },
    json: { type: 'boolean', default: false },
  },
});
const options = { draws: Number(values.draws), seed: Number(values.seed), delays: Number(values.delays) };

const DETECTORS: readonly Detector[] = [
  {
    name: 'pawl',
    detect: ({ times, errors, hosts }) => {
      const { shifts } = levelShifts(
        times.map(Math.log),
        errors,
        hosts === undefined ? {} : { groups: hosts },
      );
      return {
        steps: shifts.filter(({ kind }) => kind === 'step').map(({ index }) => index),
        creeps: shifts.filter(({ kind }) => kind === 'creep').length,
      };
    },
  },
  otava('otava', 0.001),
  otava('otava, p 10⁻⁵', 0.00001),
];

/** Window and magnitude are Otava's defaults; so is 0.001. */
function otava(name: string, maxP: number): Detector {
  return {
    name,
    detect: ({ times }) => ({
      steps: otavaChangePoints(times, { maxP, window: 50, minMagnitude: 0 }),
      creeps: 0,
    }),
  };
}

const scores = SCENARIOS.flatMap((scenario) => score(scenario, DETECTORS, options));
if (values.json) console.log(JSON.stringify(scores, undefined, 2));
else console.log(markdown(scores));

function markdown(all: readonly Score[]): string {
  const names = DETECTORS.map(({ name }) => name);
  const header = [
    'series',
    ...names.map((name) => `found, %: ${name}`),
    ...names.map((name) => `false per 100 series: ${name}`),
    ...names.map((name) => `delay: ${name}`),
    'at the very value, %: pawl, otava',
    'creep said, %: pawl',
  ];
  const rows = SCENARIOS.map(({ name }) => rowOf(all.filter((one) => one.scenario === name)));
  return table(header, rows).join('\n');
}

function rowOf(own: readonly Score[]): string[] {
  const [ours, theirs] = [own[0]!, own[1]!];
  return [
    ours.scenario,
    ...own.map((one) => share(one.found, one.true_steps)),
    ...own.map((one) => ((100 * one.false_steps) / one.series).toFixed(1)),
    ...own.map(({ delays }) => (delays.length === 0 ? '' : String(Math.round(median(delays))))),
    ours.true_steps === 0
      ? ''
      : `${share(ours.exact, ours.true_steps)}, ${share(theirs.exact, theirs.true_steps)}`,
    share(ours.creeps, ours.series),
  ];
}

function share(part: number, whole: number): string {
  return whole === 0 ? '' : ((100 * part) / whole).toFixed(0);
}
