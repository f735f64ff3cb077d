import type { History } from '../history.ts';
import { findChanges } from './find-changes.ts';
import type { TrendChange } from '../../model/history/history.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { OnProgress } from '../../model/measure/progress.ts';

/** The changes of a case that history knows, on whatever device. A history that does not answer does not stop it. */
export async function changesInHistory(
  key: { readonly kernel: string; readonly case: string; readonly mode?: string },
  { open, onProgress }: { readonly open: () => Promise<History>; readonly onProgress: OnProgress },
): Promise<readonly TrendChange[]> {
  try {
    const history = await open();
    try {
      const found: TrendChange[] = [];
      for (const { id } of await history.keys(key)) {
        const trend = await history.trendPoints(id);
        found.push(...findChanges(trend?.points ?? [], { settings: trend?.settings ?? [] }));
      }
      return found;
    } finally {
      await history.close();
    }
  } catch (error) {
    if (!(error instanceof PawlError)) throw error;
    const text = `bisect: the history is not used to choose where to look first: ${error.message}`;
    onProgress({ type: 'note', level: 'warning', text });
    return [];
  }
}
