import { percent, table } from './markdown.ts';
import type { SequentialScore } from './sequential.ts';

export function sequentialTable(scores: readonly SequentialScore[], draws: number): string {
  const cases = [...new Set(scores.map((one) => one.case))];
  const slowdowns = [...new Set(scores.map((one) => one.slower_pct))];
  const head = [
    'case',
    ...slowdowns.map((pct) => (pct === 0 ? 'unchanged: regressed' : `${pct} % slower: regressed`)),
    'undecided, most',
    'called improved, most',
    'processes per side, unchanged',
    'changed',
  ];
  const rows = cases.map((name) => {
    const own = scores.filter((one) => one.case === name);
    const at = (pct: number): SequentialScore | undefined => own.find((one) => one.slower_pct === pct);
    const changed = own.filter((one) => one.slower_pct > 0);
    const caught = slowdowns.map((pct) => {
      const shares = at(pct)?.shares;
      return shares === undefined ? '' : percent(shares.regressed);
    });
    return [name].concat(caught, [
      percent(Math.max(...own.map(({ shares }) => shares.undecided))),
      percent(Math.max(...own.map(({ shares }) => shares.improved))),
      at(0)!.processes.toFixed(1),
      changed.length === 0 ? '' : mean(changed.map(({ processes }) => processes)).toFixed(1),
    ]);
  });
  return [`${draws} runs each; shares of the runs in %`, '', ...table(head, rows)].join('\n');
}

/** What the gate promises where a slowdown is as large as its threshold. */
export function sequentialTargets(scores: readonly SequentialScore[]): boolean {
  return scores.every(
    ({ slower_pct, shares }) =>
      shares.undecided <= 0.01 &&
      (slower_pct > 0 || shares.regressed <= 0.001) &&
      (slower_pct < 3 || shares.regressed >= 0.99),
  );
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
