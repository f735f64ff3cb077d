/** What can come of a try, and what differs by it. Without a schema library: the dashboard loads this. */
import type { Result, Tone } from '../judge/verdict.ts';

export const TRY_OUTCOMES = [
  'improved',
  'corrected',
  'no-gain',
  'worse',
  'undecided',
  'incorrect',
  'failed',
] as const;
export type TryOutcome = (typeof TRY_OUTCOMES)[number];

interface TryOutcomeRow {
  readonly result: Result;
  readonly tone: Tone;
  readonly mark: string;
  /** As people read it. */
  readonly text: string;
}

export const TRY_OUTCOME: Readonly<Record<TryOutcome, TryOutcomeRow>> = {
  improved: { result: 'good', tone: 'good', mark: '▲', text: 'improved' },
  // The state before it was wrong, and this one is right: what it takes is nothing to hold against it.
  corrected: { result: 'good', tone: 'good', mark: '✓', text: 'corrected' },
  // A change that brings nothing is not a failure of the command.
  'no-gain': { result: 'good', tone: 'plain', mark: '=', text: 'no gain' },
  worse: { result: 'bad', tone: 'bad', mark: '✗', text: 'worse' },
  undecided: { result: 'undecided', tone: 'warn', mark: '?', text: 'undecided' },
  incorrect: { result: 'bad', tone: 'bad', mark: '‼', text: 'incorrect' },
  failed: { result: 'bad', tone: 'bad', mark: '✗', text: 'failed' },
};
