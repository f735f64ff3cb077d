/**
 * 200 sessions of a year whose truth is known, ranked by the decision model, by the rules alone and by an oracle:
 * `simulated-year [--seeds 200] [--sessions 200] [--seed 1] [--ablations] [--only TEXT,TEXT] [--svg FILE]`;
 * `--only` takes the scenarios whose names contain one of the texts. Prints Markdown for
 * docs/results/advice.md.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { ABLATIONS, learning, ORACLE, STATIC, type Contender } from './simulated-year/contenders.ts';
import { drawYear } from './simulated-year/picture.tsx';
import { ablationTable, byMonth, scenarioTable } from './simulated-year/report.ts';
import { SCENARIOS } from './simulated-year/scenarios.ts';
import { score } from './simulated-year/score.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    sessions: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    ablations: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    svg: { type: 'string' },
  },
});
const options = {
  seeds: Number(values.seeds),
  sessions: Number(values.sessions),
  seed: Number(values.seed),
};
const LEARNING = learning('learning');
const scenarios = SCENARIOS.filter(({ name }) => values.only.split(',').some((text) => name.includes(text)));

if (values.ablations) {
  const contenders: readonly Contender[] = [STATIC, LEARNING, ...ABLATIONS];
  const scored = scenarios.map((scenario) => score(scenario, contenders, { ...options, predicts: false }));
  console.log(ablationTable(scored));
} else {
  const scored = scenarios.map((scenario) =>
    score(scenario, [STATIC, LEARNING, ORACLE], { ...options, predicts: true }),
  );
  console.log(`${options.seeds} years of ${options.sessions} sessions each; ± is a 95 % interval\n`);
  console.log(byMonth(scored[0]!));
  console.log(`\n${scenarioTable(scored)}`);
  if (values.svg !== undefined) writeFileSync(values.svg, drawYear(scored[0]!));
}
