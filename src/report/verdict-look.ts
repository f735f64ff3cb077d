/** Apart from what else is said of comparisons: the dashboard shows verdicts, and need not load that. */
import type { Verdict } from '../model/comparison.ts';

/** How a verdict looks: a mark for tables of text, an emoji where they are customary, a terminal style. */
export interface VerdictLook {
  readonly mark: string;
  readonly emoji: string;
  readonly style: 'red' | 'green' | 'yellow' | 'cyan' | 'dim';
}

export const VERDICT_LOOK: Readonly<Record<Verdict, VerdictLook>> = {
  incorrect: { mark: '‼', emoji: '⛔', style: 'red' },
  regressed: { mark: '✗', emoji: '❌', style: 'red' },
  undecided: { mark: '?', emoji: '❔', style: 'yellow' },
  improved: { mark: '▲', emoji: '✅', style: 'green' },
  maintained: { mark: '✓', emoji: '✔️', style: 'dim' },
  new: { mark: '+', emoji: '🆕', style: 'cyan' },
};
