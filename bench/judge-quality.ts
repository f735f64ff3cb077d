/**
 * How often `pawl judge` is wrong where the truth is known: `judge-quality [FILE…] [--draws 2000] [--seed 1]
 * [--samples 20] [--processes 24] [--json]`. FILE is of the form of bench/data/h200-attention.json; the default is both
 * files of bench/data. `--synthetic` makes processes up instead.
 *
 * Processes are drawn with replacement for either side, and 20 samples in a row of each, as a judgement takes them; the
 * judge's own plan of looks and its own rule decide when it ends and what is said. Exits with 1 where a target is
 * missed: unchanged code called faster in more than 0.5 % of all draws, code 5 % faster called so in fewer than 95 %.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { JUDGE_DEFAULTS } from '../src/judge/judge-policy.ts';
import { judgementPlan } from '../src/judge/judgement-plan.ts';
import { locations } from '../src/judge/process-summary.ts';
import { gainOf } from '../src/judge/reward.ts';
import { decideAtLook, SequentialJudge } from '../src/judge/sequential.ts';
import type { Comparison } from '../src/model/judge/comparison.ts';
import { SAMPLES_SCHEMA, type Samples } from '../src/model/measure/samples.ts';
import { nextBelow, Xoshiro128, type Random } from '../src/stats/random.ts';
import { readKnownTruth, type KnownTruth } from './gate-quality/known-truth.ts';
import { table } from './gate-quality/markdown.ts';
import { syntheticTruth } from './gate-quality/synthetic.ts';

/** Seen from .bench/bench, where this is compiled to. */
const FILES = ['h200-attention.json', 'h200-kernels.json'].map((name) =>
  fileURLToPath(new URL(`../../bench/data/${name}`, import.meta.url)),
);
const SYNTHETIC_PROCESSES = 500;
const TARGETS = { falselyFaster: 0.005, foundFaster: 0.95, fasterPct: 5 };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    draws: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    samples: { type: 'string', default: '20' },
    processes: { type: 'string', default: '24' },
    synthetic: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const draws = Number(values.draws);
const taken = Number(values.samples);
const plan = judgementPlan(Number(values.processes));
const random = new Xoshiro128(Number(values.seed));

/** The series of one case, by how much slower they were made. */
type Pool = ReadonlyMap<number, readonly (readonly number[])[]>;

interface Row {
  readonly case: string;
  /** How much faster the candidate is: `injected` of the baseline. Negative: the candidate is the slower one. */
  readonly truth_pct: number;
  readonly shares: Readonly<Record<'improved' | 'maintained' | 'regressed' | 'undecided', number>>;
  /** How often the reward is above the true speed-up. */
  readonly overpaid: number;
  /** Median and largest of reward ÷ true speed-up. */
  readonly paid: number;
  readonly most_paid: number;
  /** Mean processes per side. */
  readonly processes: number;
}

function poolsOf({ series }: KnownTruth): Map<string, Pool> {
  const pools = new Map<string, Map<number, number[][]>>();
  for (const { case: name, injected_slowdown_pct, samples_ms } of series) {
    const pool = pools.get(name) ?? new Map<number, number[][]>();
    pool.set(injected_slowdown_pct, [...(pool.get(injected_slowdown_pct) ?? []), samples_ms]);
    pools.set(name, pool);
  }
  return pools;
}

/** Samples of one process, as a judgement takes them. */
function drawProcess(pool: readonly (readonly number[])[], source: Random): number[] {
  const series = pool[nextBelow(source, pool.length)]!;
  const start = nextBelow(source, Math.max(1, series.length - taken + 1));
  return series.slice(start, start + taken);
}

const LEVELS = ['fastest', 'median'] as const;

/** The mean level of all that can be drawn, as a logarithm. */
function levelOf(pool: readonly (readonly number[])[], level: (typeof LEVELS)[number]): number {
  const levels = pool.flatMap((series) =>
    Array.from({ length: Math.max(1, series.length - taken + 1) }, (_, start) => {
      const found = locations(series.slice(start, start + taken));
      return found[level] ?? found.median;
    }),
  );
  return levels.reduce((sum, one) => sum + one, 0) / levels.length;
}

function samplesOf(processes: readonly number[][]): Samples {
  const series = processes.map((samples_ms, at) => ({ process: at + 1, samples_ms }));
  return { schema: SAMPLES_SCHEMA, measurements: [{ kernel: 'candidate', case: 'case', series }] };
}

