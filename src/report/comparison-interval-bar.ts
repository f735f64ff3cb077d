import { signedPercent } from '../model/text/change-text.ts';
import type { CaseComparison, Comparison } from '../model/judge/comparison.ts';
import { padEnd } from './text/plain-text.ts';

/** Draws changes as text: `┊` the thresholds, `│` no change, `├──●──┤` the interval and the estimate. */
export class IntervalBar {
  readonly cells: number;
  readonly #domain: { readonly low: number; readonly high: number };
  readonly #thresholds: Comparison['thresholds'];

  constructor(comparison: Comparison, cells: number) {
    this.cells = cells;
    // Only what matters for the verdict: cells are few, and the numbers stand beside the bar.
    const { regression_pct, improvement_pct } = comparison.thresholds;
    this.#domain = { low: -2 * regression_pct, high: 1.6 * improvement_pct };
    this.#thresholds = comparison.thresholds;
  }

  /** What stands above the bars: the thresholds and zero at their places. */
  header(): string {
    const { regression_pct, improvement_pct } = this.#thresholds;
    let line = '';
    for (const pct of [-regression_pct, 0, improvement_pct]) {
      const text = pct === 0 ? '0' : signedPercent(pct).replace(/\.0+$/u, '');
      const start = this.#cell(pct) - Math.floor(text.length / 2);
      // Labels that would touch are left out, the first one stays.
      if (start > line.length || line === '') line = padEnd(line, start) + text;
    }
    return padEnd(line, this.cells);
  }

  bar(one: CaseComparison): string {
    const cells = Array.from({ length: this.cells }, () => ' ');
    const { regression_pct, improvement_pct } = this.#thresholds;
    cells[this.#cell(-(one.threshold_pct ?? regression_pct))] = '┊';
    cells[this.#cell(improvement_pct)] = '┊';
    cells[this.#cell(0)] = '│';
    if (one.state === 'estimated') this.#draw(cells, one.change_pct, one.ci_pct);
    return cells.join('');
  }

  #draw(cells: string[], change: number, [low, high]: readonly [number, number]): void {
    const { low: least, high: most } = this.#domain;
    const [from, to] = [this.#cell(low), this.#cell(high)];
    for (let cell = from; cell <= to; cell++) cells[cell] = '─';
    cells[from] = '├';
    cells[to] = '┤';
    if (change >= least && change <= most) cells[this.#cell(change)] = '●';
    if (low < least) cells[0] = '◂';
    if (high > most) cells[this.cells - 1] = '▸';
  }

  #cell(pct: number): number {
    const { low, high } = this.#domain;
    const share = (pct - low) / (high - low);
    return Math.min(this.cells - 1, Math.max(0, Math.round(share * (this.cells - 1))));
  }
}
