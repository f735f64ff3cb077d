import type { Score } from './score.ts';

type Shares = Score['shares'];

/** What each rule called, in percent of the draws: a table a case, or for a single rule a line a case. */
export function scoreTables(scores: readonly Score[]): string {
  const cases = distinct(scores.map((score) => score.case));
  const rules = distinct(scores.map(({ rule }) => rule));
  if (rules.length === 1) return scoreTable('case', cases, scores, (score) => score.case);
  return cases
    .map((name) => {
      const own = scores.filter((score) => score.case === name);
      return `### ${name}\n\n${scoreTable('rule', rules, own, ({ rule }) => rule)}`;
    })
    .join('\n\n');
}

function scoreTable(
  title: string,
  rows: readonly string[],
  scores: readonly Score[],
  rowOf: (score: Score) => string,
): string {
  const steps = distinct(scores.map(({ injected_pct }) => injected_pct)).filter((pct) => pct > 0);
  const header = [
    title,
    'unchanged: regressed',
    'unchanged: improved',
    ...steps.map((pct) => `${pct} % slower: regressed`),
    ...steps.map((pct) => `${pct} % swapped: improved`),
    'undecided, most',
    'wrong way, most',
  ];
  const cells = rows.map((row) =>
    rowCells(
      row,
      scores.filter((score) => rowOf(score) === row),
      steps,
    ),
  );
  return table(header, cells).join('\n');
}

function rowCells(row: string, scores: readonly Score[], steps: readonly number[]): string[] {
  /** Blank where this was not planted. */
  const at = (pct: number, direction: Score['direction'], outcome: keyof Shares): string => {
    const found = scores.find((score) => score.injected_pct === pct && score.direction === direction);
    return found === undefined ? '' : percent(found.shares[outcome]);
  };
  return [
    row,
    at(0, 'slower', 'regressed'),
    at(0, 'slower', 'improved'),
    ...steps.map((pct) => at(pct, 'slower', 'regressed')),
    ...steps.map((pct) => at(pct, 'faster', 'improved')),
    percent(Math.max(...scores.map(({ shares }) => shares.undecided))),
    percent(Math.max(0, ...scores.map(wrongWay))),
  ];
}

function wrongWay({ injected_pct, direction, shares }: Score): number {
  if (injected_pct === 0) return 0;
  return direction === 'slower' ? shares.improved : shares.regressed;
}

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [header, header.map((_, column) => (column === 0 ? '---' : '--:')), ...rows].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
}

/** In percent of the draws; nothing at all reads as 0, not as 0.00. */
export function percent(share: number): string {
  if (share === 0 || share === 1) return String(100 * share);
  return (100 * share).toFixed(share < 0.1 || share > 0.9 ? 2 : 1);
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
