import { signed } from '../model/number-text.ts';

/** With its sign, since positive is faster: +3.1, −0.42, 0.00. */
export function signedPercent(percent: number): string {
  return signed(percent, (size) => size.toFixed(size < 1 ? 2 : 1));
}

export function intervalText([low, high]: readonly [number, number]): string {
  return `${signedPercent(low)} … ${signedPercent(high)}`;
}
