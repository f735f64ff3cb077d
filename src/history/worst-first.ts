import { ATTENTION_ORDER } from '../model/judge/attention.ts';
import type { Overview } from '../model/history/history.ts';

type OverviewKey = Overview['keys'][number];

/** The order of an overview's keys: by what is most urgent of each, then by how much slower it got. */
export function worstFirst(one: OverviewKey, other: OverviewKey): number {
  return rank(one) - rank(other) || (one.change_pct ?? 0) - (other.change_pct ?? 0);
}

function rank({ attention }: OverviewKey): number {
  const found = ATTENTION_ORDER.findIndex((word) => attention.includes(word));
  return found < 0 ? ATTENTION_ORDER.length : found;
}
