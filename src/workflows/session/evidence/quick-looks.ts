import type { MeasuredPair } from './measured-pair.ts';

/**
 * What one run of gates has measured: several of them look at the same cases, and minutes later they would see the
 * same.
 */
export class QuickLooks {
  readonly #pairs: MeasuredPair[] = [];

  add(pair: MeasuredPair): void {
    this.#pairs.push(pair);
  }

  /** Of one measurement that has all of these cases; it holds the device no second time. */
  of(names: readonly string[]): MeasuredPair | undefined {
    for (const pair of this.#pairs) {
      const cases = pair.cases.filter((one) => names.includes(one.case));
      if (cases.length === names.length) return { ...pair, cases, device_s: 0 };
    }
    return undefined;
  }
}
