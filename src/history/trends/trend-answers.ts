import type { History, TrendWindow } from '../history.ts';
import { currentChanges, type CurrentChanges } from './current-changes.ts';
import { trendOf } from './trend-of.ts';
import { withChanges } from './with-changes.ts';
import type { Release } from './trend-marks.ts';
import type { Overview, Trend } from '../../model/history/history.ts';

/**
 * An overview does not wait longer than this for changes to be found: after a large upload that takes seconds. It is
 * then answered with those that are known, and says of how many keys they may be old.
 */
const PATIENCE_MS = 150;

/** The store's answers with what the trends add to them. */
export class TrendAnswers {
  #changes: CurrentChanges = {
    changes: new Map(),
    newest: new Map(),
    bimodal: new Set(),
    pending: new Set(),
  };
  #pending = 0;
  #finding: Promise<void> | undefined;

  trend(
    history: History,
    key: string,
    window: TrendWindow,
    releases: readonly Release[] = [],
  ): Promise<Trend | undefined> {
    return trendOf(history, key, window, releases);
  }

  async overview(
    history: History,
    window: { readonly since: Date; readonly until: Date },
  ): Promise<Overview> {
    const overview = await history.overview(window);
    await this.#find(history);
    const told = withChanges(overview, this.#changes);
    return this.#pending === 0 ? told : { ...told, trends_pending: this.#pending };
  }

  /** One search at a time. Its failure fails those who wait for it; others have the changes they had. */
  async #find(history: History): Promise<void> {
    this.#finding ??= this.#findNow(history);
    const finding = this.#finding;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS);
    });
    // It may fail when no one waits for it any more.
    finding.catch(() => undefined);
    try {
      await Promise.race([finding, patience]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #findNow(history: History): Promise<void> {
    try {
      this.#changes = await currentChanges(history, {
        onKnown: (changes, left) => {
          this.#changes = changes;
          this.#pending = left;
        },
      });
      this.#pending = 0;
    } finally {
      this.#finding = undefined;
    }
  }
}