function judgeOnce(
  base: readonly (readonly number[])[],
  head: readonly (readonly number[])[],
): { readonly comparison: Comparison; readonly processes: number } {
  const judge = new SequentialJudge(JUDGE_DEFAULTS, plan);
  const [before, after]: [number[][], number[][]] = [[], []];
  for (;;) {
    before.push(drawProcess(base, random));
    after.push(drawProcess(head, random));
    if (!judge.isDue(before.length)) continue;
    const { comparison } = judge.look({ base: samplesOf(before), head: samplesOf(after) });
    const stop = decideAtLook(comparison, { plan, looks: judge.looks, budgetSpent: false });
    if (stop !== undefined) return { comparison, processes: before.length };
  }
}

function rowOf(name: string, pool: Pool, injected: number, isFaster: boolean): Row {
  const [slow, plain] = [pool.get(injected)!, pool.get(0)!];
  // What was planted is known to a third of a point; what the series have, exactly. By the level that the verdict rests
  // on, which may be either.
  const [before, after] = isFaster ? [slow, plain] : [plain, slow];
  const ratios = LEVELS.map((level) => Math.exp(levelOf(before, level) - levelOf(after, level)));
  const speedup = Math.max(...ratios);
  const counts = { improved: 0, maintained: 0, regressed: 0, undecided: 0 };
  const paid: number[] = [];
  let processes = 0;
  for (let draw = 0; draw < draws; draw++) {
    const judged = isFaster ? judgeOnce(slow, plain) : judgeOnce(plain, slow);
    const [row] = judged.comparison.cases;
    counts[row!.verdict as keyof typeof counts] += 1;
    paid.push((gainOf(row!)?.reward ?? 0) / speedup);
    processes += judged.processes;
  }
  const share = (count: number): number => count / draws;
  return {
    case: name,
    truth_pct: isFaster ? injected : -injected,
    shares: {
      improved: share(counts.improved),
      maintained: share(counts.maintained),
      regressed: share(counts.regressed),
      undecided: share(counts.undecided),
    },
    overpaid: share(paid.filter((one) => one > 1).length),
    paid: paid.toSorted((one, other) => one - other)[Math.floor(paid.length / 2)]!,
    most_paid: Math.max(...paid),
    processes: processes / draws,
  };
}

const truths = values.synthetic
  ? [syntheticTruth(random, SYNTHETIC_PROCESSES)]
  : (positionals.length > 0 ? positionals : FILES).map(readKnownTruth);
const rows = truths.flatMap((truth) =>
  [...poolsOf(truth)].flatMap(([name, pool]) =>
    [...pool.keys()]
      .toSorted((one, other) => one - other)
      .flatMap((injected) =>
        injected === 0
          ? [rowOf(name, pool, 0, true)]
          : [rowOf(name, pool, injected, true), rowOf(name, pool, injected, false)],
      ),
  ),
);

const mean = (picked: readonly Row[], of: (row: Row) => number): number =>
  picked.reduce((sum, row) => sum + of(row), 0) / picked.length;
const unchanged = rows.filter(({ truth_pct }) => truth_pct === 0);
const faster = rows.filter(({ truth_pct }) => truth_pct === TARGETS.fasterPct);
const falselyFaster = mean(unchanged, ({ shares }) => shares.improved);
const foundFaster = mean(faster, ({ shares }) => shares.improved);
const overpaid = mean(rows, (row) => row.overpaid);

const pct = (share: number): string => (100 * share).toFixed(2);
if (values.json) {
  console.log(JSON.stringify({ draws, plan, rows, falselyFaster, foundFaster, overpaid }, undefined, 2));
} else {
  console.log(
    `Looks at ${plan.looks.join(', ')} processes per side, ${taken} samples each, ${draws} draws per row.\n`,
  );
  const head = [
    'case',
    'truth, %',
    'improved',
    'maintained',
    'regressed',
    'undecided',
    'overpaid',
    'paid',
    'most',
    'processes',
  ];
  const cells = rows.map(({ case: name, truth_pct, shares, overpaid: over, paid, most_paid, processes }) => [
    name,
    String(truth_pct),
    pct(shares.improved),
    pct(shares.maintained),
    pct(shares.regressed),
    pct(shares.undecided),
    pct(over),
    paid.toFixed(3),
    most_paid.toFixed(3),
    processes.toFixed(1),
  ]);
  console.log(table(head, cells).join('\n'));
  console.log(
    `\nUnchanged, called faster: ${pct(falselyFaster)} % (at most ${pct(TARGETS.falselyFaster)} %)`,
  );
  console.log(
    `${TARGETS.fasterPct} % faster, called faster: ${pct(foundFaster)} % (at least ${pct(TARGETS.foundFaster)} %)`,
  );
  console.log(`Reward above the true speed-up: ${pct(overpaid)} %`);
}
const isMissed = falselyFaster > TARGETS.falselyFaster || foundFaster < TARGETS.foundFaster;
if (isMissed && !values.synthetic) process.exitCode = 1;
