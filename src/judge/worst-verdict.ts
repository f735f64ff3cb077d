import type { Verdict } from '../model/comparison.ts';
import { VERDICTS } from '../model/comparison.ts';

/** The verdict of all cases together is that of the worst; there is at least one. */
export function worstVerdict(cases: readonly { readonly verdict: Verdict }[]): Verdict {
  return VERDICTS[Math.max(...cases.map(({ verdict }) => VERDICTS.indexOf(verdict)))]!;
}
