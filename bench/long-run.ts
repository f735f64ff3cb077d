/**
 * How often a gate fails falsely over 200 commits that change nothing:
 * `long-run [--sequences 2000] [--commits 200] [--k 10] [--seed 1] [--json]`. Processes differ lognormally by 1 and
 * 2 %. Prints Markdown, or JSON; exits with 1 when our own gate fails 1 % of the sequences or more at 1 % noise.
 */
import { parseArgs } from 'node:util';

import { decide } from '../src/judge/decide.ts';
import type { Outcome } from '../src/judge/decide.ts';
import { estimateCase } from '../src/judge/estimate-case.ts';
import { JUDGE_DEFAULTS, limitsOf } from '../src/judge/judge-policy.ts';
import type { ProcessSummary } from '../src/judge/process-summary.ts';
import { normalQuantile } from '../src/stats/normal.ts';
import { median } from '../src/stats/quantile.ts';
import { Xoshiro128 } from '../src/stats/random.ts';
import { percent, table } from './gate-quality/markdown.ts';

/** Measures the same code once more, in so many fresh processes: logarithms of their levels. */
type Measure = (processes: number) => number[];

interface Run {
  /** Commits that the gate failed. */
  failures: number;
  undecided: number;
}

interface Gate {
  readonly name: string;
  readonly run: (measure: Measure, commits: number) => Run;
}

const LIMITS = limitsOf(JUDGE_DEFAULTS);

/** Fails what is 3 % slower than the fastest measurement ever seen. */
function bestEver(processes: number): Gate {
  return {
    name: `best ever, median of ${processes}`,
    run: (measure, commits) => {
      let best = median(measure(processes));
      let failures = 0;
      for (let commit = 0; commit < commits; commit++) {
        const now = median(measure(processes));
        if (now > best + LIMITS.slowdown) failures++;
        best = Math.min(best, now);
      }
      return { failures, undecided: 0 };
    },
  };
}

/** Fails what is 3 % slower than a stored number, which a measurement 5 % faster replaces. */
function storedMedian(processes: number): Gate {
  return {
    name: `stored median of ${processes}`,
    run: (measure, commits) => {
      let stored = median(measure(processes));
      let failures = 0;
      for (let commit = 0; commit < commits; commit++) {
        const now = median(measure(processes));
        if (now > stored + LIMITS.slowdown) failures++;
        if (now < stored - LIMITS.gain) stored = now;
      }
      return { failures, undecided: 0 };
    },
  };
}

/**
 * Ours: the baseline is stored series. A suspected regression fails only if fresh processes of both sides say so
 * again, and the baseline advances only if they confirm the improvement.
 */
function ratchet(processes: number): Gate {
  return {
    name: `pawl, ${processes} processes per side`,
    run: (measure, commits) => {
      let baseline = measure(processes);
      const run: Run = { failures: 0, undecided: 0 };
      for (let commit = 0; commit < commits; commit++) {
        const first = verdict(baseline, measure(processes));
        if (first === 'undecided') run.undecided++;
        if (first !== 'regressed' && first !== 'improved') continue;
        const fresh = measure(processes);
        const confirmed = verdict(measure(processes), fresh);
        if (first === 'regressed' && confirmed === 'regressed') run.failures++;
        if (first === 'improved' && confirmed === 'improved') baseline = fresh;
      }
      return run;
    },
  };
}

function verdict(baseline: readonly number[], candidate: readonly number[]): Outcome {
  const shifts = estimateCase(baseline.map(asProcess), candidate.map(asProcess));
  return decide(shifts, LIMITS, LIMITS.alpha, 1).outcome;
}

function asProcess(level: number): ProcessSummary {
  return { time: { fastest: level, median: level, tail: undefined }, cycles: undefined };
}

const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '2000' },
    commits: { type: 'string', default: '200' },
    k: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});
const sequences = Number(values.sequences);
const commits = Number(values.commits);
const k = Number(values.k);
const random = new Xoshiro128(Number(values.seed));

const results = [0.01, 0.02].flatMap((noise) => {
  const measure: Measure = (processes) =>
    Array.from({ length: processes }, () => noise * normalQuantile(random.nextOpen()));
  return [bestEver(1), bestEver(k), storedMedian(1), storedMedian(k), ratchet(k)].map((gate) => {
    const runs = Array.from({ length: sequences }, () => gate.run(measure, commits));
    const share = (count: (run: Run) => number): number =>
      runs.reduce((sum, run) => sum + count(run), 0) / sequences;
    return {
      noise_pct: 100 * noise,
      gate: gate.name,
      sequences_failed: share(({ failures }) => (failures > 0 ? 1 : 0)),
      commits_failed: share(({ failures }) => failures / commits),
      commits_undecided: share(({ undecided }) => undecided / commits),
    };
  });
});

if (values.json) {
  console.log(JSON.stringify({ sequences, commits, k, seed: Number(values.seed), results }, undefined, 2));
} else {
  const rows = results.map((one) => [
    `${one.noise_pct} %`,
    one.gate,
    percent(one.sequences_failed),
    percent(one.commits_failed),
    percent(one.commits_undecided),
  ]);
  const header = [
    'process noise',
    'gate',
    'sequences with a false failure, %',
    'commits failed, %',
    'commits undecided, %',
  ];
  console.log(`${sequences} sequences of ${commits} commits that change nothing\n`);
  console.log(table(header, rows).join('\n'));
}
const ours = results.find(({ noise_pct, gate }) => noise_pct === 1 && gate.startsWith('pawl'));
if (ours !== undefined && ours.sequences_failed >= 0.01) process.exitCode = 1;
