import { sorted } from './order.ts';

/** How the values of two samples compare, over all pairs of one from each. */
export interface PairCounts {
  readonly pairs: number;
  /** Pairs in which the first sample's value is the greater one. */
  readonly greater: number;
  readonly equal: number;
  /** Σ(t³ − t) over the groups of t equal values in both samples together. */
  readonly tieTerm: number;
}

/** Counts all n·m pairs in O((n + m) log (n + m)): both samples sorted, then merged group by group of equal values. */
export function pairCounts(first: ArrayLike<number>, second: ArrayLike<number>): PairCounts {
  const a = sorted(first);
  const b = sorted(second);
  let greater = 0;
  let equal = 0;
  let tieTerm = 0;
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const x = a[i]!;
    const y = b[j]!;
    const value = x < y ? x : y;
    const fromA = i;
    const fromB = j;
    while (i < a.length && a[i] === value) i++;
    while (j < b.length && b[j] === value) j++;
    const inA = i - fromA;
    const inB = j - fromB;
    greater += inA * fromB;
    equal += inA * inB;
    const tied = inA + inB;
    if (tied > 1) tieTerm += tied ** 3 - tied;
  }
  greater += (a.length - i) * b.length;
  tieTerm += tiesFrom(a, i) + tiesFrom(b, j);
  return { pairs: a.length * b.length, greater, equal, tieTerm };
}

function tiesFrom(ascending: Float64Array, start: number): number {
  let term = 0;
  for (let at = start; at < ascending.length;) {
    const from = at;
    while (at < ascending.length && ascending[at] === ascending[from]) at++;
    if (at - from > 1) term += (at - from) ** 3 - (at - from);
  }
  return term;
}
