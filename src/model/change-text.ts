/** How a change of speed is written, in figures and in words. Positive is faster. */
import { signed } from './number-text.ts';

interface MeasuredChange {
  readonly change_pct: number;
  readonly ci_pct?: readonly [number, number] | undefined;
}

/** `+3.1 % (+2.7 … +3.5)`; without an interval `+3.1 %`. */
export function changeText({ change_pct, ci_pct }: MeasuredChange): string {
  return `${signedPercent(change_pct)} %${ci_pct === undefined ? '' : ` (${intervalText(ci_pct)})`}`;
}

/** With its sign: +3.1, −0.42, 0.00. */
export function signedPercent(percent: number): string {
  return signed(percent, sizeText);
}

export function intervalText([low, high]: readonly [number, number]): string {
  return `${signedPercent(low)} … ${signedPercent(high)}`;
}

/** For a sentence: `3.1 % faster`, `0.42 % slower`, `unchanged`. */
export function changeWords(change_pct: number): string {
  const size = shortSize(Math.abs(change_pct));
  if (Number(size) === 0) return 'unchanged';
  return `${size} % ${change_pct < 0 ? 'slower' : 'faster'}`;
}

/** For a sentence, with signs, since an interval may reach to both sides: `−0.3 % to +2 %`. */
export function intervalWords([low, high]: readonly [number, number]): string {
  return `${signed(low, shortSize)} % to ${signed(high, shortSize)} %`;
}

/** Without zeros at the end: `3` for 3.0. */
export function shortSize(percent: number): string {
  return String(Number(sizeText(percent)));
}

/** Two decimals below 1 % and one above: as fine as the numbers are good for. */
function sizeText(percent: number): string {
  return percent.toFixed(percent < 1 ? 2 : 1);
}
