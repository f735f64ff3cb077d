import { basename } from 'node:path';

import { replayOf } from '../../src/tune/simulate/listed-space.ts';
import { openSpace } from './open-space.ts';
import { knownTimes, meanBest, performance, randomSearch } from './score.ts';
import type { SearchResult } from './search-job.ts';

/** Trials after which the best is reported as a ratio to the optimum. */
const MILESTONES = [20, 50, 100, 120, 220];

/** Measured by running them from source over ten spaces of the same collection (six where fewer are noted). */
const OTHERS = [
  ['Optuna TPE (multivariate defaults, categorical)', '0.41', '0.55'],
  ['Kernel Tuner, adaptive tabu grey wolf', '0.37', '0.56'],
  ['Kernel Tuner, particle swarm (six spaces)', '0.18', '0.42'],
  ['Kernel Tuner, genetic algorithm', '0.16', '0.37'],
  ['Kernel Tuner, hybrid VNDx (six spaces)', '0.19', '0.40'],
  ['Kernel Tuner, differential evolution (six spaces)', '0.10', '0.23'],
  ['Kernel Tuner, simulated annealing (six spaces)', '0.06', '0.20'],
  ['Kernel Tuner, Bayesian optimisation (six spaces)', 'below 0', 'below 0'],
] as const;

interface Row {
  readonly space: string;
  readonly sampler: string;
  readonly seeds: number;
  /** By budget. */
  readonly performance: Readonly<Record<number, number>>;
  /** Mean best over the optimum, by trials. */
  readonly ratio: Readonly<Record<number, number>>;
  readonly randomRatio: Readonly<Record<number, number>>;
  readonly ask_ms: number;
  readonly slowAsks: number;
}

export async function report(
  results: readonly SearchResult[],
  budgets: readonly number[],
): Promise<{ readonly markdown: string; readonly summary: readonly Row[] }> {
  const spaces = [...new Set(results.map(({ space }) => space))];
  const samplers = [...new Set(results.map(({ sampler }) => sampler))];
  const rows: Row[] = [];
  for (const space of spaces) {
    const times = knownTimes(replayOf(await openSpace(space)).times_ms);
    const trials = Math.max(...budgets);
    const random = randomSearch(times, trials);
    const optimum = times.sorted_ms[0]!;
    for (const sampler of samplers) {
      const runs = results.filter((result) => result.space === space && result.sampler === sampler);
      const best = meanBest(
        runs.map(({ best_ms }) => best_ms),
        times,
        trials,
      );
      const milestones = MILESTONES.filter((trial) => trial <= trials);
      rows.push({
        space: basename(space, '.json'),
        sampler,
        seeds: runs.length,
        performance: Object.fromEntries(
          budgets.map((budget) => [budget, performance(best, random, optimum, budget)]),
        ),
        ratio: Object.fromEntries(milestones.map((trial) => [trial, best[trial - 1]! / optimum])),
        randomRatio: Object.fromEntries(milestones.map((trial) => [trial, random[trial - 1]! / optimum])),
        ask_ms: average(runs.map(({ ask_ms }) => ask_ms)),
        slowAsks: average(runs.map(({ slowAsks }) => slowAsks)),
      });
    }
  }
  return {
    markdown: [...scores(rows, samplers, budgets), ...ratios(rows, samplers)].join('\n'),
    summary: rows,
  };
}

function scores(rows: readonly Row[], samplers: readonly string[], budgets: readonly number[]): string[] {
  const spaces = [...new Set(rows.map(({ space }) => space))];
  const lines = samplers.map((sampler) => {
    const own = rows.filter((row) => row.sampler === sampler);
    const [longest] = budgets.toReversed();
    const cells = [
      ...budgets.map((budget) => average(own.map((row) => row.performance[budget]!)).toFixed(3)),
      ...own.map((row) => row.performance[longest!]!.toFixed(2)),
      average(own.map(({ ask_ms }) => ask_ms)).toFixed(1),
      `${(100 * average(own.map(({ slowAsks }) => slowAsks))).toFixed(1)} %`,
    ];
    return [sampler, ...cells];
  });
  return [
    `Performance score, ${rows[0]?.seeds ?? 0} seeds a space; the columns of single spaces are for the longest budget.`,
    '',
    ...table(
      ['sampler', ...budgets.map((budget) => `P ${budget}`), ...spaces, 'ms an ask', 'asks over 20 ms'],
      lines,
    ),
    '',
    'What others reach:',
    '',
    ...table(['sampler', 'P 120', 'P 220'], OTHERS),
    '',
  ];
}

function ratios(rows: readonly Row[], samplers: readonly string[]): string[] {
  const milestones = Object.keys(rows[0]?.ratio ?? {}).map(Number);
  const spaces = [...new Set(rows.map(({ space }) => space))];
  const line = (space: string, name: string, ratio: Row['ratio']) =>
    [space, name].concat(milestones.map((trial) => ratio[trial]!.toFixed(3)));
  const lines = spaces.flatMap((space) => {
    const own = rows.filter((row) => row.space === space);
    const found = samplers.map((sampler) =>
      line(space, sampler, own.find((row) => row.sampler === sampler)!.ratio),
    );
    return [line(space, 'random (closed form)', own[0]!.randomRatio)].concat(found);
  });
  return [
    'Mean best over the optimum, after so many trials.',
    '',
    ...table(['space', 'sampler', ...milestones.map(String)], lines),
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '--:'))), ...rows.map(line)];
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
