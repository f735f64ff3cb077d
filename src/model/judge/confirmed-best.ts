/** The best of a study is what a fresh comparison confirmed, never the fastest of many trials, which is partly luck. */
import type { Verdict } from './verdict.ts';

/** What has to be known of a study for it; documents of studies under way have less. */
interface Searched<One extends Confirmed> {
  readonly result?: string | undefined;
  readonly best?: { readonly trial: number } | undefined;
  readonly confirmations?: readonly One[] | undefined;
}

interface Confirmed {
  readonly trial: number;
  readonly verdict: Verdict;
  readonly speedup?: number | undefined;
}

/** The confirmation of the winner; undefined where nothing was shown to be faster. */
export function confirmedBest<One extends Confirmed>({
  result,
  best,
  confirmations = [],
}: Searched<One>): One | undefined {
  if (result !== 'improved') return undefined;
  const faster = confirmations.filter(({ verdict }) => verdict === 'improved');
  return (
    faster.find(({ trial }) => trial === best?.trial) ??
    faster.toSorted((one, other) => (other.speedup ?? 0) - (one.speedup ?? 0))[0]
  );
}
