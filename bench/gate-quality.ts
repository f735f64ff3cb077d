/**
 * Scores decision rules where the truth is known: `gate-quality [FILE] [--draws 2000] [--k 10] [--seed 1] [--rule NAME]
 * [--json]`. FILE is of the form of bench/data/h200-attention.json, the default; `--synthetic` makes processes up
 * instead; `--rule` takes only the rules whose names begin so; `--sequential` runs the gate as `pawl check` does, looking
 * at six processes per side and more, up to `--most` (24).
 * Prints Markdown, or JSON; exits with 1 when our own rule misses a target at the default k of 10.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { Xoshiro128 } from '../src/stats/random.ts';
import { readKnownTruth } from './gate-quality/known-truth.ts';
import { scoreTables, table } from './gate-quality/markdown.ts';
import { RULES } from './gate-quality/rules.ts';
import { scoreRules } from './gate-quality/score.ts';
import { sequentialTable, sequentialTargets } from './gate-quality/sequential-table.ts';
import { scoreSequentially } from './gate-quality/sequential.ts';
import { syntheticTruth } from './gate-quality/synthetic.ts';
import { verifyTargets } from './gate-quality/targets.ts';

/** Seen from .bench/bench, where this is compiled to. */
const DEFAULT_FILE = fileURLToPath(new URL('../../bench/data/h200-attention.json', import.meta.url));

/** Enough that drawing without replacement is nearly drawing afresh. */
const SYNTHETIC_PROCESSES = 500;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    draws: { type: 'string', default: '2000' },
    k: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    rule: { type: 'string', default: '' },
    synthetic: { type: 'boolean', default: false },
    sequential: { type: 'boolean', default: false },
    most: { type: 'string', default: '24' },
    json: { type: 'boolean', default: false },
  },
});

const draws = Number(values.draws);
const k = Number(values.k);
const random = new Xoshiro128(Number(values.seed));
const truth = values.synthetic
  ? syntheticTruth(random, SYNTHETIC_PROCESSES)
  : readKnownTruth(positionals[0] ?? DEFAULT_FILE);
if (values.sequential) {
  const scored = scoreSequentially(truth, { draws, random, maxProcesses: Number(values.most) });
  console.log(sequentialTable(scored, draws));
  process.exit(sequentialTargets(scored) ? 0 : 1);
}
const rules = RULES.filter(({ name }) => name.startsWith(values.rule));
const scores = scoreRules(truth, rules, { k, draws, random });
const targets = values.synthetic || k !== 10 ? [] : verifyTargets(scores);

if (values.json) {
  console.log(JSON.stringify({ k, draws, seed: Number(values.seed), scores, targets }, undefined, 2));
} else {
  console.log(`${k} processes per side, ${draws} draws each; shares of the draws in %\n`);
  console.log(scoreTables(scores));
  if (targets.length > 0) {
    const rows = targets.map(({ case: name, target, measured, met }) => [
      name,
      target,
      measured,
      met ? 'met' : 'MISSED',
    ]);
    console.log(
      ['', '### Our targets', '', ...table(['case', 'target, in %', 'measured', ''], rows)].join('\n'),
    );
  }
}
if (targets.some(({ met }) => !met)) process.exitCode = 1;
