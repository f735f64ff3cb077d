/** An assistant pays for every byte that it reads: lists are cut and say so, and no result is larger than a limit. */

/** About 12,000 tokens; with the copy for clients that read text only, a result is twice this. */
const MOST_RESULT_BYTES = 48 * 1024;

export interface CutList<Item> {
  items: Item[];
  total: number;
  more?: string | undefined;
}

/** @param more how to see the rest, where there is a rest */
export function cutList<Item>(all: readonly Item[], limit: number, more: string): CutList<Item> {
  const items = all.slice(0, limit);
  return { items, total: all.length, ...(all.length > limit ? { more } : {}) };
}

const CUT = 'Truncated to keep the answer short: ask for less.';

/** Cuts the largest list to half until the whole fits. */
export function fitResult<Value extends object>(value: Value, limit_bytes = MOST_RESULT_BYTES): Value {
  for (;;) {
    if (sizeOf(value) <= limit_bytes) return value;
    const largest = listsIn(value)
      .filter(({ items }) => items.length > 0)
      .toSorted((one, other) => sizeOf(other) - sizeOf(one))[0];
    if (largest === undefined) return value;
    largest.items.length = Math.floor(largest.items.length / 2);
    largest.more ??= CUT;
  }
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function listsIn(value: unknown): CutList<unknown>[] {
  if (value === null || typeof value !== 'object') return [];
  const below = Object.values(value).flatMap(listsIn);
  return isList(value) ? [value, ...below] : below;
}

function isList(value: object): value is CutList<unknown> {
  return 'items' in value && Array.isArray(value.items) && 'total' in value;
}
