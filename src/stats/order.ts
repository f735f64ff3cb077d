import { radixSort } from './radix-sort.ts';

/** A copy in ascending order. Rejects what has no order or no meaning here: nothing at all, NaN, infinities. */
export function sorted(values: ArrayLike<number>): Float64Array {
  if (values.length === 0) throw new RangeError('a statistic of no values is undefined');
  const ascending = radixSort(new Float64Array(values));
  // Sorting puts infinities and NaN at the ends, so two looks are enough.
  for (const end of [ascending[0]!, ascending[ascending.length - 1]!]) {
    if (!Number.isFinite(end)) throw new RangeError(`a statistic needs finite values, not ${end}`);
  }
  return ascending;
}

/** A copy in the given order, with the same refusals. */
export function finiteCopy(values: ArrayLike<number>): Float64Array {
  if (values.length === 0) throw new RangeError('a statistic of no values is undefined');
  const copy = new Float64Array(values);
  for (const value of copy) {
    if (!Number.isFinite(value)) throw new RangeError(`a statistic needs finite values, not ${value}`);
  }
  return copy;
}

/**
 * Moves the value that belongs at `rank` in ascending order to that place, smaller ones before it, larger ones
 * behind: Hoare's FIND ("Algorithm 65", CACM 4(7), 1961) with the middle element as pivot. Linear on average,
 * where a sort of the same array costs several times as much.
 */
export function selectInPlace(values: Float64Array, rank: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1]!;
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i > j) break;
      const swap = values[i]!;
      values[i++] = values[j]!;
      values[j--] = swap;
    }
    if (rank <= j) high = j;
    else if (rank >= i) low = i;
    else break;
  }
  return values[rank]!;
}
