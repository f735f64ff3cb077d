import { findChanges } from '../../history/trends/find-changes.ts';
import type { TrendChange } from '../../model/history.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { OnProgress } from '../../model/progress.ts';
import { openHistory } from '../history.ts';

/** The changes of a case that history knows, on whatever device. A history that does not answer is no reason to stop. */
export async function changesInHistory(
  key: { readonly kernel: string; readonly case: string; readonly mode?: string },
  options: { readonly config?: string; readonly store?: string; readonly onProgress: OnProgress },
): Promise<readonly TrendChange[]> {
  try {
    const history = await openHistory(options);
    try {
      const found: TrendChange[] = [];
      for (const { id } of await history.keys(key)) {
        found.push(...findChanges((await history.trendPoints(id))?.points ?? []));
      }
      return found;
    } finally {
      await history.close();
    }
  } catch (error) {
    if (!(error instanceof PawlError)) throw error;
    const text = `bisect: the history is not asked where to look first: ${error.message}`;
    options.onProgress({ type: 'note', level: 'warning', text });
    return [];
  }
}
