/** How a change of speed is written, in figures and in words. Positive is faster. */
import { signed } from './number-text.ts';

interface MeasuredChange {
  readonly change_pct: number;
  readonly ci_pct?: readonly [number, number] | undefined;
}

interface ChangeWithInterval extends MeasuredChange {
  readonly ci_pct: readonly [number, number];
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

/** For a sentence: `3.1 % faster`, `0.42 % slower`, `3.5× slower` (takes 3.5 times as long), `unchanged`. */
export function changeWords(change_pct: number): string {
  return wordsOf(change_pct, shortSize);
}

/** The same for a headline, as coarse as a reader keeps it in mind: `51 % slower`, `3.5× faster`. */
export function roughChangeWords(change_pct: number): string {
  return wordsOf(change_pct, (percent) => (percent < 10 ? shortSize(percent) : percent.toFixed(0)));
}

/** From here on a factor says more than a percentage: 2× slower is −100 %, 2× faster only +50 %. */
const FACTOR_FROM = 2;

function wordsOf(change_pct: number, sizeOf: (percent: number) => string): string {
  const word = change_pct < 0 ? 'slower' : 'faster';
  const factor = factorOf(change_pct);
  if (factor >= FACTOR_FROM) return `${factorText(factor)} ${word}`;
  const size = sizeOf(Math.abs(change_pct));
  return Number(size) === 0 ? 'unchanged' : `${size} % ${word}`;
}

/** How many times as long the slower side takes. What would take no time has no factor. */
function factorOf(change_pct: number): number {
  const time = 1 - change_pct / 100;
  if (time <= 0) return 0;
  return Math.max(time, 1 / time);
}

function factorText(factor: number): string {
  return `${factor < 10 ? Number(factor.toFixed(1)) : factor.toFixed(0)}×`;
}

/**
 * What the interval of a change reaches from and to: `41 to 59 %`, `1.2 to 3.3×`. Undefined where it does not say whether
 * it is faster or slower.
 */
export function sizesText({ change_pct, ci_pct: [low, high] }: ChangeWithInterval): string | undefined {
  if (Math.sign(low) !== Math.sign(high) || Math.sign(low) !== Math.sign(change_pct)) return undefined;
  const ends = change_pct < 0 ? [high, low] : [low, high];
  const factors = ends.map(factorOf);
  if (factorOf(change_pct) < FACTOR_FROM || factors.includes(0))
    return `${ends.map((end) => shortSize(Math.abs(end))).join(' to ')} %`;
  const [from, to] = factors.map(factorText) as [string, string];
  return `${from.slice(0, -1)} to ${to}`;
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
