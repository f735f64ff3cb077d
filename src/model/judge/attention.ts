/** Why a case needs attention. Without a schema library: the dashboard loads this. */
import type { BadVerdict, Tone } from './verdict.ts';

export type Attention = BadVerdict | 'creep' | 'unconfirmed' | 'noisy' | 'bimodal' | 'stale';

/** The most urgent first. */
export const ATTENTION: Readonly<Record<Attention, { readonly tone: Tone; readonly meaning: string }>> = {
  incorrect: { tone: 'bad', meaning: 'gives wrong results' },
  regressed: { tone: 'bad', meaning: 'got slower' },
  creep: { tone: 'warn', meaning: 'gets slower gradually, with no single commit as the cause' },
  unconfirmed: { tone: 'warn', meaning: 'is slower at its newest point, which no check has judged yet' },
  noisy: { tone: 'warn', meaning: 'varies too much between processes to detect small changes' },
  bimodal: { tone: 'warn', meaning: 'alternates between two levels, which is not a change' },
  stale: { tone: 'plain', meaning: 'was not measured for a long time' },
};

export const ATTENTION_ORDER = Object.keys(ATTENTION) as readonly Attention[];
